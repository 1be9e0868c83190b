/**
 * Measures batches from the host to the device and their results back, by the number in flight, and beside other
 * work of this thread.
 *
 * @module
 */

import { Utf8 } from "apache-arrow";
import { columnBytes, releaseColumn } from "../../gpu/column/column.ts";
import type { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { compileProgram } from "../../tests/support/kernels/programs.ts";
import { kindsColumn, namesColumn } from "./made_columns.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";
import { REDACTED } from "./works.ts";

const DEPTHS = [1, 2, 4, 8, 16, 32];
const NUM_BATCHES = 32;
const BATCH_ROWS = [10_000, 100_000, 1_000_000];

/** Returns million rows of redact per second, by the rows of a batch and the number of batches in flight. */
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
      const elapsedMs = gpu.isLate() ? null : await elapsed(gpu.backend, numRows, depth, 0);
      cells.push(elapsedMs === null ? "" : (NUM_BATCHES * numRows / 1e3 / elapsedMs).toFixed(2));
    }
    lines.push([label, ...cells]);
  }
  return lines;
}

/** The milliseconds that this thread is busy for each batch, as one that reads and writes files is. */
const BUSY_MS = [0, 10, 30, 80];
const BUSY_DEPTH = 4;
const BUSY_ROWS = 100_000;

/** Returns milliseconds a batch while this thread has other work. */
export async function measureBusy(gpu: MeasuredGpu): Promise<string[][]> {
  const numRows = Math.min(BUSY_ROWS, Math.ceil(gpu.limits.maxRows / NUM_BATCHES));
  const cells: string[] = [];
  for (const ms of BUSY_MS) {
    const elapsedMs = gpu.isLate() ? null : await elapsed(gpu.backend, numRows, BUSY_DEPTH, ms);
    cells.push(elapsedMs === null ? "" : (elapsedMs / NUM_BATCHES).toFixed(1));
  }
  return [
    ["Redact of a batch, ms, this thread busy for ms", ...BUSY_MS.map((ms) => `${ms}`)],
    ["---", ...BUSY_MS.map(() => "---:")],
    [`${numRows.toLocaleString("en")} rows`, ...cells],
  ];
}

/** Returns the milliseconds of all batches. */
async function elapsed(
  backend: WebGpuBackend,
  numRows: number,
  depth: number,
  busyMs: number,
): Promise<number> {
  const types = { name: new Utf8(), kind: new Utf8() };
  const { program, inputNames } = compileProgram([REDACTED], types);
  const made = { name: namesColumn(numRows), kind: kindsColumn(numRows) };
  const inputs = inputNames.map((name) => made[name as keyof typeof made]);
  const batch = async () => {
    const { columns } = await backend.evaluate(program, inputs, numRows);
    const [result] = await backend.download(columns);
    columns.forEach(releaseColumn);
    if (columnBytes(result!) < 4 * numRows) throw new Error("rows are missing");
    // Reading or writing a file also yields to the event loop.
    if (busyMs > 0) await new Promise((resolve) => setTimeout(resolve));
    for (const end = performance.now() + busyMs; performance.now() < end;);
  };
  await batch();
  let left = NUM_BATCHES;
  const start = performance.now();
  const takeBatches = async () => {
    while (left-- > 0) await batch();
  };
  await Promise.all(Array.from({ length: depth }, takeBatches));
  return performance.now() - start;
}
