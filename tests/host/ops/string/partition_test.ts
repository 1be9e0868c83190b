import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Table, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import {
  col,
  createEngine,
  type Expr,
  expr,
  filter,
  fromBatches,
  operations,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { askPython, pythonTest } from "../../../support/judges/python.ts";
import { randomText, randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const NAMES = ["p_before", "p_delimiter", "p_after"];

/** The three columns, row by row. */
async function partsOf(
  columns: Readonly<Record<string, readonly (string | null)[]>>,
  p: Expr,
  fuse = true,
): Promise<(string | null)[][]> {
  const vectors = Object.entries(columns).map(([name, values]) =>
    [name, vectorFromArray(values, new Utf8())] as const
  );
  const options = { engine: createEngine({ device: "cpu", fuse }) };
  const stream = fromBatches(new Table(Object.fromEntries(vectors)), options);
  const table = await toTable(stream.pipeThrough(withColumns({ p }, options)));
  const parts = NAMES.map((name) => table.getChild(name)!);
  return Array.from({ length: table.numRows }, (_, row) => parts.map((part) => part.get(row)));
}

for (const name of ["partition", "rpartition"] as const) {
  pythonTest(
    `${name}() agrees with Python, with literal delimiters and with a column of them`,
    async () => {
      await forSeeds(5, async (random) => {
        const text = randomTexts(random, 60);
        const literal = randomText(random, 2) || "-";
        const d = text.map(() => randomText(random, 2));
        const none = [null, null, null];
        for (const delimiters of [text.map(() => literal), d]) {
          const answers = await askPython(
            text.map((text, row) => ({
              op: name,
              text: text ?? "",
              args: [delimiters[row] ?? ""],
            })),
          );
          const expected = answers.map((answer, row) => text[row] === null ? none : answer ?? none);
          const call = delimiters === d ? col("text")[name](col("d")) : col("text")[name](literal);
          for (const fuse of [true, false]) {
            assertEquals(await partsOf({ text, d }, call, fuse), expected, `fuse: ${fuse}`);
          }
        }
      });
    },
  );
}

Deno.test("partition() fuses with what is around it, and is one step of explain", async () => {
  const people = fromBatches(tableFromArrays({ name: ["  Ada Lovelace "] }));
  const p = col("name").strip().partition(" ");
  assertEquals(await partsOf({ name: ["  Ada Lovelace "] }, p), [["Ada", " ", "Lovelace"]]);
  const explained = await people.pipeThrough(withColumns({ p })).explain();
  assertEquals(explained.includes('withColumns p = name.strip().partition(" ")'), true, explained);
  assertEquals(explained.includes("apart because"), false, explained);
});

Deno.test("partition() replaces columns of the names of its parts", async () => {
  const table = tableFromArrays({ p_after: ["a-b"], q: ["x"] });
  const result = await toTable(
    fromBatches(table).pipeThrough(withColumns({ p: expr('p_after.partition("-")') })),
  );
  assertEquals(result.schema.names, ["p_after", "q", "p_before", "p_delimiter"]);
  assertEquals(result.get(0)?.toJSON(), { p_after: "b", q: "x", p_before: "a", p_delimiter: "-" });
});

Deno.test("partition() anywhere but as a whole column is an error that says so", async () => {
  const stream = () => fromBatches(tableFromArrays({ name: ["a-b"] }));
  const message = "partition() gives several columns; write it as a whole column: " +
    'p = name.partition("-")';
  for (const inside of ['name.partition("-") + "!"', 'name.partition("-").upper()']) {
    const wrong = stream().pipeThrough(withColumns({ p: expr(inside) }));
    await assertRejects(() => toTable(wrong), Error, message);
  }
  const wrong = stream().pipeThrough(filter(expr('name.partition("-") == "a"')));
  await assertRejects(() => toTable(wrong), Error, message);
  const twice = { p: expr('name.partition("-")'), p_after: col("name") };
  assertThrows(
    () => withColumns(twice),
    TypeError,
    'Columns 3 and 4 would have the same name, "p_after"',
  );
});

Deno.test("an empty literal delimiter of partition() is refused", () => {
  assertThrows(() => col("name").partition(""), RangeError, "the delimiter is empty");
  assertThrows(() => col("name").rpartition(""), RangeError, "the delimiter is empty");
  assertEquals(operations.filter(({ spec }) => spec.parts !== undefined).length, 2);
});
