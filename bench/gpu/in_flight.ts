/**
 * End to end: batches from the host, to the device, and their results back, with so many in flight.
 *
 * @module
 */

import { Utf8 } from "apache-arrow";
import { columnBytes, releaseColumn } from "../../gpu/column/column.ts";
import { compileProgram } from "../../tests/support/programs.ts";
import { kindsColumn, namesColumn } from "./made_columns.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";
import { REDACTED } from "./works.ts";

const DEPTHS = [1, 2, 4, 8, 16, 32];
const NUM_BATCHES = 32;
const BATCH_ROWS = [10_000, 100_000, 1_000_000];

/** Million rows of redact in a second, by the rows of a batch and by how many are in flight. */
export async function measureInFlight(gpu: MeasuredGpu): Promise<string[][]> {
  const lines = [
    ["Redact, host to host, M rows/s, in flight", ...DEPTHS.map((depth) => `${depth}`)],
    ["---", ...DEPTHS.map(() => "---:")],
  ];
  for (const numRows of BATCH_ROWS) {
    const label = `batches of ${numRows.toLocaleString("en")} rows`;
    if (NUM_BATCHES * numRows > gpu.limits.maxRows) {
      gpu.note(`redact, host to host: no ${label}, ${NUM_BATCHES} are too many rows`);
      break;
    }
    const cells: string[] = [];
    for (const depth of DEPTHS) {
      cells.push(gpu.isLate() ? "" : (await speedOf(gpu, numRows, depth)).toFixed(2));
    }
    lines.push([label, ...cells]);
  }
  return lines;
}

async function speedOf({ backend }: MeasuredGpu, numRows: number, depth: number): Promise<number> {
  const types = { name: new Utf8(), kind: new Utf8() };
  const { program, inputNames } = compileProgram([REDACTED], types);
  const made = { name: namesColumn(numRows), kind: kindsColumn(numRows) };
  const inputs = inputNames.map((name) => made[name as keyof typeof made]);
  const batch = async () => {
    const { columns } = await backend.evaluate(program, inputs, numRows);
    const [result] = await backend.download(columns);
    columns.forEach(releaseColumn);
    if (columnBytes(result!) < 4 * numRows) throw new Error("rows are missing");
  };
  await batch();
  let left = NUM_BATCHES;
  const start = performance.now();
  const worker = async () => {
    while (left-- > 0) await batch();
  };
  await Promise.all(Array.from({ length: depth }, worker));
  return NUM_BATCHES * numRows / 1e3 / (performance.now() - start);
}
