/**
 * Runs a plan of rechunking.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../../../streams/chunks/grid.ts";
import type { ZarrReader, ZarrWriter } from "../../../streams/zarr/zarr_array.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { Arena } from "./arena.ts";
import { checkMemory } from "./memory.ts";
import { moveBox } from "./move_box.ts";
import { boxBytes, type Pass, passesOf } from "./pass.ts";
import { PieceStore } from "./piece_store.ts";

/** How far a run has come. */
export interface RechunkProgress {
  /** The pass that runs, counted from 1: each reads and writes the whole array. */
  readonly stage: number;
  /** One more than the plan has intermediate stores. */
  readonly numStages: number;
  /** Bytes of items read and written so far by all passes, and those of the whole run. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What is rechunked, and how. */
export interface RechunkRun {
  readonly source: ZarrReader;
  /** An array of the same shape and type. */
  readonly target: ZarrWriter;
  readonly plan: RechunkPlan;
  /** Bytes that boxes, chunks and codecs take at most. */
  readonly maxMem: number;
  /** The folder for intermediate stores, for this run alone: it is created, and removed at the end. */
  readonly temp: string;
  readonly onProgress?: (progress: RechunkProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Moves the items of an array to the chunks of another: pass by pass, and box by box within a pass.
 * Chunks of which all items are missing stay missing.
 */
export async function runRechunk(run: RechunkRun): Promise<void> {
  const { source, target, plan, temp, signal } = run;
  checkSameItems(source, target);
  const { itemBytes } = source;
  const passes = passesOf(plan, { source: source.grid, target: target.writeGrid, itemBytes });
  checkMemory(passes, run);
  const fill = boxBytes(passes);
  using arena = new Arena(fill + itemBytes);
  arena.bytes.set(source.fill, fill);
  const stores = passes.slice(0, -1).map(({ shape, output: chunk }, pass) =>
    new PieceStore(`${temp}/store-${pass + 1}`, { grid: { shape, chunk }, array: source })
  );
  const moved = progressOf(run, passes);
  for (const [number, pass] of passes.entries()) {
    const input = stores[number - 1] ?? source;
    const output = stores[number] ?? target;
    const running = {
      ...{ pass, input, output, arena, fill, mayHaveChunks: false },
      moved: (bytes: number) => {
        moved(number + 1, bytes);
        return turnOfOthers();
      },
    };
    const boxes = { shape: pass.shape, chunk: pass.box };
    for (const index of allChunks(boxes)) {
      await moveBox(running, chunkBox(boxes, index));
      signal?.throwIfAborted();
    }
    stores[number - 1]?.remove();
  }
  if (stores.length > 0) Deno.removeSync(temp);
}

function progressOf({ onProgress }: RechunkRun, passes: readonly Pass[]) {
  const [{ shape, itemBytes }] = passes as [Pass];
  const totalBytes = 2 * passes.length * product(shape) * itemBytes;
  let bytes = 0;
  return (stage: number, moved: number) => {
    bytes += moved;
    onProgress?.({ stage, numStages: passes.length, bytes, totalBytes });
  };
}

function checkSameItems(source: ZarrReader, target: ZarrWriter): void {
  const isSame = source.grid.shape.join() === target.grid.shape.join() &&
    source.dataType === target.dataType && source.itemBytes === target.itemBytes &&
    source.fill.join() === target.fill.join();
  if (isSame) return;
  throw new RangeError(
    `${target.name}: has another shape, type or fill value than ${source.name}`,
  );
}
