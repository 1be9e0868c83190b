/**
 * The promoted types of the keys of a join, or the error for keys without one.
 *
 * Two types have a promoted type only if it distinguishes all values of both. The result depends on the
 * two types alone, and not on the data, the side, or the kind of join.
 *
 * @module
 */

import { DataType, Decimal, Field, Float16, Float32, Float64, Int64 } from "apache-arrow";
import type { KeyPart } from "../../../gpu/key/key_layout.ts";
import { withChildren } from "../../../streams/data/schema_fixes.ts";
import { plainType } from "../../../streams/data/plain_schema.ts";
import { columnTypeOf, typeName } from "../../batch/arrow_types.ts";
import { commonInteger } from "../../expr/common_type.ts";
import { typeName as exactName } from "../../../streams/types/type_name.ts";
import {
  decimalDigits,
  decimalType,
  type Digits,
  heldDigits,
  wholeDigits,
} from "../../syntax/decimal_type.ts";
import { castThatHelps } from "./cast_that_helps.ts";

/** One side of a pair of keys. */
export interface KeySide {
  /** The key as an expression; for a column, its name. */
  readonly text: string;
  readonly type: DataType;
}

/** Two keys that are compared. */
export interface KeyPair {
  readonly left: KeySide;
  readonly right: KeySide;
}

/** The types that are promoted: those of the matrix, or with `lossless` small integers and floats too. */
export type PromoteMode = "exact" | "lossless";

/** The types in which the keys of both sides are compared, one for each pair. */
interface KeyPromotion {
  /** The promoted types. Text in any layout is `Utf8`, and a dictionary has the type of its values. */
  readonly types: readonly DataType[];
  /** The promoted types as column types. */
  readonly parts: readonly KeyPart[];
}

/**
 * Promotes each pair of keys. With `lossless` it also promotes integers of up to 32 bits and floats to a
 * float that holds both. That is not associative: in another order, three tables may have another type, or
 * none.
 *
 * Throws a TypeError for two types without a common type, which names the keys, their types and a cast
 * that helps.
 */
export function promoteKeys(
  pairs: readonly KeyPair[],
  mode: PromoteMode = "exact",
): KeyPromotion {
  const types = pairs.map((pair) => promotePair(pair, mode));
  return { types, parts: types.map(columnTypeOf) };
}

function promotePair({ left, right }: KeyPair, mode: PromoteMode): DataType {
  const types = [plainType(left.type), plainType(right.type)] as const;
  const promoted = commonKeyType(...types, mode);
  if (promoted !== null) return promoted;
  const on = left.text === right.text ? left.text : `${left.text}=${right.text}`;
  const [one, other] = namesOf(left.type, right.type);
  const cast = castThatHelps(
    { text: left.text, type: types[0] },
    { text: right.text, type: types[1] },
  );
  const hint = cast === undefined
    ? ""
    : `; cast one side, such as the ${cast.side} one: ${cast.text}`;
  throw new TypeError(`Cannot join on ${on}: no common type for ${one} and ${other}${hint}`);
}

/** Returns distinct names of two types, even if they differ only by the case of a name in them. */
function namesOf(left: DataType, right: DataType): [string, string] {
  const names = [typeName(left), typeName(right)] as [string, string];
  return names[0] === names[1] ? [exactName(left), exactName(right)] : names;
}

/** Returns the promoted type of two plain types; null if there is none. */
function commonKeyType(
  left: DataType,
  right: DataType,
  mode: PromoteMode,
): DataType | null {
  const decimal = commonDecimal(left, right);
  if (decimal !== undefined) return decimal;
  if (DataType.isInt(left) && DataType.isInt(right)) return commonInteger(left, right) ?? null;
  if (DataType.isFloat(left) && DataType.isFloat(right)) {
    return FLOATS[Math.max(left.precision, right.precision)]!;
  }
  if (mode === "lossless") {
    if (DataType.isInt(left) && DataType.isFloat(right)) return floatFor(left, right);
    if (DataType.isFloat(left) && DataType.isInt(right)) return floatFor(right, left);
  }
  return equalType(left, right);
}

/**
 * Returns the decimal that holds a decimal and an integer, or two decimals of different digits; undefined
 * for other types, and where it had more than 38 digits. All integers count as int64, so that three keys
 * meet in one type in any order, and a uint64 meets none, as it meets no int64.
 */
function commonDecimal(left: DataType, right: DataType): DataType | undefined {
  const [a, b] = [keyDigits(left), keyDigits(right)];
  if (a === undefined || b === undefined) return undefined;
  if (DataType.isInt(left) && DataType.isInt(right)) return undefined;
  if (DataType.isDecimal(left) && DataType.isDecimal(right) && isSameDigits(a, b)) return undefined;
  const digits = heldDigits(a, b);
  if (digits === undefined) return undefined;
  const bits = [left, right].map((type) => DataType.isDecimal(type) ? type.bitWidth : 0);
  return new Decimal(digits.scale, digits.precision, Math.max(128, ...bits));
}

function keyDigits(type: DataType): Digits | undefined {
  if (!DataType.isInt(type)) return decimalDigits(type);
  return type.isSigned || type.bitWidth < 64 ? wholeDigits(new Int64()) : undefined;
}

/**
 * Returns the type to which a key of a type is cast before it is widened to the promoted type: that is a
 * decimal, and the key one with other digits, or an integer. Undefined where it is not cast.
 */
export function decimalOfKey(type: DataType, promoted: DataType): DataType | undefined {
  const [own, wanted] = [wholeDigits(plainType(type)), decimalDigits(promoted)];
  if (own === undefined || wanted === undefined) return undefined;
  const isSame = DataType.isDecimal(plainType(type)) && isSameDigits(own, wanted);
  return isSame ? undefined : decimalType(wanted);
}

function isSameDigits(a: Digits, b: Digits): boolean {
  return a.precision === b.precision && a.scale === b.scale;
}

/** The floats, from the narrowest on, by their precision. */
const FLOATS = [new Float16(), new Float32(), new Float64()] as const;

/** Returns the narrowest float that holds all values of an integer and a float type. */
function floatFor(
  { bitWidth }: DataType & { readonly bitWidth: number },
  { precision }: DataType & { readonly precision: number },
): DataType | null {
  if (bitWidth > 32) return null;
  const needed = bitWidth === 8 ? 0 : bitWidth === 16 ? 1 : 2;
  return FLOATS[Math.max(needed, precision)]!;
}

/** Returns the type of equal types, with the same unit, zone, precision and scale; the wider of decimals. */
function equalType(left: DataType, right: DataType): DataType | null {
  if (left.typeId !== right.typeId) return null;
  if (DataType.isDecimal(left) && DataType.isDecimal(right)) {
    const isSame = left.precision === right.precision && left.scale === right.scale;
    return !isSame ? null : left.bitWidth >= right.bitWidth ? left : right;
  }
  return equalNested(left, right);
}

/**
 * Returns the type of equal lists, structs and maps, which are equal if their parts are, and for structs
 * their names. A part that may be null in one type may be null in the result.
 */
function equalNested(left: DataType, right: DataType, isEntry = false): DataType | null {
  if (!DataType.isStruct(left) && !DataType.isMap(left)) {
    // A list has one child, whose name is in the text of its type but does not matter.
    if (!isListType(left)) return isSameLeaf(left, right) ? left : null;
    if (!isListType(right) || listSize(left) !== listSize(right)) return null;
  }
  if (left.typeId !== right.typeId || left.children.length !== right.children.length) return null;
  const fields: Field[] = [];
  for (const [at, { name, type, nullable, metadata }] of left.children.entries()) {
    const other = right.children[at]!;
    if (DataType.isStruct(left) && !isEntry && name !== other.name) return null;
    const common = equalNested(type, other.type, DataType.isMap(left));
    if (common === null) return null;
    fields.push(new Field(name, common, nullable || other.nullable, metadata));
  }
  return withChildren(left, fields);
}

function isSameLeaf(left: DataType, right: DataType): boolean {
  return left.typeId === right.typeId && String(left) === String(right) &&
    (!DataType.isDecimal(left) || left.bitWidth === (right as typeof left).bitWidth);
}

function isListType(type: DataType): boolean {
  return DataType.isList(type) || DataType.isFixedSizeList(type);
}

/** Returns the size of each list; 0 for lists of different sizes. */
function listSize(type: DataType): number {
  return DataType.isFixedSizeList(type) ? type.listSize : 0;
}
