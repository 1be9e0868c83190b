/**
 * Divides the memory of an operator whose rows exceed it.
 *
 * @module
 */

/** The parts of the memory, in bytes. For a join, the rows are those of the build side. */
export interface SpillSizes {
  /** The limit for tables and rows together. */
  readonly rows: number;
  /** The limit for tables alone, since a device may have less memory. */
  readonly tables: number;
  /** The limit for the rows of several partitions that share a table. */
  readonly group: number;
  /** The size of the rows that are moved or probed at a time. */
  readonly block: number;
  /** The size of a batch of a file. */
  readonly batch: number;
  /** The number of runs that are merged at a time. */
  readonly fanIn: number;
}

/** The number of partitions of rows that exceed memory, whose size is not known in advance. */
export const FAN_OUT = 64;

/** The least sizes, below which the work for a batch exceeds that for its rows. */
const LEAST_BATCH = 16 << 10;
const LEAST_BLOCK = 64 << 10;
/** The greatest sizes, beyond which nothing is gained. */
const MOST_BATCH = 256 << 10;
const MOST_BLOCK = 8 << 20;
/** The greatest number of runs to merge at once, since a process may have few open files. */
const MOST_RUNS = 128;

/**
 * Divides `memory` bytes: three quarters for tables and rows, an eighth for one batch of each partition,
 * and the rest for rows in transit. Some parts have a least size, 3 MiB in all.
 */
export function divideMemory(memory: number, maxTableBytes = Infinity): SpillSizes {
  const batch = clamp(memory / (8 * FAN_OUT), LEAST_BATCH, MOST_BATCH);
  return {
    rows: 0.75 * memory,
    tables: Math.min(0.75 * memory, maxTableBytes),
    group: 0.1 * memory,
    block: clamp(memory / 32, LEAST_BLOCK, MOST_BLOCK),
    batch,
    // A run has one batch in memory, which may have twice this size, and its copy.
    fanIn: clamp(memory / (8 * batch), 8, MOST_RUNS),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}
