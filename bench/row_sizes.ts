/**
 * Measures the speed of the host at row sizes from 8 bytes to a megabyte, and with a mixture of both.
 *
 * @module
 */

import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import { createEngine, type Engine, expr, fromBatches, select, withColumns } from "../mod.ts";
import { collectGarbage } from "./support/collect_garbage.ts";
import { randomNumbers, unseen, words } from "./support/names.ts";

/** The bytes of text of one measurement, and of one batch unless a row is larger. */
const TOTAL_BYTES = 32 << 20;
const BATCH_BYTES = 2 << 20;
/** The number of runs, of which the fastest counts, after one that does not count. */
const NUM_RUNS = 9;

/** Rows of even size, and a mixture in which one row in ten thousand is a megabyte. */
const layouts: readonly { readonly name: string; readonly sizeOf: (row: number) => number }[] = [
  ...[8, 64, 512, 4 << 10, 64 << 10, 1 << 20].map((size) => ({
    name: `${size}`,
    sizeOf: () => size,
  })),
  { name: "64 and 1048576", sizeOf: (row) => row % 10_000 === 9_999 ? 1 << 20 : 64 },
];

const operations: readonly string[] = [
  "text.upper()",
  'text.contains("zebra")',
  'text.replace("an", "AND")',
  // Each reads all of the text and most write it, so that speeds at different sizes are comparable.
  'text.splitPart("#", 0)',
  "text.length()",
  "text.strip()",
];

/** An operation at every row size. */
interface RowSizeSpeeds {
  readonly operation: string;
  /** Megabytes of text read per second, in the order of `rowSizeNames`. */
  readonly speeds: readonly number[];
  /** The ratio of the fastest to the slowest, from rows of 64 bytes up. */
  readonly spread: number;
}

/** The row sizes in words. */
export const rowSizeNames: readonly string[] = layouts.map(({ name }) => name);

/** Measures every operation at every row size. */
export async function* measureRowSizes(): AsyncGenerator<RowSizeSpeeds> {
  const engine = createEngine({ device: "cpu" });
  const inputs = layouts.map(({ sizeOf }) => batchesOf(sizeOf));
  for (const operation of operations) {
    const speeds: number[] = [];
    for (const batches of inputs) speeds.push(await speedOf(operation, batches, engine));
    const large = speeds.slice(1);
    yield { operation, speeds, spread: Math.max(...large) / Math.min(...large) };
  }
  await engine.close();
}

async function speedOf(
  operation: string,
  batches: readonly RecordBatch[],
  engine: Engine,
): Promise<number> {
  let bestMs = Infinity;
  for (let run = -1; run < NUM_RUNS; run++) {
    await collectGarbage();
    const stream = fromBatches(unseen(batches), { engine })
      .pipeThrough(withColumns({ result: expr(operation) }))
      .pipeThrough(select("result"));
    const start = performance.now();
    for await (const batch of stream) void batch.numRows;
    if (run >= 0) bestMs = Math.min(bestMs, performance.now() - start);
  }
  return TOTAL_BYTES / 1e3 / bestMs;
}

/** Makes batches of rows cut from one text of words, with a blank about every seven bytes. */
function batchesOf(sizeOf: (row: number) => number): RecordBatch[] {
  const random = randomNumbers(1);
  const vocabulary = words(500, 1);
  let text = "";
  while (text.length < BATCH_BYTES + (1 << 20)) text += ` ${vocabulary[random() % 500]}`;
  const bytes = new TextEncoder().encode(text);
  const batches: RecordBatch[] = [];
  for (let total = 0, row = 0; total < TOTAL_BYTES;) {
    const offsets = [0];
    let size = 0;
    while (size < BATCH_BYTES && total + size < TOTAL_BYTES) {
      size += Math.min(sizeOf(row++), TOTAL_BYTES - total - size);
      offsets.push(size);
    }
    batches.push(batchOf(bytes.slice(0, size), Int32Array.from(offsets)));
    total += size;
  }
  return batches;
}

function batchOf(data: Uint8Array, valueOffsets: Int32Array): RecordBatch {
  const length = valueOffsets.length - 1;
  const fields = [new Field("text", new Utf8(), true)];
  const child = makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
  const type = new Struct(fields);
  const struct = makeData({ type, length, nullCount: 0, children: [child] });
  return new RecordBatch(new Schema(fields), struct);
}
