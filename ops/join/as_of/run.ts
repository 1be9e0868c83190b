/**
 * The run of an as-of join: batches of the stream in, batches of the result out.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { RowError } from "../../engine/step_error.ts";
import { checkMemory, GroupedBuild } from "./grouped_build.ts";
import type { AsOfBuild } from "./matched_rows.ts";
import { cutByBytes, OutputRows } from "./output_rows.ts";
import { StreamedBuild } from "./streamed_build.ts";
import { Groups, SideReader, type TimedRows, UnsortedError } from "./sides.ts";
import type { BoundAsOf } from "./bound.ts";

// Captured, so that fake timers of a program do not replace them.
const { setTimeout, clearTimeout } = globalThis;

/** How long rows that are matched wait for more of the build side, to come out in one batch. */
const WAIT_MS = 5;

/**
 * Joins each batch of `input`, in order, and cancels the build side when it ends or its signal is
 * aborted. Rows that are known do not wait for a slow build side.
 */
export async function* joinAsOf(
  bound: BoundAsOf,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { signal } = context;
  if (signal.aborted) return;
  const cancel = () => bound.build.cancel(signal.reason);
  // A read of the build side may be under way that nothing else would end.
  signal.addEventListener("abort", cancel, { once: true });
  const request = { computed: new Map(), columns: bound.read };
  const batches = bound.build.batches(request, signal);
  try {
    const groups = bound.parts.length === 0 ? null : new Groups(bound.parts);
    const build = groups === null
      ? new StreamedBuild(bound, batches, signal)
      : await GroupedBuild.read(bound, groups, batches, context);
    if (build === undefined) return;
    const reader = new SideReader(bound.probe, bound.form, groups);
    for await (const batch of input) {
      try {
        const probe = await readProbe(bound, reader, batch, context);
        if (groups !== null) {
          checkMemory("the groups", groups.numBytes + reader.numBytes, context.memory);
        }
        yield* joinBatch(bound, build, batch, probe, context);
        if (signal.aborted) return;
      } finally {
        batch.release();
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    await bound.build.cancel(signal.reason);
    await batches.return();
  }
}

/** The times and groups of a batch of the stream, downloaded in one wait. */
async function readProbe(
  { probe: { time, by } }: BoundAsOf,
  reader: SideReader,
  batch: Batch,
  { backend }: StageContext,
): Promise<TimedRows> {
  const columns = [time, ...by].map((place) => batch.columns[place]!.column);
  const [ofTime, ...ofBy] = await backend.download(columns);
  try {
    return reader.read(ofTime!, ofBy, batch);
  } catch (error) {
    throw error instanceof UnsortedError ? new RowError(error.row, error) : error;
  }
}

async function* joinBatch(
  bound: BoundAsOf,
  build: AsOfBuild,
  batch: Batch,
  probe: TimedRows,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const output = new OutputRows(bound, batch, context);
  const parts = build.match(probe);
  try {
    for (;;) {
      const next = parts.next();
      next.catch(() => {});
      if (output.numRows > 0 && !await isReadyWithin(next, WAIT_MS)) yield await output.take();
      const { done, value } = await next;
      if (done) break;
      for (const part of cutByBytes(value)) {
        if (!output.hasRoomFor(part)) yield await output.take();
        await output.add(part);
      }
    }
    if (output.numRows > 0) yield await output.take();
  } finally {
    output.release();
    // What is under way ends, as the build side was cancelled if this is no end of the batch.
    await parts.return();
  }
}

/** Whether a promise settles within a time; fulfilled at once where it is settled already. */
async function isReadyWithin(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), waitMs));
  try {
    return await Promise.race([promise.then(() => true, () => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
