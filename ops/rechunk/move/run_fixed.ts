/**
 * Runs a plan over an array whose items have a fixed size. Boxes lie in one memory, which threads
 * share.
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
import { countThreads, type ThreadLimits } from "../plan/thread_memory.ts";
import { arraySide, storeSide } from "./side_info.ts";
import { threadProgram } from "./run_thread.ts";
import { RunThreads } from "./run_threads.ts";
import { boxLimit, checkMemory } from "../plan/fixed_memory.ts";
import { moveBox, type RunningPass } from "./move_box.ts";
import type { RechunkRun } from "./rechunk_run.ts";
import { checkSameItems, folderOf, runPasses } from "./run_passes.ts";
import { type Pass, passesOf } from "../plan/fixed_pass.ts";
import { FixedStore } from "../store/fixed_store.ts";

/** A run over arrays whose items have a fixed size. */
interface FixedRun extends RechunkRun {
  readonly source: FixedReader;
  readonly target: FixedWriter;
}

/** The least number of bytes, moved by all passes together, for which workers are started. */
const LEAST_RUN_BYTES = 64 << 20;
/** The number of bytes of a box for which one more worker is worth its messages. */
const LEAST_BOX_BYTES = 256 << 10;

/**
 * Moves the items of an array to the chunks of another: pass by pass, and box by box within a pass.
 * Chunks whose items are all missing stay missing, unless `writesMissing`, and padding becomes fill
 * values.
 *
 * Boxes lie in one arena, which threads share. The arena and the codecs take at most `maxMem` bytes.
 * At its peak, the process takes 96 MiB more for Deno, the code and uncollected garbage, and 24 MiB
 * for each worker; on a machine with seven times its load, 54 to 71 and 16 to 30 MiB were measured.
 * Codecs leave no garbage, since the collector would tolerate 50 MiB of buffers in each thread.
 *
 * Throws a RangeError for a plan that does not fit the arrays or the memory, a FileError for files,
 * and the reason of `signal`, within the time of a chunk. After each of these, all chunks on disk are
 * complete, and a run of the same arrays and plan with `resume` continues from them.
 */
export async function runFixed(run: FixedRun): Promise<void> {
  const { source, target, plan, resume = false, isDurable = false } = run;
  run.signal?.throwIfAborted();
  checkSameItems(source, target);
  const { itemBytes } = source;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes };
  const passes = passesOf(plan, ends, boxLimit(run));
  checkMemory(passes, run);
  const storeSides = passes.slice(0, -1).map(({ shape, output: chunk }, pass) =>
    storeSide(storePath(folderOf(run), pass), source, { grid: { shape, chunk }, isDurable })
  );
  const stores = storeSides.map((side) => new FixedStore(side.path, side));
  const journal = run.temp === undefined
    ? undefined
    : new Journal({ ...run, temp: run.temp, resume });
  const sides = [arraySide(source), ...storeSides, arraySide(target)];
  const { arenaBytes: fill, passes: counts } = countThreads(passes, {
    ...run,
    ...threadsOf(run, passes),
    canRead: sides[0] !== undefined,
    canWrite: sides.at(-1) !== undefined,
  });
  const isShared = counts.some(({ read, write }) => read > 1 || write > 1);
  using arena = Arena.of(fill + itemBytes, { isShared });
  arena.bytes.set(source.fill, fill);
  let moved = progressOf(run, passes, 0);
  using threads = new RunThreads({
    setup: { memory: arena.memory, passes, sides, fill, isDurable },
    waits: run.threads !== undefined,
    onFiles: ({ bytesRead, bytesWritten }) => {
      source.addBytesRead?.(bytesRead);
      target.addBytesWritten?.(bytesWritten);
    },
  });
  await runPasses({
    ...{ target, stores, journal, resume, isDurable },
    scratch: arena.bytes.subarray(0, product(target.grid.chunk) * target.itemBytes),
    begin: (firstPass) => moved = progressOf(run, passes, firstPass),
    runPass: async (number, { mayHaveChunks }) => {
      await movePass({
        ...{ number, pass: passes[number]!, arena, fill, threads, counts: counts[number]! },
        ...{ thread: 0, staged: { index: undefined, isThere: false }, mayHaveChunks },
        writesMissing: run.writesMissing === true && number === stores.length,
        input: stores[number - 1] ?? source,
        output: stores[number] ?? target,
        moved: (bytes) => moved(number + 1, bytes),
      });
      if (number < stores.length) run.onStored?.(product(source.grid.shape) * itemBytes);
    },
  });
}

/** Returns the greatest number of threads, and the bytes of a box that justify one more. */
function threadsOf(
  { threads }: FixedRun,
  passes: readonly Pass[],
): Pick<ThreadLimits, "most" | "leastBytes"> {
  const most = chooseThreads(threads) ?? defaultThreads();
  const [{ shape, itemBytes }] = passes as [Pass];
  const isSmall = passes.length * product(shape) * itemBytes < LEAST_RUN_BYTES;
  const isAlone = most === 1 || (isSmall && threads === undefined) || !canStart(threadProgram);
  return { most: isAlone ? 1 : most, leastBytes: threads === undefined ? LEAST_BOX_BYTES : 0 };
}

async function movePass(running: RunningPass): Promise<void> {
  const { shape, box } = running.pass;
  const boxes = { shape, chunk: box };
  for (const index of allChunks(boxes)) await moveBox(running, chunkBox(boxes, index));
}

/** Returns a function that reports the bytes that a pass moved, and yields to other tasks. */
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
