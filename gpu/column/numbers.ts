/**
 * Views the values of columns of numbers as typed arrays over their bytes.
 *
 * @module
 */

import { type ColumnType, viewAs } from "./column.ts";

/** A type of integers. */
export type IntType = ColumnType & { readonly kind: "int" };

/** A type of floats. */
export type FloatType = ColumnType & { readonly kind: "float" };

/** Integers of at most 32 bits. */
export type NarrowInts =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** Floats of any width. */
export type Floats = Float16Array | Float32Array | Float64Array;

/** Views bytes as integers of a type. Throws a TypeError for a type of 64 bits. */
export function intsIn({ bits, signed }: IntType, data: Uint8Array): NarrowInts {
  switch (bits) {
    case 8:
      return signed ? viewAs(Int8Array, data) : data;
    case 16:
      return signed ? viewAs(Int16Array, data) : viewAs(Uint16Array, data);
    case 32:
      return signed ? viewAs(Int32Array, data) : viewAs(Uint32Array, data);
    default:
      throw new TypeError("Integers of 64 bits are pairs of words");
  }
}

/** Views bytes as floats of a type. */
export function floatsIn({ bits }: FloatType, data: Uint8Array): Floats {
  switch (bits) {
    case 16:
      return viewAs(Float16Array, data);
    case 32:
      return viewAs(Float32Array, data);
    default:
      return viewAs(Float64Array, data);
  }
}

/** Views bytes as numbers of a type. Throws a TypeError for integers of 64 bits. */
export function numbersIn(type: IntType | FloatType, data: Uint8Array): NarrowInts | Floats {
  return type.kind === "int" ? intsIn(type, data) : floatsIn(type, data);
}
