/**
 * How many threads may move chunks of a run at a time. Each takes memory of its own: for what it
 * decodes or encodes, and for a chunk on its way to or from a box.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { boxLimit, type MemoryLimits } from "./fixed_memory.ts";
import type { Pass } from "./fixed_pass.ts";

/** Threads that read chunks of a box at a time, and that write them. */
export interface PassLanes {
  readonly read: number;
  readonly write: number;
}

/** Threads by their passes, and the bytes of the arena in which all have their places. */
export interface RunLanes {
  readonly passes: readonly PassLanes[];
  readonly arenaBytes: number;
}

/** The limits on threads. */
export interface LaneLimits extends MemoryLimits {
  /** Threads that there are. */
  readonly most: number;
  /** Bytes of a box that are worth one thread more; 0 for any. */
  readonly leastBytes: number;
  /** Whether other threads can open the array that is read, and the one that is written. */
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

/**
 * As many threads as the memory has room for, one more for each phase in turn; the last passes first,
 * since it takes most to encode. One thread for each is always there.
 */
export function lanesOf(passes: readonly Pass[], limits: LaneLimits): RunLanes {
  const most = passes.map((pass, number) => mostLanes(passes, pass, number, limits));
  const lanes = passes.map(() => ({ read: 1, write: 1 }));
  const limit = boxLimit(limits);
  const fits = () => arenaBytes(passes, lanes) + moreScratch(lanes, limits) <= limit;
  for (let count = 2; count <= limits.most; count++) {
    for (let number = passes.length - 1; number >= 0; number--) {
      for (const phase of ["write", "read"] as const) {
        const own = lanes[number]!;
        if (own[phase] !== count - 1 || most[number]![phase] < count) continue;
        own[phase] = count;
        if (!fits()) own[phase] = count - 1;
      }
    }
  }
  return { passes: lanes, arenaBytes: arenaBytes(passes, lanes) };
}

/** A plan leaves this part of the memory for a second thread, if that needs no more. */
const reservedPart = 1 / 16;

/** Bytes that a plan leaves for a second thread that writes, and for one that reads. */
export function reservedBytes({ source, target, maxMem }: MemoryLimits): number {
  const sides = [
    source.scratchBytes + product(source.grid.chunk) * source.itemBytes,
    target.scratchBytes + product(target.writeGrid.chunk) * target.itemBytes,
  ];
  return sides
    .filter((bytes) => bytes <= reservedPart * maxMem)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Threads that have something to do, in passes of one box after the other. */
function mostLanes(
  passes: readonly Pass[],
  { shape, itemBytes, box, input, output }: Pass,
  number: number,
  { most, leastBytes, canRead, canWrite }: LaneLimits,
): PassLanes {
  const lengths = box.map((length, axis) => Math.min(length, shape[axis]!));
  const worthwhile = leastBytes === 0
    ? most
    : Math.min(most, 1 + Math.floor(product(lengths) * itemBytes / leastBytes));
  const chunksOf = (chunk: readonly number[]) =>
    product(lengths.map((length, axis) => Math.ceil(length / chunk[axis]!)));
  // A chunk that two boxes share is read again by another thread.
  const isCut = lengths.some((length, axis) =>
    length < shape[axis]! && length % input[axis]! !== 0
  );
  const reads = chunksOf(input);
  const readers = number === 0 && !canRead ? 1 : Math.min(worthwhile, isCut ? reads >> 1 : reads);
  const writers = number === passes.length - 1 && !canWrite
    ? 1
    : Math.min(worthwhile, chunksOf(output));
  return { read: Math.max(1, readers), write: writers };
}

/** One pass after the other has its boxes and stages in the same place. */
function arenaBytes(passes: readonly Pass[], lanes: readonly PassLanes[]): number {
  return Math.max(...passes.map(({ layout }, number) => {
    const { read, write } = lanes[number]!;
    return layout.heldBytes + layout.stageBytes * (layout.held === "output" ? read : write);
  }));
}

/** Returns the memory of the codecs of all threads but the first. */
function moreScratch(
  lanes: readonly PassLanes[],
  { source, target }: MemoryLimits,
): number {
  return (lanes[0]!.read - 1) * source.scratchBytes +
    (lanes.at(-1)!.write - 1) * target.scratchBytes;
}
