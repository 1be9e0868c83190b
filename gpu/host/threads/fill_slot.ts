/**
 * Copies one part of a batch, and the definition of its kernel, into the memory that a worker
 * shares.
 *
 * @module
 */

import { ZEROS_BEFORE, ZEROS_BEHIND } from "../../wasm/utf8_functions.ts";
import { wasmModule } from "../../kernel/emit/wasm/emit.ts";
import type { CompiledRows } from "../kernels/compiled_kernel.ts";
import { type KernelWork, partsOf } from "../kernels/kernel_work.ts";
import {
  bytesOf,
  isTextOf,
  type NumberArray,
  offsetsIndex,
  type Rows,
} from "../kernels/kernel_arrays.ts";
import { layout } from "./layout.ts";
import type { KernelDefinition } from "./worker_kernel.ts";

/** A kernel over the columns of a batch, as workers know it. */
export interface SplitWork extends KernelWork {
  /** The number by which workers know the kernel, and its definition. */
  readonly number: number;
  readonly definition: Uint8Array;
}

/** The requirements of a part besides its rows. */
interface SlotNeeds {
  /** Whether the worker knows the kernel. */
  readonly isKnown: boolean;
  /** The expected bytes of text. */
  readonly textBytes: number;
  /** The place for values of fixed width; null for text. */
  readonly values: NumberArray | null;
}

/** Spare bytes between the arrays of a slot, so that each can have the alignment of its source. */
const SPACE = 16;

/**
 * Copies the input of some rows into a slot, `bytes`, with the definition of the kernel if the
 * worker does not know it. Returns false if that, and `textBytes` of result, do not fit.
 *
 * Copies between shared and other memory go byte by byte unless both begin at the same place in a
 * word of 8 bytes, so arrays are placed like that.
 */
export function fillSlot(
  bytes: Uint8Array,
  work: SplitWork,
  rows: Rows,
  { isKnown, textBytes, values }: SlotNeeds,
): boolean {
  const { code: { ir, convention }, columns } = work;
  const parts = partsOf(work, rows);
  const header = new Int32Array(bytes.buffer, bytes.byteOffset, layout.headerBytes / 4);
  const count = rows.stop - rows.start;
  let used: number = layout.headerBytes;
  /** Reserves bytes as far into a word as `like` is. Whether they fit is checked at the end. */
  const place = (size: number, like = 0) => {
    const at = used + (like & 7);
    used = (at + size + SPACE) & ~7;
    return at;
  };
  const copy = (from: NumberArray, before = 0, behind = 0): number => {
    const at = place(before + from.byteLength + behind, from.byteOffset) + before;
    if (at + from.byteLength <= bytes.length) bytes.set(bytesOf(from), at);
    return at;
  };
  header[layout.kernel] = work.number;
  header[layout.numRows] = count;
  header[layout.check] = layout.checks[work.check];
  header[layout.numArrays] = parts.length;
  const definition = isKnown ? new Uint8Array(0) : work.definition;
  header[layout.definitionBytes] = definition.length;
  header[layout.definitionAt] = copy(definition);
  convention.arrays.forEach((wanted, index) => {
    const set = (type: number, at: number, length: number, base: number) =>
      header.set([type, at, length, base], layout.arrays + 4 * index);
    if (wanted.array === "literals" || wanted.array === "table") {
      return set(layout.constantArray, 0, 0, 0);
    }
    const column = columns[wanted.column];
    const part = parts[index] ?? null;
    if (part === null) return set(layout.nullArray, 0, 0, 0);
    const offsets = column?.offsets ?? null;
    if (wanted.array === "data" && offsets !== null) {
      const text = part.subarray(offsets[rows.start], offsets[rows.stop]);
      const at = copy(text, ...(work.check === "utf8" ? [ZEROS_BEFORE, ZEROS_BEHIND] : []));
      return set(typeOf(text), at, text.length, offsets[rows.start] ?? 0);
    }
    const base = wanted.array === "offsets" ? part[0] ?? 0 : 0;
    set(typeOf(part), copy(part), part.length, base);
  });
  header[layout.offsetsAt] = values === null ? place(4 * (count + 1)) : 0;
  header[layout.validityAt] = ir.canBeNull ? place((count + 7) >> 3) : 0;
  if (values === null) {
    header[layout.resultType] = 0;
    header[layout.resultAt] = place(0);
    header[layout.resultLength] = Math.max(0, bytes.length - used);
    return used + textBytes + layout.roomBytes <= bytes.length;
  }
  header[layout.resultType] = typeOf(values);
  header[layout.resultAt] = place(values.byteLength);
  header[layout.resultLength] = values.length;
  return used <= bytes.length;
}

function typeOf(array: NumberArray): number {
  return layout.arrayTypes.indexOf(array.constructor.name);
}

/** Returns the definition of a kernel for workers; it also tells kernels apart. */
export function definitionOf(
  code: CompiledRows,
  arrays: readonly (NumberArray | null)[],
): string {
  const { wasm, ir, convention } = code;
  const { fixed, arrays: wanted } = convention;
  const constants = wanted.map(({ array }, index) => {
    const numbers = arrays[index];
    if (array !== "literals" && array !== "table" || numbers == null) return null;
    return [numbers.constructor.name, [...numbers]] as const;
  });
  const definition: KernelDefinition = {
    ...(wasm === null
      ? { ...code.script, fixed, wasm: "" }
      : { parameters: [], fixed: [], body: "", wasm: base64Of(wasmModule(wasm, true)) }),
    scratchWords: ir.scratchWords ?? 0,
    isText: wanted.map((array) => isTextOf(ir, array)),
    offsetsOf: wanted.map((array) =>
      isTextOf(ir, array) ? offsetsIndex(convention, array.column) : -1
    ),
    constants,
  };
  return JSON.stringify(definition);
}

/** Encodes bytes in base64, for the message to a worker. */
function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
