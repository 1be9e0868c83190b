/**
 * The two phases of a box: all its input chunks are read, then all output chunks are written. Within
 * a phase no chunk depends on another, so that threads can share them.
 *
 * @module
 */

import {
  type Box,
  chunkBox,
  type Grid,
  placeAt,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { bringInput, bytesInBox, type MovingBox, writeOutput } from "./chunk_moves.ts";

/** The work of a phase, as plain data for other threads. */
export interface Phase {
  readonly kind: "read" | "write";
  /** The number of the pass. */
  readonly pass: number;
  readonly box: Box;
  /** The indices of chunks that an earlier run wrote, which are not written again. */
  readonly there: readonly string[];
  /** The indices of chunks that are missing from the input. */
  readonly missing: readonly string[];
  /** Whether to write chunks whose items are all missing. */
  readonly writesMissing: boolean;
}

/** The chunks of a phase, which may be moved in any order. */
export interface PhaseChunks {
  readonly numChunks: number;
  /** Reads or writes one of them. */
  move(number: number): Promise<MovedChunk>;
  /** Makes all chunks visible that this thread has written. */
  finish(): Promise<void>;
}

/** The result for one chunk. */
export interface MovedChunk {
  /** The number of bytes of its items in the box. */
  readonly bytes: number;
  /** The index of the chunk, where it is missing from the input. */
  readonly missing: string | undefined;
}

/** Returns the chunks of a phase for a thread that moves the box. */
export function phaseChunks(moving: MovingBox, phase: Phase): PhaseChunks {
  const { box, inputGrid, outputGrid } = moving;
  const grid = phase.kind === "read" ? inputGrid : outputGrid;
  const places = placesOver(grid, box);
  const there = new Set(phase.there);
  const missing = new Set(phase.missing);
  return {
    numChunks: places.count,
    async move(number) {
      const index = places.at(number);
      const place = index.join();
      const bytes = bytesInBox(moving, chunkBox(grid, index));
      if (phase.kind === "read") {
        return { bytes, missing: await bringInput(moving, index) ? undefined : place };
      }
      if (!there.has(place)) {
        await writeOutput(moving, index, { missing, writesMissing: phase.writesMissing });
      }
      return { bytes, missing: undefined };
    },
    async finish() {
      if (phase.kind === "write") await moving.output.flush?.();
    },
  };
}

/** Returns the indices of the chunks that overlap a box, by number, since a list could be large. */
export function placesOver(
  { chunk }: Grid,
  { start, stop }: Box,
): { readonly count: number; at(number: number): number[] } {
  const first = start.map((at, axis) => Math.floor(at / chunk[axis]!));
  const counts = stop.map((at, axis) =>
    at > start[axis]! ? Math.ceil(at / chunk[axis]!) - first[axis]! : 0
  );
  return {
    count: product(counts),
    at: (number) => placeAt(number, counts).map((place, axis) => first[axis]! + place),
  };
}
