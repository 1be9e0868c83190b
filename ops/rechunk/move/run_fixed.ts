/**
 * Runs a plan over an array whose items have a fixed size: boxes lie in one memory, which threads share.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";
import { chooseThreads } from "../../../base/settings/settings.ts";
import { canStart, defaultThreads } from "../../../base/threads/thread.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import { Arena } from "./arena.ts";
import { Journal, storePath } from "../store/journal.ts";
import { type LaneLimits, lanesOf } from "../plan/thread_memory.ts";
import { pieceSide, sideOf } from "./lane_sides.ts";
import { laneProgram } from "./lane_worker.ts";
import { Lanes } from "./lanes.ts";
import { boxLimit, checkMemory } from "../plan/fixed_memory.ts";
import { moveBox, type RunningPass } from "./move_box.ts";
import type { RechunkRun } from "./rechunk_run.ts";
import { checkSameItems, folderOf, runPasses } from "./run_passes.ts";
import { type Pass, passesOf } from "../plan/fixed_pass.ts";
import { FixedStore } from "../store/fixed_store.ts";

/** A run over arrays whose items have a fixed size. */
export interface FixedRun extends RechunkRun {
  readonly source: FixedReader;
  readonly target: FixedWriter;
}

/** Bytes that all passes move together, from which on workers are worth their start. */
const LEAST_RUN_BYTES = 64 << 20;
/** Bytes of a box for which it is worth to tell one worker more of it. */
const LEAST_BOX_BYTES = 256 << 10;

/**
 * Moves the items of an array to the chunks of another: pass by pass, and box by box within a pass.
 * Chunks of which all items are missing stay missing, and padding becomes fill values.
 *
 * Boxes lie in one arena, which threads share. It and what their codecs take have at most `maxMem`
 * bytes; the process has 96 MiB more at its peak, which are Deno, the code, and what the collector has
 * not freed yet, and 24 MiB for each worker: 54 to 71 and 16 to 30 MiB together were measured, on a
 * machine that had seven times as much to do as it could. Codecs leave nothing to the collector: it
 * would let 50 MiB of buffers be in each thread.
 *
 * Throws a RangeError for a plan that does not fit the arrays or the memory, a FileError for files,
 * and the reason of `signal`, within the time of a chunk. All leave whole chunks, with which a run of
 * the same arrays and plan goes on that has `resume` set.
 */
export async function runFixed(run: FixedRun): Promise<void> {
  const { source, target, plan, resume = false, isDurable = false } = run;
  run.signal?.throwIfAborted();
  checkSameItems(source, target);
  const { itemBytes } = source;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes };
  const passes = passesOf(plan, ends, boxLimit(run));
  checkMemory(passes, run);
  const pieces = passes.slice(0, -1).map(({ shape, output: chunk }, pass) =>
    pieceSide(storePath(folderOf(run), pass), source, { grid: { shape, chunk }, isDurable })
  );
  const stores = pieces.map((side) => new FixedStore(side.path, side));
  const journal = run.temp === undefined
    ? undefined
    : new Journal({ ...run, temp: run.temp, resume });
  const sides = [sideOf(source), ...pieces, sideOf(target)];
  const { arenaBytes: fill, passes: counts } = lanesOf(passes, {
    ...run,
    ...threadsOf(run, passes),
    canRead: sides[0] !== undefined,
    canWrite: sides.at(-1) !== undefined,
  });
  const isShared = counts.some(({ read, write }) => read > 1 || write > 1);
  using arena = Arena.of(fill + itemBytes, { isShared });
  arena.bytes.set(source.fill, fill);
  let moved = progressOf(run, passes, 0);
  using lanes = new Lanes({
    setup: { memory: arena.memory, passes, sides, fill, isDurable },
    waits: run.threads !== undefined,
    onFiles: ({ bytesRead, bytesWritten }) => {
      source.addBytesRead?.(bytesRead);
      target.addBytesWritten?.(bytesWritten);
    },
  });
  await runPasses({
    ...{ target, stores, journal, resume, isDurable },
    room: arena.bytes.subarray(0, product(target.grid.chunk) * target.itemBytes),
    begin: (firstPass) => moved = progressOf(run, passes, firstPass),
    runPass: async (number, { mayHaveChunks }) => {
      await movePass({
        ...{ number, pass: passes[number]!, arena, fill, lanes, counts: counts[number]! },
        ...{ lane: 0, staged: { index: undefined, isThere: false }, mayHaveChunks },
        writesMissing: run.writesMissing === true && number === stores.length,
        input: stores[number - 1] ?? source,
        output: stores[number] ?? target,
        moved: (bytes) => moved(number + 1, bytes),
      });
      if (number < stores.length) run.onStored?.(product(source.grid.shape) * itemBytes);
    },
  });
}

/** Threads that may work, and the bytes of a box that are worth one more. */
function threadsOf(
  { threads }: FixedRun,
  passes: readonly Pass[],
): Pick<LaneLimits, "most" | "leastBytes"> {
  const most = chooseThreads(threads) ?? defaultThreads();
  const [{ shape, itemBytes }] = passes as [Pass];
  const isSmall = passes.length * product(shape) * itemBytes < LEAST_RUN_BYTES;
  const isAlone = most === 1 || (isSmall && threads === undefined) || !canStart(laneProgram);
  return { most: isAlone ? 1 : most, leastBytes: threads === undefined ? LEAST_BOX_BYTES : 0 };
}

async function movePass(running: RunningPass): Promise<void> {
  const { shape, box } = running.pass;
  const boxes = { shape, chunk: box };
  for (const index of allChunks(boxes)) await moveBox(running, chunkBox(boxes, index));
}

/** Returns a function that takes a pass and the bytes that it moved, and lets other tasks run. */
function progressOf(
  { onProgress, signal }: FixedRun,
  passes: readonly Pass[],
  firstPass: number,
) {
  const [{ shape, itemBytes }] = passes as [Pass];
  const passBytes = 2 * product(shape) * itemBytes;
  const [numStages, totalBytes] = [passes.length, passes.length * passBytes];
  let bytes = firstPass * passBytes;
  return async (stage: number, moved: number) => {
    bytes += moved;
    onProgress?.({ stage, numStages, bytes, totalBytes });
    await turnOfOthers();
    signal?.throwIfAborted();
  };
}
