/**
 * The memory that two threads share: a control block, and slots. A slot has one part of a batch:
 * its input, and its result.
 *
 * The word `states + s` of the control block is the state of slot `s`. Each transition is one
 * atomic operation, and only the owner of a slot touches its memory:
 *
 *     EMPTY --main fills it--> OFFERED --worker, compareExchange--> TAKEN --worker--> DONE, UNFIT
 *       ^                         |                                                   or FAILED
 *       +---main, compareExchange-+-------------------main, when it has read it----------+
 *
 * The main thread owns a slot that is EMPTY, DONE, UNFIT or FAILED, the worker one that is TAKEN,
 * and neither one that is OFFERED. UNFIT is a part that the worker cannot compute as offered: the
 * result exceeds the slot, or the worker has forgotten the kernel. FAILED is an error of the
 * kernel. The main thread gets the same error when it computes the part; if not, there is a bug.
 *
 * @module
 */

import { WASM_ROOM } from "../../kernel/emit/host/calling_convention.ts";

const controlBytes = 256;
const numSlots = 8;
const slotBytes = 1 << 20;

/** Indices of words in the control block and in the header of a slot, and sizes. */
export const layout = Object.freeze({
  /** Control: changes with every offer. */
  bell: 0,
  /** Control: the life of the worker. */
  life: 1,
  /** Control: not 0 if the worker has to leave. */
  quit: 3,
  /** Control: the state of the first slot. */
  states: 16,
  /** The states of a slot, as above. */
  empty: 0,
  offered: 1,
  taken: 2,
  done: 3,
  failed: 4,
  unfit: 5,
  controlBytes,
  numSlots,
  slotBytes,
  /** The place and the bytes of the constants of a WebAssembly kernel. */
  constantsAt: controlBytes + numSlots * slotBytes,
  constantsBytes: 1 << 20,
  /** The bytes after a text that such a kernel may write. */
  roomBytes: WASM_ROOM,
  /**
   * The bytes of the header, which has the places of everything else, from the start of the slot.
   */
  headerBytes: 512,
  /**
   * Header: the number of the kernel, and the place of its definition as JSON; 0 bytes if known.
   */
  kernel: 0,
  definitionAt: 1,
  definitionBytes: 2,
  /** Header: rows, arrays, and the parts of the result; 0 for those that it does not have. */
  numRows: 3,
  numArrays: 4,
  resultType: 5,
  resultAt: 6,
  resultLength: 7,
  offsetsAt: 8,
  validityAt: 9,
  /** Header, written by the worker: the number of null rows, and the bytes of text. */
  nulls: 10,
  size: 11,
  /** Header: the check of the text, as below. */
  check: 12,
  /**
   * Header: the first array. Each has its type (an index of `arrayTypes`, or one of those below),
   * its place, its length, and a number to subtract from each item; for text, that is the position
   * of its first byte.
   */
  arrays: 16,
  /** The checks: nothing, that text is ASCII, that it is UTF-8. */
  checks: { none: 0, ascii: 1, utf8: 2 },
  /** The type of an array that is null, and of one that is in the definition of the kernel. */
  nullArray: -1,
  constantArray: -2,
  /** The names of typed arrays. */
  arrayTypes: [
    ...["Uint8Array", "Int8Array", "Uint16Array", "Int16Array", "Int32Array"],
    ...["Float16Array", "Float32Array", "Float64Array"],
  ],
  /** The number of kernels that a worker remembers. */
  maxKernels: 200,
  /**
   * The milliseconds without work after which a worker leaves, and those during which it polls
   * before it sleeps.
   */
  idleMs: 100,
  awakeMs: 0.05,
});

/** The most arrays in a header. */
export const MAX_ARRAYS = (layout.headerBytes / 4 - layout.arrays) / 4;

/** The bytes that a worker shares with the main thread, whole pages of WebAssembly. */
export const SHARED_BYTES = roundUp(
  layout.constantsAt + layout.constantsBytes + WASM_ROOM,
  1 << 16,
);

function roundUp(size: number, unit: number): number {
  return Math.ceil(size / unit) * unit;
}
