/**
 * Moves one box of a pass: reads the chunks that it lies in, and writes those that it consists of.
 *
 * @module
 */

import {
  type Box,
  boxShape,
  chunksOver,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { type ChunkMover, type MovingBox, movingBox, roomForOutput } from "./chunk_moves.ts";
import type { PassLanes } from "../plan/thread_memory.ts";
import type { Lanes } from "./lanes.ts";
import { phaseChunks, placesOver } from "./phase.ts";

/** A pass, and what it is between. */
export interface RunningPass extends ChunkMover {
  /** Which pass it is. */
  readonly number: number;
  /** Whether chunks may be there from an earlier run: they are not written again. */
  readonly mayHaveChunks: boolean;
  /** Whether chunks of which all items are missing are written too. */
  readonly writesMissing: boolean;
  readonly lanes: Lanes;
  /** How many of them may read, and write, at a time. */
  readonly counts: PassLanes;
  /** Called with the bytes of a box of items that was read or written, or did not have to be. */
  moved(bytes: number): void | Promise<void>;
}

/**
 * Moves a box. A chunk of which all items are missing is not written. Nothing is read where all chunks
 * were written before.
 */
export async function moveBox(running: RunningPass, box: Box): Promise<void> {
  const { number: pass, counts, lanes, moved, writesMissing } = running;
  const moving = movingBox(running, box);
  const there = running.mayHaveChunks ? await chunksThere(moving) : [];
  if (there.length === placesOver(moving.outputGrid, box).count) {
    return moved(2 * product(boxShape(box)) * running.pass.itemBytes);
  }
  const read = { kind: "read", pass, box, there, missing: [], writesMissing } as const;
  const missing = await lanes.run(read, {
    chunks: phaseChunks(moving, read),
    numLanes: counts.read,
    moved,
  });
  const write = { kind: "write", pass, box, there, missing, writesMissing } as const;
  await lanes.run(write, { chunks: phaseChunks(moving, write), numLanes: counts.write, moved });
}

/** The places of those chunks of a box that were written by an earlier run. */
async function chunksThere(moving: MovingBox): Promise<string[]> {
  const there: string[] = [];
  for (const index of chunksOver(moving.outputGrid, moving.box)) {
    if (await moving.output.hasChunk(index, roomForOutput(moving, index))) there.push(index.join());
  }
  return there;
}
