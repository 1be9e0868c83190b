/**
 * The memory that two threads share: a control block, and slots. Each slot holds one part of a batch:
 * what is to be done with it, and its result.
 *
 * Slot `s` is in one of six states, which the word `states + s` of the control block holds. Each
 * transition is one atomic operation, and only the owner of a slot touches its memory:
 *
 *     EMPTY --main fills it--> OFFERED --worker, compareExchange--> TAKEN --worker--> DONE, UNFIT
 *       ^                         |                                                   or FAILED
 *       +---main, compareExchange-+-------------------main, when it has read it----------+
 *
 * Main owns it while it is EMPTY, DONE, UNFIT or FAILED, the worker while it is TAKEN, and neither
 * while it is OFFERED. UNFIT is a part that a worker cannot do as it was offered: the result is larger
 * than the slot, or the kernel was forgotten. FAILED is an error of the kernel. The main thread gets
 * the same error when it computes the part; if not, there is a bug.
 *
 * @module
 */

import { WASM_ROOM } from "../../kernel/emit/host/calling_convention.ts";

const controlBytes = 256;
const numSlots = 8;
const slotBytes = 1 << 20;

/** Where things lie: numbers of words of the control block and of the header of a slot, and sizes. */
export const layout = Object.freeze({
  /** Control: changes with every offer. */
  bell: 0,
  /** Control: the life of the worker. */
  life: 1,
  /** Control: not 0 when the worker is to leave. */
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
  /** Where a worker keeps the constants of a kernel of WebAssembly, and how many bytes. */
  constantsAt: controlBytes + numSlots * slotBytes,
  constantsBytes: 1 << 20,
  /** Bytes behind a text that such a kernel may write. */
  roomBytes: WASM_ROOM,
  /** Bytes of the header; of all other bytes it says where they are, from the start of the slot. */
  headerBytes: 512,
  /** Header: the number of the kernel, and where its definition lies, as JSON; 0 bytes if known. */
  kernel: 0,
  definitionAt: 1,
  definitionBytes: 2,
  /** Header: rows, arrays, and the parts of the result; 0 for those that do not exist. */
  numRows: 3,
  numArrays: 4,
  resultType: 5,
  resultAt: 6,
  resultLength: 7,
  offsetsAt: 8,
  validityAt: 9,
  /** Header, written by the worker: the number of rows that are null, and of bytes of text. */
  nulls: 10,
  size: 11,
  /** Header: what the worker has to check of the text, as below. */
  check: 12,
  /**
   * Header: the first array, each with its type (a number of `arrayTypes`, or one of those below),
   * where it lies, its length, and what is to be subtracted from each item; of text, the position of
   * its first byte.
   */
  arrays: 16,
  /** What there is to check: nothing, that it is ASCII, that it is UTF-8. */
  checks: { none: 0, ascii: 1, utf8: 2 },
  /** The type of an array that is null, and of one that the definition of the kernel holds. */
  nullArray: -1,
  constantArray: -2,
  /** Names of typed arrays. */
  arrayTypes: [
    ...["Uint8Array", "Int8Array", "Uint16Array", "Int16Array", "Int32Array"],
    ...["Float16Array", "Float32Array", "Float64Array"],
  ],
  /** Kernels that a worker remembers. */
  maxKernels: 200,
  /** Milliseconds without work after which a worker leaves, and during which it polls before it sleeps. */
  idleMs: 100,
  awakeMs: 0.05,
});

/** Arrays that a header has room for. */
export const MAX_ARRAYS = (layout.headerBytes / 4 - layout.arrays) / 4;

/** Bytes that a worker shares with the main thread, whole pages of WebAssembly. */
export const SHARED_BYTES = roundUp(
  layout.constantsAt + layout.constantsBytes + WASM_ROOM,
  1 << 16,
);

function roundUp(size: number, unit: number): number {
  return Math.ceil(size / unit) * unit;
}
