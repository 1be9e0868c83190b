/**
 * Moves one box of a pass: reads the input chunks that overlap it, and writes its output chunks.
 *
 * @module
 */

import {
  type Box,
  boxShape,
  chunksOver,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { type ChunkMover, type MovingBox, movingBox, outputMemory } from "./chunk_moves.ts";
import type { PassThreads } from "../plan/thread_memory.ts";
import type { RunThreads } from "./run_threads.ts";
import { phaseChunks, placesOver } from "./phase.ts";

/** A pass, its input and its output. */
export interface RunningPass extends ChunkMover {
  /** The index of the pass. */
  readonly number: number;
  /** Whether an earlier run may have written chunks, which are not written again. */
  readonly mayHaveChunks: boolean;
  /** Whether to write chunks whose items are all missing. */
  readonly writesMissing: boolean;
  readonly threads: RunThreads;
  /** The number of threads that may read, and that may write. */
  readonly counts: PassThreads;
  /** Called with the number of bytes that were read or written, or did not have to be. */
  moved(bytes: number): void | Promise<void>;
}

/**
 * Moves a box. Chunks whose items are all missing are written only where `writesMissing`. Nothing is
 * read where an earlier run wrote all chunks.
 */
export async function moveBox(running: RunningPass, box: Box): Promise<void> {
  const { number: pass, counts, threads, moved, writesMissing } = running;
  const moving = movingBox(running, box);
  const there = running.mayHaveChunks ? await chunksThere(moving) : [];
  if (there.length === placesOver(moving.outputGrid, box).count) {
    return moved(2 * product(boxShape(box)) * running.pass.itemBytes);
  }
  const read = { kind: "read", pass, box, there, missing: [], writesMissing } as const;
  const missing = await threads.run(read, {
    chunks: phaseChunks(moving, read),
    numThreads: counts.read,
    moved,
  });
  const write = { kind: "write", pass, box, there, missing, writesMissing } as const;
  await threads.run(write, { chunks: phaseChunks(moving, write), numThreads: counts.write, moved });
}

/** Returns the indices of the chunks of a box that an earlier run wrote. */
async function chunksThere(moving: MovingBox): Promise<string[]> {
  const there: string[] = [];
  for (const index of chunksOver(moving.outputGrid, moving.box)) {
    if (await moving.output.hasChunk(index, outputMemory(moving, index))) there.push(index.join());
  }
  return there;
}
