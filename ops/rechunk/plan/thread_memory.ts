/**
 * Computes the number of threads that may move chunks of a run at once. Each takes memory of its own,
 * for decoding or encoding and for a chunk on its way to or from a box.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { boxLimit, type MemoryLimits } from "./fixed_memory.ts";
import type { Pass } from "./fixed_pass.ts";

/** The number of threads that read chunks of a box at once, and of those that write them. */
export interface PassThreads {
  readonly read: number;
  readonly write: number;
}

/** The threads of each pass, and the bytes of the arena for all of them. */
interface ThreadCounts {
  readonly passes: readonly PassThreads[];
  readonly arenaBytes: number;
}

/** The limits on threads. */
export interface ThreadLimits extends MemoryLimits {
  /** The greatest number of threads. */
  readonly most: number;
  /** The number of bytes of a box that justify one more thread; 0 for no minimum. */
  readonly leastBytes: number;
  /** Whether other threads can open the source; `canWrite`: the target. */
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

/**
 * Returns the greatest numbers of threads that fit into memory. Each phase in turn gets one more thread;
 * the last passes come first, since encoding takes most time. Every phase has at least one thread.
 */
export function countThreads(passes: readonly Pass[], limits: ThreadLimits): ThreadCounts {
  const most = passes.map((pass, number) => mostThreads(passes, pass, number, limits));
  const threads = passes.map(() => ({ read: 1, write: 1 }));
  const limit = boxLimit(limits);
  const fits = () => arenaBytes(passes, threads) + moreScratch(threads, limits) <= limit;
  for (let count = 2; count <= limits.most; count++) {
    for (let number = passes.length - 1; number >= 0; number--) {
      for (const phase of ["write", "read"] as const) {
        const own = threads[number]!;
        if (own[phase] !== count - 1 || most[number]![phase] < count) continue;
        own[phase] = count;
        if (!fits()) own[phase] = count - 1;
      }
    }
  }
  return { passes: threads, arenaBytes: arenaBytes(passes, threads) };
}

/** The share of the memory that a plan leaves for a second thread, if that needs no more. */
const reservedPart = 1 / 16;

/** Returns the bytes that a plan leaves for a second thread that reads, and for one that writes. */
export function reservedBytes({ source, target, maxMem }: MemoryLimits): number {
  const sides = [
    source.scratchBytes + product(source.grid.chunk) * source.itemBytes,
    target.scratchBytes + product(target.writeGrid.chunk) * target.itemBytes,
  ];
  return sides
    .filter((bytes) => bytes <= reservedPart * maxMem)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the numbers of threads that have work in a pass. */
function mostThreads(
  passes: readonly Pass[],
  { shape, itemBytes, box, input, output }: Pass,
  number: number,
  { most, leastBytes, canRead, canWrite }: ThreadLimits,
): PassThreads {
  const lengths = box.map((length, axis) => Math.min(length, shape[axis]!));
  const worthwhile = leastBytes === 0
    ? most
    : Math.min(most, 1 + Math.floor(product(lengths) * itemBytes / leastBytes));
  const chunksOf = (chunk: readonly number[]) =>
    product(lengths.map((length, axis) => Math.ceil(length / chunk[axis]!)));
  // Another thread would read a chunk that two boxes share a second time.
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

/** Returns the bytes of the arena; passes use the same memory for their boxes and stages in turn. */
function arenaBytes(passes: readonly Pass[], threads: readonly PassThreads[]): number {
  return Math.max(...passes.map(({ layout }, number) => {
    const { read, write } = threads[number]!;
    return layout.bufferedBytes + layout.stageBytes * (layout.buffered === "output" ? read : write);
  }));
}

/** Returns the memory of the codecs of all threads but the first. */
function moreScratch(
  threads: readonly PassThreads[],
  { source, target }: MemoryLimits,
): number {
  return (threads[0]!.read - 1) * source.scratchBytes +
    (threads.at(-1)!.write - 1) * target.scratchBytes;
}
