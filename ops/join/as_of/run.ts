/**
 * The run of an as-of join: batches of the stream in, batches of the result out.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { Backend } from "../../../gpu/backend.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { RowError } from "../../../base/errors/step_error.ts";
import { drain, readAhead } from "../../spill/read_ahead.ts";
import type { Spill } from "../../spill/spill.ts";
import { limits, outputBatches } from "../shared/output.ts";
import { withSpill } from "../../spill/with_spill.ts";
import type { BoundAsOf } from "./bound.ts";
import { type TimedBuild, timedBuild } from "./timed_build.ts";
import { GroupedBuild } from "./grouped_build.ts";
import { bytesInMemory, LargeGroups, payloadBytes, type ProbeRows } from "./large_groups.ts";
import type { AsOfBuild } from "./matched_rows.ts";
import { cutByBytes, OutputRows } from "./output_rows.ts";
import { StreamedBuild } from "./streamed_build.ts";
import { Groups, SideReader, type TimedRows } from "./sides.ts";

// Captured, so that fake timers of a program do not replace them.
const { setTimeout, clearTimeout } = globalThis;

/** The time that matched rows wait for more of the build side, so that they come out in one batch. */
const WAIT_MS = 5;

/**
 * Yields the batches of the join, and cancels the build side when it ends or its signal is aborted. Rows
 * whose match is known do not wait for a slow build side.
 */
export function joinAsOf(
  bound: BoundAsOf,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  return withSpill(context, limits, (spill) => joinSides(bound, input, context, spill));
}

async function* joinSides(
  bound: BoundAsOf,
  input: AsyncIterable<Batch>,
  context: StageContext,
  spill: Spill,
): AsyncGenerator<Batch, void, void> {
  const { signal, backend } = context;
  if (signal.aborted) return;
  const cancel = () => bound.build.cancel(signal.reason);
  // Nothing else would end a pending read of the build side.
  signal.addEventListener("abort", cancel, { once: true });
  const groups = bound.parts.length === 0 ? null : new Groups(bound.parts);
  const rows = timedBuild(
    bound,
    new SideReader(bound.built, bound.form, groups),
    bound.build.rows(bound.request, signal),
  );
  try {
    const build = groups === null
      ? new StreamedBuild(bound, rows, signal)
      : await readGroups(bound, groups, rows, spill);
    if (signal.aborted) return;
    const probe = probeBatches(bound, groups, input, context);
    if (build instanceof LargeGroups) {
      const joined = build.joined(probeRows(bound, probe, backend));
      return yield* outputBatches(bound.columns, joined, backend);
    }
    for await (const batch of probe) {
      yield* joinBatch(bound, build, batch, context);
      if (signal.aborted) return;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancel();
    await rows.return();
  }
}

/** Reads the build side by group: into memory, or into files as soon as it takes more than that. */
async function readGroups(
  bound: BoundAsOf,
  groups: Groups,
  rows: AsyncIterable<TimedBuild>,
  spill: Spill,
): Promise<GroupedBuild | LargeGroups> {
  let numRows = 0;
  let numBytes = 0;
  const ahead = await readAhead(rows, (batch) => {
    checkGroups(groups, spill);
    numRows += batch.timed.numRows;
    numBytes += payloadBytes(batch);
    return bytesInMemory(numRows, numBytes) <= spill.memory;
  });
  if (ahead.rest === undefined) return GroupedBuild.of(bound, ahead.items, groups.size);
  const large = new LargeGroups(bound, groups, spill);
  for await (const batch of drain(ahead)) {
    checkGroups(groups, spill);
    large.add(batch);
  }
  return large;
}

/** The least limit for the keys of the groups, which applies if the memory is smaller. */
const LEAST_BYTES = 4 << 20;

/** Throws if the keys of the groups exceed the memory: all of them must be there. */
function checkGroups(groups: Groups, { memory }: { readonly memory: number }): void {
  if (groups.numBytes <= Math.max(memory, LEAST_BYTES)) return;
  throw new Error(
    `An as-of join holds the keys of its ${groups.size} groups in memory, which take more than its ` +
      `${memory} bytes`,
  );
}

/** A batch of the stream, and the times and groups of its rows. */
interface ProbeBatch {
  readonly batch: Batch;
  readonly timed: TimedRows;
}

/** Yields the batches of the stream with their times, and releases each when the caller asks for the next. */
async function* probeBatches(
  bound: BoundAsOf,
  groups: Groups | null,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<ProbeBatch, void, void> {
  const reader = new SideReader(bound.probe, bound.form, groups);
  for await (const batch of input) {
    try {
      const timed = await readProbe(bound, reader, batch, context);
      if (groups !== null) checkGroups(groups, context);
      yield { batch, timed };
    } finally {
      batch.release();
    }
  }
}

/** Yields the rows of the stream with the columns that come out, on the host. */
async function* probeRows(
  bound: BoundAsOf,
  probe: AsyncIterable<ProbeBatch>,
  backend: Backend,
): AsyncGenerator<ProbeRows, void, void> {
  for await (const { batch, timed } of probe) {
    const columns = bound.columns.probed.map((place) => batch.columns[place]!.column);
    yield { timed, columns: await backend.download(columns) };
  }
}

/** Reads the times and groups of a batch of the stream, with a single download. */
async function readProbe(
  { probe: { time, by } }: BoundAsOf,
  reader: SideReader,
  batch: Batch,
  { backend }: StageContext,
): Promise<TimedRows> {
  const columns = [time, ...by].map((place) => batch.columns[place]!.column);
  const [ofTime, ...ofBy] = await backend.download(columns);
  try {
    return reader.read(ofTime!, ofBy, batch.numRows);
  } catch (error) {
    throw isSluiceError(error, "UnsortedError") ? new RowError(error.row, error) : error;
  }
}

async function* joinBatch(
  bound: BoundAsOf,
  build: AsOfBuild,
  { batch, timed }: ProbeBatch,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const output = new OutputRows(bound, batch, context);
  const parts = build.match(timed);
  let isDone = false;
  try {
    for (;;) {
      const next = parts.next();
      next.catch(() => {});
      if (output.numRows > 0 && !await isReadyWithin(next, WAIT_MS)) yield await output.take();
      const { done, value } = await next;
      if (done) break;
      for (const part of cutByBytes(value)) {
        if (!output.fits(part)) yield await output.take();
        await output.add(part);
      }
    }
    isDone = true;
    if (output.numRows > 0) yield await output.take();
  } finally {
    output.release();
    // A read may be pending.
    if (!isDone) await bound.build.cancel(context.signal.reason);
    await parts.return();
  }
}

/** Whether a promise settles within a time. A promise that has settled already does not wait. */
async function isReadyWithin(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), waitMs));
  try {
    return await Promise.race([promise.then(() => true, () => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
