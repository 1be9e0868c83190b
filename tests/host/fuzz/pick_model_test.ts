/** The model of rows by position, judged by Python and by DuckDB. */

import { assertEquals } from "@std/assert";
import type { CaseRows, CaseTable, FuzzCase } from "../../fuzz/fuzz_case.ts";
import { askDuckDb } from "../../fuzz/judge_case.ts";
import { modelTable } from "../../fuzz/model_table.ts";
import { pickedRows } from "../../fuzz/pick_model.ts";
import { sliceSlices } from "../../fuzz/random_slice.ts";
import { modelOutcome } from "../../fuzz/outcome.ts";
import { modelCase } from "../../fuzz/step_model.ts";
import { forSeeds, type SeededRandom } from "../../support/random/seeded_random.ts";
import { pythonTest } from "../../support/judges/python.ts";

/** Lists and slices of Python. */
const PYTHON = `
import json, sys
def rows(count, parts):
    every = list(range(count))
    for part in parts:
        yield from [every[part]] if isinstance(part, int) else every[slice(*part)]
json.dump([list(rows(*case)) for case in json.load(sys.stdin)], sys.stdout)
`;

/** The numbers of rows from 0 as a table. */
function numbered(numRows: number): CaseTable {
  const values = Array.from({ length: numRows }, (_, row) => row);
  return {
    columns: [{ name: "row", type: "int32", values }],
    batches: [{ rows: numRows, seed: 0 }],
  };
}

pythonTest("the model takes the rows that Python takes", async () => {
  const cases: [numRows: number, parts: readonly CaseRows[]][] = [];
  for (const numRows of [0, 1, 2, 5, 9]) {
    const bounds = [null, -20, -numRows, -2, -1, 0, 1, 2, 4, numRows, 20];
    for (const start of bounds) {
      for (const stop of bounds) {
        for (const step of [null, 1, 2, 7, -1, -2, -7]) {
          cases.push([numRows, [[start, stop, step]]]);
        }
      }
    }
    const places = Array.from({ length: 2 * numRows }, (_, index) => index - numRows);
    cases.push([numRows, places], [numRows, [[null, null, -1], ...places, [1, -1, 2]]]);
  }
  const child = new Deno.Command("python3", {
    args: ["-c", PYTHON],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const sent = new Blob([JSON.stringify(cases)]).stream().pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await sent;
  assertEquals(success, true);
  const theirs = JSON.parse(new TextDecoder().decode(stdout)) as number[][];
  for (const [index, [numRows, parts]] of cases.entries()) {
    const rows = pickedRows({ do: "take", rows: parts }, numRows);
    assertEquals(rows, theirs[index], `${JSON.stringify(parts)} of ${numRows} rows`);
  }
});

Deno.test("the model takes the rows that DuckDB takes, also of rows that were taken", () =>
  forSeeds(150, async (random: SeededRandom) => {
    const table = numbered(random.pick([0, 1, 2, 5, 17, 40]));
    const steps = sliceSlices(random, modelTable(table));
    const given: FuzzCase = { table, steps, variants: [] };
    const model = modelCase(given);
    if ("error" in model) throw new Error(`the model fails: ${JSON.stringify(steps)}`);
    const { numRows, columns } = modelOutcome(model);
    assertEquals(await askDuckDb(given), { numRows, columns: [...columns] }, JSON.stringify(steps));
  }));
