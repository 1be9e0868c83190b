import { assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { fromBatches, withColumns } from "../../../../mod.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { listModel } from "../../../support/models/list_model.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { randomText, randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

type List = readonly (string | null)[];

function randomLists(random: SeededRandom, length: number): (List | null)[] {
  const list = () =>
    Array.from(
      { length: random.below(5) },
      () => random.chance(0.2) ? null : randomText(random, 3),
    );
  return Array.from({ length }, () => random.chance(0.1) ? null : list());
}

Deno.test("get() of a list gives the item, from the end where the index is negative, else null", () =>
  forSeeds(20, (random) => {
    const list = randomLists(random, 50);
    const at = list.map(() => random.pick([0, 1, 2, 5, -1, -2, -5, 0x7fffffff, -0x80000000]));
    const expected = (index: (row: number) => number) =>
      list.map((items, row) => items?.at(index(row)) ?? null);
    assertEquals(
      evaluateExpr(col("list").get(col("at")), { list, at }),
      expected((row) => at[row]!),
    );
    assertEquals(evaluateExpr(col("list").get(-2), { list }), expected(() => -2));
    assertEquals(
      evaluateExpr(col("list").get(1).upper(), { list }),
      expected(() => 1).map((item) => item === null ? null : evaluateUpper(item)),
    );
  }));

function evaluateUpper(text: string): unknown {
  return evaluateExpr(col("text").upper(), { text: [text] })[0];
}

Deno.test("length() of a list counts its items, null ones too, whatever they are", () =>
  forSeeds(10, (random) => {
    const list = randomLists(random, 50);
    assertEquals(
      evaluateExpr(col("list").length(), { list }),
      list.map((items) => items?.length ?? null),
    );
  }));

Deno.test("join() leaves null items out, or says what stands for them, as DuckDB does where there are items", () =>
  forSeeds(5, async (random) => {
    const list = randomLists(random, 40);
    const separators = list.map(() => randomText(random, 2));
    const rows = list.map((items, row) => `(${row}, ${sqlList(items)})`);
    const answers = await queryDuckDb(
      `SELECT array_to_string(list, '-') AS plain, ` +
        `array_to_string(list_transform(list, item -> coalesce(item, '?')), ', ') AS marked ` +
        `FROM (VALUES ${rows.join(", ")}) AS t(row, list) ORDER BY row`,
    );
    const check = (expr: Expr, name: string) =>
      assertEquals(
        evaluateExpr(expr, { list, separators }),
        answers.map((row, index) => (row[name] as string | null) ?? (list[index] && "")),
      );
    check(col("list").join("-"), "plain");
    check(col("list").join(", ", "?"), "marked");
    check(col("list").join(", ", { nulls: "?" }), "marked");
    const marks = list.map((_, row) => row % 3 === 0 ? null : "?");
    const text = list.map(() => randomText(random, 5));
    assertEquals(
      evaluateExpr(col("text").split("a").join("-", col("marks")), { text, marks }),
      text.map((value, row) => marks[row] === null ? null : value.split("a").join("-")),
    );
    assertEquals(
      evaluateExpr(col("list").join(col("separators")), { list, separators }),
      list.map((items, row) =>
        items && items.filter((item) => item !== null).join(separators[row])
      ),
    );
  }));

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function sqlList(items: List | null): string {
  if (items === null) return "NULL::VARCHAR[]";
  return `[${items.map((item) => item === null ? "NULL" : sqlText(item)).join(", ")}]::VARCHAR[]`;
}

Deno.test("what is asked of a split makes no list where the delimiter is known", async () => {
  const made = async (expr: Expr) => {
    const rows = fromBatches(tableFromArrays({ text: ["a-b"], other: ["-"] }));
    return (await rows.pipeThrough(withColumns({ x: expr })).explain()).includes("split makes");
  };
  const text = col("text");
  const asked = (split: Expr) => [split.get(0), split.get(-1).upper(), split.length()];
  for (
    const expr of [...asked(text.split("-")), ...asked(text.split()), text.split("-", 1).join("+")]
  ) {
    assertEquals(await made(expr), false);
  }
  const other = [text.split(col("other")), text.split("-", 1), text.rsplit("-")].flatMap(asked);
  for (const expr of [...other, text.split().join(" ")]) assertEquals(await made(expr), true);
});

Deno.test("what is asked of a split agrees with the list, with and without one", () =>
  forSeeds(30, (random) => {
    const text = randomTexts(random, 50);
    const at = text.map(() => random.pick([0, 1, 2, 3, -1, -2, -3, 100, -100]));
    const delimiter = random.pick([null, "a", "aa", "-", " ", "é"]);
    const limit = random.pick([null, 0, 1, 2, -1]);
    const joiner = randomText(random, 2);
    const columns = { text, at, delimiter: text.map(() => delimiter ?? "") };
    const known = [col("text").split(delimiter, limit)];
    const splits = delimiter === null
      ? known
      : [...known, col("text").split(col("delimiter"), limit)];
    const lists = text.map((value) =>
      value === null ? null : listModel.split(value, delimiter, limit)
    );
    for (const split of splits) {
      const check = (expr: Expr, model: (list: List, row: number) => string | number | null) =>
        assertEquals(
          evaluateExpr(expr, columns),
          lists.map((list, row) => list === null ? null : model(list, row)),
        );
      check(split.get(col("at")), (list, row) => list.at(at[row]!) ?? null);
      check(split.get(1), (list) => list[1] ?? null);
      check(split.get(-1), (list) => list.at(-1) ?? null);
      check(split.length(), (list) => list.length);
      check(split.join(joiner), (list) => list.join(joiner));
    }
  }));
