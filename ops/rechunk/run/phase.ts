/**
 * The two phases in which a box is moved: all its chunks are read, then all are written. Within a
 * phase no chunk depends on another, so that threads may share them.
 *
 * @module
 */

import { type Box, chunkBox, chunksOver } from "../../../streams/chunks/grid.ts";
import { bringInput, bytesInBox, type MovingBox, writeOutput } from "./chunk_moves.ts";

/** What is to be done: plain data, which other threads get. */
export interface Phase {
  readonly kind: "read" | "write";
  /** The number of the pass. */
  readonly pass: number;
  readonly box: Box;
  /** Places of chunks that were written by an earlier run, and are not written again. */
  readonly there: readonly string[];
  /** Places of chunks that are missing from the input. */
  readonly missing: readonly string[];
}

/** The chunks of a phase, which are done in any order. */
export interface PhaseChunks {
  readonly numChunks: number;
  /** Reads or writes one of them. */
  move(number: number): Promise<MovedChunk>;
}

/** What became of a chunk. */
export interface MovedChunk {
  /** Bytes of its items in the box. */
  readonly bytes: number;
  /** Its place, where it is missing from the input. */
  readonly missing: string | undefined;
}

/** The chunks of a phase, for one who moves the box. */
export function phaseChunks(moving: MovingBox, phase: Phase): PhaseChunks {
  const { box, inputGrid, outputGrid } = moving;
  const grid = phase.kind === "read" ? inputGrid : outputGrid;
  const places = [...chunksOver(grid, box)];
  const there = new Set(phase.there);
  const missing = new Set(phase.missing);
  return {
    numChunks: places.length,
    async move(number) {
      const index = places[number]!;
      const place = index.join();
      const bytes = bytesInBox(moving, chunkBox(grid, index));
      if (phase.kind === "read") {
        return { bytes, missing: await bringInput(moving, index) ? undefined : place };
      }
      if (!there.has(place)) await writeOutput(moving, index, missing);
      return { bytes, missing: undefined };
    },
  };
}
