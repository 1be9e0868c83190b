/**
 * How an operator divides its memory when its rows do not fit into it.
 *
 * @module
 */

/** The parts of the memory, in bytes. For a join, the rows are those of the build side. */
export interface SpillSizes {
  /** The most that tables and rows may occupy together. */
  readonly rows: number;
  /** The most that tables alone may occupy together: a device may have less memory. */
  readonly tables: number;
  /** The most that the rows of several partitions with one table occupy. */
  readonly group: number;
  /** The rows that are moved or probed at a time. */
  readonly block: number;
  /** One batch of a file. */
  readonly batch: number;
  /** The number of runs that are merged at a time. */
  readonly fanIn: number;
}

/** The number of partitions of rows that exceed memory: their size is not known in advance. */
export const FAN_OUT = 64;

/** Below these sizes the work for each batch would exceed that for its rows. */
const LEAST_BATCH = 16 << 10;
const LEAST_BLOCK = 64 << 10;
/** Larger ones would gain nothing. */
const MOST_BATCH = 256 << 10;
const MOST_BLOCK = 8 << 20;
/** Runs are open files, of which a process may have few. */
const MOST_RUNS = 128;

/**
 * Divides `memory` bytes: three quarters for tables and rows, an eighth for one batch of each partition,
 * and the rest for the rows that are moved. Some parts have a least size, 3 MiB in all.
 */
export function divideMemory(memory: number, maxTableBytes = Infinity): SpillSizes {
  const batch = clamp(memory / (8 * FAN_OUT), LEAST_BATCH, MOST_BATCH);
  return {
    rows: 0.75 * memory,
    tables: Math.min(0.75 * memory, maxTableBytes),
    group: 0.1 * memory,
    block: clamp(memory / 32, LEAST_BLOCK, MOST_BLOCK),
    batch,
    // A run has one batch in memory, which may be twice as large as this, and its copy.
    fanIn: clamp(memory / (8 * batch), 8, MOST_RUNS),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}
