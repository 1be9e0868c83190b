/** @module */

import type { HostColumn } from "../../column.ts";
import type { KernelPieces } from "../row_kernel.ts";
import { layout } from "./layout.ts";
import { type NumberArray, partArray, type Rows } from "./part_array.ts";
import type { KernelDefinition } from "./worker_main.ts";

/** A kernel over the columns of a batch. */
export interface SplitWork {
  readonly pieces: KernelPieces;
  /** The number by which workers know the kernel, and what it is. */
  readonly number: number;
  readonly definition: Uint8Array;
  readonly columns: readonly HostColumn[];
  /** The arrays of the kernel for all rows. */
  readonly arrays: readonly (NumberArray | null)[];
  readonly numRows: number;
  /** The array for the result of fixed width, over all rows; null for text. */
  readonly result: NumberArray | null;
}

/** Bytes between the parts of a slot, so that each can lie where its source does. */
const SPACE = 16;

/**
 * Copies what a worker needs for some rows into a slot, `bytes`, after its definition where the
 * worker does not know the kernel. False where there is no room for it and `textBytes` of result.
 *
 * Copies between shared memory and other memory are slow (a byte at a time) unless both lie at the
 * same place in words of 8 bytes, so that is where they are put.
 */
export function fillSlot(
  bytes: Uint8Array,
  work: SplitWork,
  rows: Rows,
  isKnown: boolean,
  textBytes: number,
): boolean {
  const { pieces: { kernel, emitted }, columns, arrays, result } = work;
  const header = new Int32Array(bytes.buffer, bytes.byteOffset, layout.headerBytes / 4);
  const count = rows.stop - rows.start;
  let used = layout.headerBytes;
  /** A place for some bytes, as far into a word as `like` is; whether there is room shows later. */
  const place = (size: number, like = 0) => {
    const at = used + (like & 7);
    used = (at + size + SPACE) & ~7;
    return at;
  };
  const copy = (from: NumberArray): number => {
    const at = place(from.byteLength, from.byteOffset);
    if (at + from.byteLength <= bytes.length) bytes.set(bytesOf(from), at);
    return at;
  };
  header[layout.kernel] = work.number;
  header[layout.numRows] = count;
  header[layout.numArrays] = arrays.length;
  const definition = isKnown ? new Uint8Array(0) : work.definition;
  header[layout.definitionBytes] = definition.length;
  header[layout.definitionAt] = copy(definition);
  emitted.arrays.forEach((wanted, index) => {
    const set = (type: number, at: number, length: number, base: number) =>
      header.set([type, at, length, base], layout.arrays + 4 * index);
    if (wanted.array === "literals" || wanted.array === "table") {
      return set(layout.constantArray, 0, 0, 0);
    }
    const column = columns[wanted.column];
    const part = partArray(wanted, column?.type, arrays[index] ?? null, rows, work.numRows);
    if (part === null) return set(layout.nullArray, 0, 0, 0);
    const offsets = column?.offsets ?? null;
    if (wanted.array === "data" && offsets !== null) {
      const text = part.subarray(offsets[rows.start], offsets[rows.stop]);
      return set(typeOf(text), copy(text), text.length, 0);
    }
    const base = wanted.array === "offsets" ? part[0] ?? 0 : 0;
    set(typeOf(part), copy(part), part.length, base);
  });
  header[layout.offsetsAt] = result === null ? place(4 * (count + 1)) : 0;
  header[layout.validityAt] = kernel.canBeNull ? place((count + 7) >> 3) : 0;
  if (result === null) {
    header[layout.resultType] = 0;
    header[layout.resultAt] = place(0);
    header[layout.resultLength] = Math.max(0, bytes.length - used);
    return used + textBytes <= bytes.length;
  }
  const part = resultOf(work, rows, result);
  header[layout.resultType] = typeOf(part);
  header[layout.resultAt] = place(part.byteLength);
  header[layout.resultLength] = part.length;
  return used <= bytes.length;
}

/** The part of a result of fixed width for some rows. */
export function resultOf(
  { pieces: { kernel }, numRows }: SplitWork,
  { start, stop }: Rows,
  result: NumberArray,
): NumberArray {
  if (kernel.type.kind === "bool") return result.subarray(start >> 3, (stop + 7) >> 3);
  const width = result.length / numRows;
  return result.subarray(start * width, stop * width);
}

/** The bytes of an array. */
export function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function typeOf(array: NumberArray): number {
  return layout.arrayTypes.indexOf(array.constructor.name);
}

/** What a worker needs to know of a kernel, and what tells kernels apart. */
export function definitionOf(
  pieces: KernelPieces,
  arrays: readonly (NumberArray | null)[],
): string {
  const { parameters, fixed, body } = pieces.emitted;
  const constants = pieces.emitted.arrays.map(({ array }, index) => {
    const numbers = arrays[index];
    if (array !== "literals" && array !== "table" || numbers == null) return null;
    return [numbers.constructor.name, [...numbers]] as const;
  });
  const definition: KernelDefinition = { parameters, fixed, body, constants };
  return JSON.stringify(definition);
}
