/**
 * How a join divides its memory when the build side does not fit into it.
 *
 * @module
 */

import type { KeyType } from "../../gpu/backend.ts";

/** The parts of the memory of a join, in bytes. */
export interface SpillSizes {
  /** The most that tables and rows of the build side may occupy together. */
  readonly rows: number;
  /** The most that the tables alone may occupy together, where a device has less memory. */
  readonly tables: number;
  /** The rows of several partitions that have one table. */
  readonly group: number;
  /** The rows that are moved or probed at a time. */
  readonly block: number;
  /** One piece of a file. */
  readonly piece: number;
  /** How many runs are merged at once. */
  readonly fanIn: number;
}

/** Partitions of a build side that exceeds memory: its size is not known in advance. */
export const FAN_OUT = 64;

/** Below these sizes the work for each piece would be more than that for its rows. */
const LEAST_PIECE = 16 << 10;
const LEAST_BLOCK = 64 << 10;
/** Above these sizes nothing is gained. */
const MOST_PIECE = 256 << 10;
const MOST_BLOCK = 8 << 20;
/** Runs are open files, of which a process may have few. */
const MOST_RUNS = 128;

/**
 * Divides `memory` bytes: three quarters for the build side, an eighth for one piece of each
 * partition, and the rest for the rows under way. Some parts have a least size, 3 MiB in all.
 */
export function divideMemory(memory: number, maxTableBytes = Infinity): SpillSizes {
  const piece = clamp(memory / (8 * FAN_OUT), LEAST_PIECE, MOST_PIECE);
  return {
    rows: 0.75 * memory,
    tables: Math.min(0.75 * memory, maxTableBytes),
    group: 0.1 * memory,
    block: clamp(memory / 32, LEAST_BLOCK, MOST_BLOCK),
    piece,
    // A run has one piece in memory, which may be twice as large as asked for, and its copy.
    fanIn: clamp(memory / (8 * piece), 8, MOST_RUNS),
  };
}

/** About the bytes of the index of a join table, at most: slots, and the rows of each key. */
export function indexBytes(numRows: number, keyType: KeyType): number {
  const slotBytes = keyType.kind === "int" && keyType.bits === 32 ? 8 : 16;
  const numSlots = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * numRows)));
  return numSlots * slotBytes + 13 * numRows;
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}
