/**
 * The type that both keys of a join are promoted to, or the error that says why there is none.
 *
 * Two types have a promoted type only if it tells all values of both apart. The result depends on
 * the two types alone: not on the data, not on the side.
 *
 * @module
 */

import {
  DataType,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from "apache-arrow";
import type { KeyType } from "../../gpu/backend.ts";
import { isBinary, isText, typeName } from "../batch/arrow_types.ts";

/** What both keys become before they are compared. */
interface KeyPromotion {
  /** The promoted type; keys that are text are `Utf8`, in whichever layout they come. */
  readonly type: DataType;
  /** What the hash table holds. */
  readonly keyType: KeyType;
}

/** Names of the key columns. */
interface KeyNames {
  readonly left: string;
  readonly right: string;
}

const INTEGERS = {
  int8: new Int8(),
  int16: new Int16(),
  int32: new Int32(),
  int64: new Int64(),
  uint8: new Uint8(),
  uint16: new Uint16(),
  uint32: new Uint32(),
  uint64: new Uint64(),
} as const;

type IntegerName = keyof typeof INTEGERS;

/** Marks two types that have no type in common. */
const NONE = null;

// deno-fmt-ignore
const PROMOTED: Readonly<Record<IntegerName, readonly (IntegerName | null)[]>> = {
  //        int8     int16    int32    int64    uint8     uint16    uint32    uint64
  int8:   ["int8",  "int16", "int32", "int64", "int16",  "int32",  "int64",  NONE],
  int16:  ["int16", "int16", "int32", "int64", "int16",  "int32",  "int64",  NONE],
  int32:  ["int32", "int32", "int32", "int64", "int32",  "int32",  "int64",  NONE],
  int64:  ["int64", "int64", "int64", "int64", "int64",  "int64",  "int64",  NONE],
  uint8:  ["int16", "int16", "int32", "int64", "uint8",  "uint16", "uint32", "uint64"],
  uint16: ["int32", "int32", "int32", "int64", "uint16", "uint16", "uint32", "uint64"],
  uint32: ["int64", "int64", "int64", "int64", "uint32", "uint32", "uint32", "uint64"],
  uint64: [NONE,    NONE,    NONE,    NONE,    "uint64", "uint64", "uint64", "uint64"],
};

/** Floats from the narrowest on. */
const FLOATS = [new Float16(), new Float32(), new Float64()] as const;

/**
 * The promotion of the two keys of a join, by their Arrow types; dictionaries count as their
 * values.
 *
 * Raises a TypeError where the types have nothing in common, which names the columns, the types
 * and a cast that would help, and where keys of the promoted type cannot be joined yet.
 */
export function promoteKeys(left: DataType, right: DataType, names: KeyNames): KeyPromotion {
  const promoted = commonType(valuesOf(left), valuesOf(right));
  const on = names.left === names.right ? names.left : `${names.left}=${names.right}`;
  if (promoted === null) {
    throw new TypeError(
      `Cannot join on ${on}: no common type for ${typeName(left)} and ${typeName(right)}; ` +
        `cast one side${castThatHelps(valuesOf(left), valuesOf(right))}`,
    );
  }
  const keyType = keyTypeOf(promoted);
  if (keyType === null) {
    throw new TypeError(`Cannot join on ${on}: ${typeName(promoted)} keys are not supported yet`);
  }
  return { type: promoted, keyType };
}

function valuesOf(type: DataType): DataType {
  return DataType.isDictionary(type) ? type.dictionary : type;
}

/** The promoted type of two types; null where there is none. */
function commonType(left: DataType, right: DataType): DataType | null {
  if (DataType.isInt(left) && DataType.isInt(right)) {
    const column = Object.keys(INTEGERS).indexOf(integerName(right));
    const name = PROMOTED[integerName(left)][column] ?? NONE;
    return name === NONE ? null : INTEGERS[name];
  }
  if (DataType.isFloat(left) && DataType.isFloat(right)) {
    return FLOATS[Math.max(left.precision, right.precision)]!;
  }
  if (isText(left) && isText(right)) return new Utf8();
  if (isBinary(left) && isBinary(right)) return left;
  // Any other type is joined with its equal only: the same unit, zone, precision and scale.
  return left.typeId === right.typeId && String(left) === String(right) ? left : null;
}

function integerName(type: DataType): IntegerName {
  return String(type).toLowerCase() as IntegerName;
}

/** What the hash table holds for keys of a promoted type; null where it has no form for them. */
function keyTypeOf(type: DataType): KeyType | null {
  if (isText(type) || isBinary(type)) return { kind: "string" };
  if (DataType.isInt(type)) return { kind: "int", bits: type.bitWidth === 64 ? 64 : 32 };
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return { kind: "int", bits: 64 };
  if (DataType.isDate(type)) return { kind: "int", bits: type.unit === 0 ? 32 : 64 };
  if (DataType.isTime(type)) return { kind: "int", bits: type.bitWidth };
  return null;
}

/**
 * The side to cast and its new type, as the end of a sentence: `, such as the right one to int64`.
 * The side of the type that holds less becomes the other; of two that hold the same, the right.
 * Empty where one side is of a type that nothing casts to.
 */
function castThatHelps(left: DataType, right: DataType): string {
  const leftExtent = extent(left);
  const rightExtent = extent(right);
  if (leftExtent === 0 || rightExtent === 0) return "";
  return leftExtent < rightExtent
    ? `, such as the left one to ${typeName(right)}`
    : `, such as the right one to ${typeName(left)}`;
}

/**
 * Orders types by what they can hold; 0 for those without an order. A float stands below the
 * integers of 64 bits, which it does not tell apart above 2^53, and text above everything, since
 * every value can be written as text.
 */
function extent(type: DataType): number {
  if (isText(type)) return 9;
  if (isBinary(type)) return 8;
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return 7 + type.unit / 10;
  if (DataType.isDate(type) || DataType.isTime(type)) return 6 + type.unit / 10;
  if (DataType.isDecimal(type)) return 5;
  if (DataType.isInt(type)) return type.bitWidth === 64 ? 4 : 2;
  if (DataType.isFloat(type)) return 3;
  return DataType.isBool(type) ? 1 : 0;
}
