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

/** Where things lie: numbers of words of the control block and of the header of a slot, and sizes. */
export interface Layout {
  /** Control: changes with every offer. */
  readonly bell: number;
  /** Control: whether the worker is there. */
  readonly life: number;
  /** Control: not 0 when the worker is to leave. */
  readonly quit: number;
  /** Control: the state of the first slot. */
  readonly states: number;
  /** The states of a slot, as above. */
  readonly empty: number;
  readonly offered: number;
  readonly taken: number;
  readonly done: number;
  readonly failed: number;
  readonly unfit: number;
  /** The `life` of a worker that is running, and of one that has left; 0 before it started. */
  readonly here: number;
  readonly gone: number;
  readonly controlBytes: number;
  readonly numSlots: number;
  readonly slotBytes: number;
  /** Where a worker keeps the constants of a kernel of WebAssembly, and how many bytes. */
  readonly constantsAt: number;
  readonly constantsBytes: number;
  /** Bytes behind a text that such a kernel may write. */
  readonly roomBytes: number;
  /** Bytes of the header; of all other bytes it says where they are, from the start of the slot. */
  readonly headerBytes: number;
  /** Header: the number of the kernel, and where its definition lies, as JSON; 0 bytes if known. */
  readonly kernel: number;
  readonly definitionAt: number;
  readonly definitionBytes: number;
  /** Header: rows, arrays, and the parts of the result; 0 for those that do not exist. */
  readonly numRows: number;
  readonly numArrays: number;
  readonly resultType: number;
  readonly resultAt: number;
  readonly resultLength: number;
  readonly offsetsAt: number;
  readonly validityAt: number;
  /** Header, written by the worker: how many rows are null, and bytes of text. */
  readonly nulls: number;
  readonly size: number;
  /** Header: what the worker has to check of the text, as below. */
  readonly check: number;
  /**
   * Header: the first array, each with its type (a number of `arrayTypes`, or one of those below),
   * where it lies, its length, and what is to be subtracted from each item; of text, the position of
   * its first byte.
   */
  readonly arrays: number;
  /** What there is to check: nothing, that it is ASCII, that it is UTF-8. */
  readonly checks: { readonly none: number; readonly ascii: number; readonly utf8: number };
  /** The type of an array that is null, and of one that the definition of the kernel holds. */
  readonly nullArray: number;
  readonly constantArray: number;
  /** Names of typed arrays. */
  readonly arrayTypes: readonly string[];
  /** Kernels that a worker remembers. */
  readonly maxKernels: number;
  /** Milliseconds without work after which a worker leaves, and during which it polls before it sleeps. */
  readonly idleMs: number;
  readonly awakeMs: number;
}

/** The one layout. It travels to the worker, whose code imports nothing. */
export const layout: Layout = {
  bell: 0,
  life: 1,
  quit: 2,
  states: 16,
  empty: 0,
  offered: 1,
  taken: 2,
  done: 3,
  failed: 4,
  unfit: 5,
  here: 1,
  gone: 2,
  controlBytes: 256,
  numSlots: 8,
  slotBytes: 1 << 20,
  headerBytes: 512,
  kernel: 0,
  definitionAt: 1,
  definitionBytes: 2,
  numRows: 3,
  numArrays: 4,
  resultType: 5,
  resultAt: 6,
  resultLength: 7,
  offsetsAt: 8,
  validityAt: 9,
  nulls: 10,
  size: 11,
  check: 12,
  arrays: 16,
  checks: { none: 0, ascii: 1, utf8: 2 },
  nullArray: -1,
  constantArray: -2,
  constantsAt: 256 + 8 * (1 << 20),
  constantsBytes: 1 << 20,
  roomBytes: WASM_ROOM,
  arrayTypes: [
    "Uint8Array",
    "Int8Array",
    "Uint16Array",
    "Int16Array",
    "Int32Array",
    "Float16Array",
    "Float32Array",
    "Float64Array",
  ],
  maxKernels: 200,
  idleMs: 100,
  awakeMs: 0.05,
};

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
