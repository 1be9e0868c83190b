import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { makeData, RecordBatch, Table, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import {
  col,
  createEngine,
  fromBatches,
  joinStrings,
  regroup,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { randomText, randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const engine = createEngine({ device: "cpu" });

async function joined(texts: readonly (string | null)[], rows: number, separator: string) {
  const table = new Table({ text: vectorFromArray(texts, new Utf8()) });
  const stream = fromBatches(table, { engine })
    .pipeThrough(regroup({ rows, engine }))
    .pipeThrough(joinStrings("text", { separator, engine }));
  const result = await toTable(stream);
  assertEquals(result.schema.names, ["text"]);
  return [...result.getChild("text") ?? []];
}

Deno.test("joinStrings() gives what string_agg of DuckDB gives of each group", () =>
  forSeeds(4, async (random) => {
    const texts = randomTexts(random, 40).map((text) => random.chance(0.4) ? null : text);
    const rows = 1 + random.below(9);
    const separator = randomText(random, 2);
    const quoted = (text: string | null) =>
      text === null ? "NULL" : `'${text.replace(/'/g, "''")}'`;
    const values = texts.map((text, row) => `(${row}, ${quoted(text)})`).join(", ");
    const groups = await queryDuckDb(
      `SELECT string_agg(t, ${quoted(separator)} ORDER BY i) AS s ` +
        `FROM (VALUES ${values}) AS v(i, t) GROUP BY i // ${rows} ORDER BY i // ${rows}`,
    );
    assertEquals(await joined(texts, rows, separator), groups.map(({ s }) => s));
  }));

Deno.test("joinStrings() of no rows gives no row, of nulls alone a null", async () => {
  assertEquals(await joined([], 5, ","), []);
  assertEquals(await joined([null, null], 5, ","), [null]);
  assertEquals(await joined(["", null, ""], 5, ","), [","]);
});

Deno.test("joinStrings() reads a column that was computed, and only that one", async () => {
  const table = tableFromArrays({ name: ["a", "b"], rest: [1, 2] });
  const stream = fromBatches(table, { engine })
    .pipeThrough(withColumns({ name: col("name").upper() }, { engine }))
    .pipeThrough(joinStrings("name", { engine }));
  assertEquals((await stream.explain()).includes("only name"), true);
  assertEquals((await toTable(stream)).toArray().map((row) => row.name), ["AB"]);
});

Deno.test("joinStrings() refuses what is no text, and names a row that is not UTF-8", async () => {
  const numbers = fromBatches(tableFromArrays({ id: [1] }), { engine });
  await assertRejects(
    () => toTable(numbers.pipeThrough(joinStrings("id", { engine }))),
    StepError,
    "step 2, joinStrings: joinStrings joins text, but id is float64",
  );
  const data = makeData({
    type: new Utf8(),
    length: 2,
    data: Uint8Array.of(0x61, 0xff),
    valueOffsets: Int32Array.of(0, 1, 2),
  });
  const wrong = fromBatches(new RecordBatch({ name: data }), { engine });
  const error = await assertRejects(
    () => toTable(wrong.pipeThrough(joinStrings("name", { engine }))),
    StepError,
  );
  assertEquals(error.row, 1);
  assertThrows(() => joinStrings("name", { separator: "\ud800" }), TypeError, "lone surrogate");
});

Deno.test("the verb joinStrings joins the rows of each batch", () =>
  inFolder({ "letters.csv": "letter,n\na,1\nb,2\nc,3\n" }, async (folder) => {
    const words = ["read", "letters.csv", "then", "regroup", "--rows", "2", "then"];
    const verb = ["joinStrings", "letter", "--separator", ", "];
    const result = await sluice([...words, ...verb, "then", "write", "-", "--format", "csv"], {
      cwd: folder,
    });
    assertEquals([result.status, result.err, result.out], [0, "", 'letter\n"a, b"\nc\n']);
    const wrong = await sluice([...words, "joinStrings"], { cwd: folder });
    assertEquals(wrong.status, 2);
  }));
