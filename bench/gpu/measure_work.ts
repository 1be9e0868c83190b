/**
 * Measures the kernels of a work, each alone and all together.
 *
 * @module
 */

import type { ResultRows } from "../../gpu/backend.ts";
import type { Column, HostColumn } from "../../gpu/column/column.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import type { Timings } from "../../gpu/webgpu/device/clock.ts";
import { numBlocks } from "../../gpu/webgpu/dispatch/scan.ts";
import { WebGpuColumn } from "../../gpu/webgpu/memory/device_column.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import { uploadColumn } from "../../gpu/webgpu/transfer/upload.ts";
import { columnDigest } from "../../tests/support/values/column_digest.ts";
import { median } from "../support/measure.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";
import { ALL_KERNELS, gbPerSecond, type KernelTime, rounded } from "./gpu_results.ts";
import { releaseResult, type Work, type WorkBytes } from "./works.ts";

/** The runs of a work after the first, which compiles; fewer if they take longer than `RUNS_MS`. */
const RUNS = 15;
const LEAST_RUNS = 3;
const RUNS_MS = 2000;

/** The rows over which device and host must agree before the work is timed. */
const CHECKED_ROWS = 5000;

/** The times of a run. */
interface Run {
  readonly wallMs: number;
  readonly timings: Timings | null;
}

/** Measures a work. Throws if the device and the host return different rows. */
export async function measureWork(gpu: MeasuredGpu, work: Work): Promise<KernelTime[]> {
  await checkWork(gpu, work);
  using scope = new Scope();
  const columns: Column[] = [];
  for (const column of work.columns) {
    columns.push(scope.own(await uploaded(gpu, column)));
  }
  const written = await firstRun(gpu, work, columns);
  if (written === null) {
    gpu.note(`${work.name} runs on the host here: its rows are too long for this adapter`);
    return [];
  }
  const read = columns.reduce((sum, column) => sum + deviceBytes(column), work.otherBytes ?? 0);
  const bytes = { read, written, numRows: work.numRows };
  const runs: Run[] = [];
  const start = performance.now();
  while (runs.length < RUNS) {
    const elapsedMs = performance.now() - start;
    if (runs.length >= LEAST_RUNS && elapsedMs > RUNS_MS) break;
    if (runs.length > 0 && (gpu.isLate() || elapsedMs > 4 * RUNS_MS)) break;
    runs.push(await timeRun(gpu, work, columns));
  }
  return linesOf(gpu, work, runs, bytes);
}

async function checkWork({ backend }: MeasuredGpu, work: Work): Promise<void> {
  const host = createHostBackend({ threads: 1 });
  try {
    const few = work.columns.map((column) =>
      sliceColumn(column, 0, Math.min(CHECKED_ROWS, column.length))
    );
    const made: string[] = [];
    for (const [on, columns] of [[host, few], [backend, few]] as const) {
      const digests: (number | readonly number[])[] = [];
      for await (const result of work.run(on, columns)) {
        const onHost = await on.download(result.columns);
        digests.push(result.numRows, onHost.map(columnDigest));
        releaseResult(result);
      }
      made.push(JSON.stringify(digests));
    }
    if (made[0] !== made[1]) throw new Error(`${work.name}: device and host give other rows`);
  } finally {
    await host.close();
  }
}

async function uploaded({ context }: MeasuredGpu, column: HostColumn): Promise<WebGpuColumn> {
  const made = await uploadColumn(context, column, { label: "bench", ascii: true });
  if (made === null) throw new Error("A row does not fit a window");
  return made;
}

/** Returns the bytes of the results; null if the host computed them. */
async function firstRun(
  { backend, profile }: MeasuredGpu,
  work: Work,
  columns: readonly Column[],
): Promise<number | null> {
  let bytes = 0;
  let isOnHost = false;
  for await (const result of work.run(backend, columns)) {
    isOnHost ||= result.columns.some(({ place }) => place === "host");
    bytes += result.columns.reduce((sum, column) => sum + newBytes(column, columns), 0);
    releaseResult(result);
  }
  await profile?.take();
  return isOnHost ? null : bytes;
}

/** Returns the bytes of a column; 0 if it is an input that was passed on. */
function newBytes(column: Column, inputs: readonly Column[]): number {
  return inputs.includes(column) ? 0 : deviceBytes(column);
}

function deviceBytes(column: Column): number {
  if (!(column instanceof WebGpuColumn)) return 0;
  return column.windows.reduce((sum, { layout }) => sum + 4 * layout.words, 0);
}

async function timeRun(
  { backend, context, profile }: MeasuredGpu,
  work: Work,
  columns: readonly Column[],
): Promise<Run> {
  const start = performance.now();
  for await (const result of work.run(backend, columns) as AsyncIterable<ResultRows>) {
    releaseResult(result);
  }
  await context.device.reads.idle();
  const wallMs = performance.now() - start;
  return { wallMs, timings: await profile?.take() ?? null };
}

function linesOf(
  gpu: MeasuredGpu,
  work: Work,
  runs: readonly Run[],
  bytes: WorkBytes,
): KernelTime[] {
  const name = `${work.name}, ${work.numRows.toLocaleString("en")} rows`;
  const timed = runs.flatMap(({ timings }) => timings ?? []);
  const numUntimed = Math.max(0, ...timed.map((timings) => timings.numUntimed));
  if (numUntimed > 0) gpu.note(`${name}: ${numUntimed} dispatches of each run are not timed`);
  const line = (kernel: string, dispatches: number, ms: number, moved: number | null) => ({
    work: name,
    numRows: work.numRows,
    kernel,
    dispatches,
    ms: rounded(ms),
    bytes: moved === null ? null : Math.round(moved),
    gbPerSecond: moved === null || ms === 0 ? null : gbPerSecond(moved, ms),
    shareOfCopy: moved === null || ms === 0 ? null : gpu.shareOfCopy(moved, ms),
    wallMs: null,
  });
  const labels = [...new Set(timed.flatMap(({ works }) => works.map(({ label }) => label)))];
  const hasLongRows = labels.some((label) => label.endsWith(" of long rows"));
  const isMarked = labels.some((label) => label.endsWith(" marks"));
  const isOnePass = labels.some((label) => label.endsWith(" tiles"));
  const kernels = labels.map((label): KernelTime => {
    const own = timed.map(({ works }) => works.filter((work) => work.label === label));
    const sums = own.map((works) => works.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0));
    // One pass clears no text, only the states of its tiles.
    const moved = isOnePass && label === "clear"
      ? null
      : bytesOf(label, work, bytes, { hasLongRows, isMarked });
    return line(label, own[0]?.length ?? 0, median(sums), moved);
  });
  const wallMs = rounded(median(runs.map((run) => run.wallMs)));
  const onDevice = timed.map(({ works }) =>
    works.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
  );
  const ms = onDevice.length === 0 ? wallMs : median(onDevice);
  const numDispatches = kernels.reduce((sum, { dispatches }) => sum + dispatches, 0);
  const all = line(ALL_KERNELS, numDispatches, ms, bytes.read + bytes.written);
  return [...kernels, { ...all, wallMs }];
}

/** Returns the bytes that a kernel must move: each input read once, each result written once. */
function bytesOf(
  label: string,
  { bytesOf: own }: Work,
  bytes: WorkBytes,
  { hasLongRows, isMarked }: { readonly hasLongRows: boolean; readonly isMarked: boolean },
): number | null {
  const { read, written, numRows } = bytes;
  const sizes = 4 * (numRows + numBlocks(numRows));
  const known = own?.[label];
  if (known !== undefined) return known(bytes);
  if (label === "scan") return 3 * 4 * numBlocks(numRows);
  // If rows are long, the pass over the other rows finds none.
  const pass = hasLongRows ? /^.* (\w+) of long rows$/.exec(label) : /^.* (\w+)$/.exec(label);
  // With marks, the bytes that the other passes read depend on the text.
  if (isMarked) return pass?.[1] === "marks" ? read + 4 * numRows : null;
  switch (pass?.[1]) {
    case "sizes":
      return read + sizes;
    case "write":
      return read + sizes + written;
    case "single":
    case "tiles":
      return read + written;
    default:
      return null;
  }
}
