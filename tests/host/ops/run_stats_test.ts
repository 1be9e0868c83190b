import { assert, assertEquals } from "@std/assert";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  read,
  regroup,
  type RunStats,
  select,
  tail,
  toTable,
  withColumns,
  write,
} from "../../../mod.ts";
import { idsOf, numberedBatches } from "../../support/pipeline_streams.ts";
import { inFolder } from "../../support/streams_samples.ts";

function watchedEngine(fuse = true) {
  const runs: RunStats[] = [];
  return { runs, engine: createEngine({ device: "cpu", fuse, onRun: (run) => runs.push(run) }) };
}

Deno.test("a run counts rows and batches of each operator under the step of the user", async () => {
  const { runs, engine } = watchedEngine();
  const stream = fromBatches(numberedBatches(4, 5), { engine, name: "numbers" })
    .pipeThrough(withColumns({ loud: expr("word.upper()") }))
    .pipeThrough(filter(expr("id >= 3")))
    .pipeThrough(regroup({ rows: 10 }));
  const reader = stream.getReader();
  await reader.read();
  assertEquals([runs.length, runs[0]!.ended, runs[0]!.numRowsOut], [1, false, 10]);
  await reader.read();
  await reader.read();
  const { operators, ended, numRowsIn, numRowsOut, bytesOut } = runs[0]!;
  assertEquals([ended, numRowsIn, numRowsOut], [true, 20, 17]);
  assertEquals(
    operators.map(({ name, step, rowsIn, rowsOut, batchesOut }) => [
      name,
      step,
      rowsIn,
      rowsOut,
      batchesOut,
    ]),
    [
      ["read numbers", 1, 0, 20, 4],
      ["withColumns", 2, 20, 20, 4],
      ["filter", 3, 20, 17, 4],
      ["regroup", 4, 17, 17, 2],
    ],
  );
  assert(operators.every(({ elapsedMs }) => elapsedMs >= 0));
  // Of each row: an id, two texts with an offset each. Then a last offset per text and batch.
  const texts = [...Array(17).keys()].reduce((sum, row) => sum + `w${row + 3}`.length, 0);
  assertEquals(bytesOut, 17 * 12 + 2 * texts + 2 * 2 * 4);
});

Deno.test("bytes of a slice of a larger batch are its own", async () => {
  const { runs, engine } = watchedEngine();
  await toTable(fromBatches(numberedBatches(1, 1000), { engine }).pipeThrough(tail(1)));
  assertEquals(runs[0]!.bytesOut < 32, true);
});

Deno.test("head and tail of an Arrow file read only its ends", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/numbers.arrow`;
    await fromBatches(numberedBatches(10, 24_000)).pipeTo(write(path));
    const { size } = await Deno.stat(path);
    for (const [operator, firstId] of [[() => head(10), 0], [() => tail(10), 239_990]] as const) {
      const { runs, engine } = watchedEngine();
      const table = await toTable(
        read(path, { engine }).pipeThrough(withColumns({ loud: expr("word.upper()") }))
          .pipeThrough(operator()).pipeThrough(select("id")),
      );
      assertEquals([table.numRows, idsOf(table)[0]], [10, firstId]);
      assert(runs[0]!.bytesIn < size / 2, `${runs[0]!.bytesIn} of ${size} bytes were read`);
    }
  });
});
