/**
 * Runs a plan of rechunking.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { ZarrReader, ZarrWriter } from "../../../streams/formats/zarr/items/zarr_array.ts";
import { chooseThreads } from "../../../base/settings.ts";
import { defaultThreads } from "../../../base/threads/thread.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { Arena } from "./arena.ts";
import { Journal, storePath } from "../store/journal.ts";
import { type LaneLimits, lanesOf } from "../plan/lane_memory.ts";
import { pieceSide, sideOf } from "./lane_sides.ts";
import { canStartWorkers } from "./lane_worker.ts";
import { Lanes } from "./lanes.ts";
import { boxLimit, checkMemory } from "../plan/memory.ts";
import { moveBox, type RunningPass } from "./move_box.ts";
import { type Pass, passesOf } from "../plan/pass.ts";
import { PieceStore } from "../store/piece_store.ts";

/** How far a run has come. */
export interface RechunkProgress {
  /** The pass that runs, counted from 1: each reads and writes the whole array. */
  readonly stage: number;
  /** One more than the plan has intermediate stores. */
  readonly numStages: number;
  /** Bytes of items that all passes have read and written so far; what was there counts too. */
  readonly bytes: number;
  /** Those of the whole run. */
  readonly totalBytes: number;
}

/** What is rechunked, and how. */
export interface RechunkRun {
  readonly source: ZarrReader;
  /** An array of the same shape, type and fill value. Without `resume` it has no chunks. */
  readonly target: ZarrWriter;
  readonly plan: RechunkPlan;
  /** Bytes that boxes, chunks and codecs take at most. */
  readonly maxMem: number;
  /**
   * The folder for intermediate stores and the journal, for this run alone. It is created, gone at the
   * end, and stays when the run fails. A plan without stages needs none: it keeps a journal where one
   * is given.
   */
  readonly temp?: string;
  /**
   * Goes on with a run that ended in the middle, if there is one: chunks that are there are not
   * written again.
   */
  readonly resume?: boolean;
  /**
   * Whether what is complete has to survive the end of the machine: the journal then says so only
   * after it is on the disk.
   */
  readonly isDurable?: boolean;
  /**
   * Threads that share each box, this one included, as far as `maxMem` has room for them. Default: the
   * environment variable `SLUICE_THREADS`, else one for each processor, at most 8; workers begin when
   * they have started, and there are none for less than 64 MiB of items.
   */
  readonly threads?: number;
  /** Called after each chunk. */
  readonly onProgress?: (progress: RechunkProgress) => void;
  readonly signal?: AbortSignal;
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
export async function runRechunk(run: RechunkRun): Promise<void> {
  const { source, target, plan, resume = false } = run;
  run.signal?.throwIfAborted();
  checkSameItems(source, target);
  const { itemBytes } = source;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes };
  const passes = passesOf(plan, ends, boxLimit(run));
  checkMemory(passes, run);
  const pieces = passes.slice(0, -1).map(({ shape, output: chunk }, pass) =>
    pieceSide(storePath(folderOf(run), pass), { shape, chunk }, source)
  );
  const stores = pieces.map((side) => new PieceStore(side.path, side));
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
  const isThere = resume && journal?.isResumed !== true && await isComplete(target, arena);
  const firstPass = isThere ? passes.length : journal?.passesDone ?? 0;
  const moved = progressOf(run, passes, firstPass);
  using lanes = new Lanes({
    setup: { memory: arena.memory, passes, sides, fill },
    waits: run.threads !== undefined,
    onFiles: ({ bytesRead, bytesWritten }) => {
      source.addBytesRead?.(bytesRead);
      target.addBytesWritten?.(bytesWritten);
    },
  });
  // A run may have ended before it removed what it had read for the last time.
  for (const store of stores.slice(0, Math.max(0, firstPass - 1))) store.remove();
  for (const [number, pass] of passes.entries()) {
    if (number < firstPass) continue;
    const output = stores[number];
    const wasBegun = number === firstPass && journal?.isResumed === true;
    output?.create({ mayBeThere: wasBegun });
    stores[number - 1]?.check();
    await runPass({
      ...{ number, pass, arena, fill, lanes, counts: counts[number]! },
      ...{ lane: 0, staged: { index: undefined, isThere: false } },
      input: stores[number - 1] ?? source,
      output: output ?? target,
      mayHaveChunks: wasBegun || (output === undefined && resume),
      moved: (bytes) => moved(number + 1, bytes),
    });
    if (run.isDurable === true) await (output ?? target).sync?.();
    journal?.passDone();
    stores[number - 1]?.remove();
  }
  // Its metadata may have been written once more.
  if (run.isDurable === true && firstPass === passes.length) await target.sync?.();
  stores.at(-1)?.remove();
  journal?.remove();
}

/** Threads that may work, and the bytes of a box that are worth one more. */
function threadsOf(
  { threads }: RechunkRun,
  passes: readonly Pass[],
): Pick<LaneLimits, "most" | "leastBytes"> {
  const most = chooseThreads(threads) ?? defaultThreads();
  const [{ shape, itemBytes }] = passes as [Pass];
  const isSmall = passes.length * product(shape) * itemBytes < LEAST_RUN_BYTES;
  const isAlone = most === 1 || (isSmall && threads === undefined) || !canStartWorkers();
  return { most: isAlone ? 1 : most, leastBytes: threads === undefined ? LEAST_BOX_BYTES : 0 };
}

async function runPass(running: RunningPass): Promise<void> {
  const { shape, box } = running.pass;
  const boxes = { shape, chunk: box };
  for (const index of allChunks(boxes)) await moveBox(running, chunkBox(boxes, index));
}

/** Whether all chunks of an array are there. Nothing lies in the memory yet. */
async function isComplete(target: ZarrWriter, { bytes }: Arena): Promise<boolean> {
  const room = bytes.subarray(0, product(target.grid.chunk) * target.itemBytes);
  for (const index of allChunks(target.writeGrid)) {
    if (!await target.hasChunk(index, room)) return false;
  }
  return true;
}

/** Gives a function to call with the pass and the bytes that it has moved: it lets others run too. */
function progressOf(
  { onProgress, signal }: RechunkRun,
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

/** The folder that a plan with stages needs. */
function folderOf({ temp }: RechunkRun): string {
  if (temp === undefined) throw new RangeError("A plan with stages needs a folder for them");
  return temp;
}

function checkSameItems(source: ZarrReader, target: ZarrWriter): void {
  const isSame = source.grid.shape.join() === target.grid.shape.join() &&
    source.dataType === target.dataType && source.itemBytes === target.itemBytes &&
    source.fill.join() === target.fill.join();
  if (isSame) return;
  throw new RangeError(`${target.name}: has another shape, type or fill value than ${source.name}`);
}
