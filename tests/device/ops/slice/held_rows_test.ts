import { assert, assertEquals } from "@std/assert";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  type Operator,
  slice,
  tail,
  take,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const names = ["Łódź", "São Paulo", "東京", "", null, "a name of more than sixteen bytes"];

/** Batches of these sizes, with ids that count up. */
function batchesOf(sizes: readonly number[]) {
  let next = 0;
  return sizes.map((size) => {
    const words = Array.from({ length: size }, (_, row) => names[(next + row) % names.length]!);
    return wordsBatch(words, (next += size) - size);
  });
}

/** The rows that an operator picks of those that a kernel has computed and a filter let through. */
async function picked(
  engine: Engine,
  sizes: readonly number[],
  operator: Operator,
): Promise<unknown[]> {
  const stream = fromBatches(ReadableStream.from(batchesOf(sizes)), { engine })
    .pipeThrough(withColumns({ loud: expr("word.upper()") }))
    .pipeThrough(filter(expr("id != 3")))
    .pipeThrough(operator);
  return rowsOf(await Array.fromAsync(stream));
}

function randomPick(random: SeededRandom, numRows: number): () => Operator {
  const bound = () => random.chance(0.3) ? null : random.below(2 * numRows) - numRows;
  const bounds = [bound(), bound(), random.pick([1, 1, 2, -1, -3])] as const;
  if (random.chance(0.5)) return () => slice(...bounds, { hold: true });
  const [start, stop, step] = bounds;
  const positions = Array.from({ length: 4 }, () => random.below(2 * numRows - 2) - numRows + 1);
  return () => take([...positions, { start, stop, step }], { hold: true });
}

deviceTest(
  "rows held of batches on the device are those held of batches on the host",
  () =>
    forSeeds(8, async (random) => {
      const sizes = Array.from({ length: 5 }, () => random.below(60)).concat(8);
      const numRows = sizes.reduce((sum, size) => sum + size, 0);
      const operator = randomPick(random, numRows);
      const [host, device] = [createEngine({ device: "cpu" }), createEngine({ device: "gpu" })];
      const expected = await picked(host, sizes, operator());
      assertEquals(await picked(device, sizes, operator()), expected);
    }),
);

deviceTest("of batches on the device only the rows that are kept come to the host", async () => {
  const engine = createEngine({ device: "gpu" });
  const { counters } = await engine.backend();
  const sizes = Array.from({ length: 20 }, () => 2000);
  const table: readonly [Operator, number, number][] = [
    [tail(10), 10, 1],
    [take([5, 10_000, 6, 20_000, 7, 30_000, 8, 39_000]), 8, 8],
    [take([10_000, 9_000, 5]), 3, 3],
    [slice(5, -5, 1000), 40, 40],
  ];
  for (const [operator, numRows, most] of table) {
    const { downloadedBytes, downloads } = counters;
    assertEquals((await picked(engine, sizes, operator)).length, numRows);
    // A column on the device has at most 33 bytes of text a row, an offset and bits.
    const bytes = counters.downloadedBytes - downloadedBytes;
    assert(bytes <= 80 * numRows, `${bytes} bytes of ${numRows} rows`);
    assert(counters.downloads - downloads <= most, `${counters.downloads - downloads} downloads`);
  }
});
