/**
 * The layout in which keys are compared: a 32-bit or 64-bit integer, or bytes.
 *
 * A single integer or text is its own key. Other keys are bytes, which are equal exactly for equal
 * keys. The types alone determine their layout:
 *
 *     [values of fixed width, in the order of the columns]
 *     [bits: bools, and whether a value is not null; padded to a whole byte]
 *     [texts and lists, all but the last one after its size in 32 bits]
 *
 * A struct is laid out as its fields, and a list as its items, each as a key with every text after
 * its size. Keys without text that fit 32 or 64 bits are integers with these bytes, little endian.
 *
 * @module
 */

import type { ColumnType } from "../column/column.ts";

/** The canonical type of a join key, to which both sides are widened before the comparison. */
export type KeyType =
  | { readonly kind: "int"; readonly bits: 32 | 64 }
  | { readonly kind: "string" };

/** The promoted type of one column of a key, to which the columns of both sides are widened. */
export type KeyPart = ColumnType;

/** The shape of the rows of a key. */
export interface RowShape {
  /** The bytes of all values of fixed width in a row. */
  readonly fixedBytes: number;
  /** The number of bools and of values that may be null. */
  readonly numBits: number;
  /** The number of texts and lists. */
  readonly numTexts: number;
}

/**
 * Returns the type of the key that `encodeKey` creates of these parts. With `nullsEqual`, keys of
 * several parts have bits for nulls.
 */
export function keyTypeOf(parts: readonly KeyPart[], nullsEqual: boolean): KeyType {
  const only = onlyPart(parts);
  if (only?.kind === "string") return { kind: "string" };
  if (only?.kind === "int") return { kind: "int", bits: only.bits === 64 ? 64 : 32 };
  const shape = shapeOf(parts, hasNullBits(parts, nullsEqual));
  const bits = intBits(shape);
  return bits === 0 ? { kind: "string" } : { kind: "int", bits };
}

/** Whether nulls of the parts are part of the key. If not, a null part makes the whole key null. */
export function hasNullBits(parts: readonly KeyPart[], nullsEqual: boolean): boolean {
  return nullsEqual && parts.length > 1;
}

/** Whether a column on the host or a device is itself the key of these parts. */
export function isOwnKey(parts: readonly KeyPart[], { kind }: ColumnType): boolean {
  const only = onlyPart(parts);
  return (kind === "int" || kind === "string") && only?.kind === kind;
}

/** Returns the only part of a key; undefined if it has several. */
function onlyPart(parts: readonly KeyPart[]): KeyPart | undefined {
  return parts.length === 1 ? parts[0] : undefined;
}

/**
 * Returns the shape of rows of these types; `nullable` says whether the values themselves may be
 * null.
 */
export function shapeOf(types: readonly ColumnType[], nullable: boolean): RowShape {
  let [fixedBytes, numBits, numTexts] = [0, 0, 0];
  for (const type of types) {
    if (nullable) numBits++;
    switch (type.kind) {
      case "bool":
        numBits++;
        break;
      case "string":
      case "list":
        numTexts++;
        break;
      case "struct": {
        const inner = shapeOf(type.fields, true);
        fixedBytes += inner.fixedBytes;
        numBits += inner.numBits;
        numTexts += inner.numTexts;
        break;
      }
      default:
        fixedBytes += keyBytes(type);
    }
  }
  return { fixedBytes, numBits, numTexts };
}

/** Returns the bytes of a value of fixed width in a key. */
export function keyBytes(type: ColumnType & { kind: "int" | "float" | "fixed" }): number {
  switch (type.kind) {
    case "int":
      return type.bits / 8;
    case "float":
      // Narrow floats are widened, so that zeros and NaNs have two widths, not three.
      return Math.max(type.bits, 32) / 8;
    case "fixed":
      return type.byteWidth;
  }
}

/** Returns the bytes before the texts of a row. */
export function headBytes({ fixedBytes, numBits }: RowShape): number {
  return fixedBytes + Math.ceil(numBits / 8);
}

/** Returns the bits of the integer that a row fits; 0 if it fits none. */
export function intBits(shape: RowShape): 0 | 32 | 64 {
  const bytes = headBytes(shape);
  if (shape.numTexts > 0 || bytes > 8) return 0;
  return bytes <= 4 ? 32 : 64;
}
