/** Keys of joins: the types that meet, and values that are the same key in both. */

import { DataType, Precision } from "apache-arrow";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { jsonOf, type TypeJson, typeOf } from "./case_types.ts";
import { valuesOfType } from "./random_table.ts";

const SIGNED: readonly TypeJson[] = ["int8", "int16", "int32", "int64"];
const UNSIGNED: readonly TypeJson[] = ["uint8", "uint16", "uint32", "uint64"];
const FLOATS: readonly TypeJson[] = ["float16", "float32", "float64"];

/** Integers that a hash, a range or a comparison of too few bits takes for one another. */
const HARD_INTEGERS = [7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n].flatMap((
  bits,
) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n, -(2n ** bits), -(2n ** bits) - 1n]).concat(
  0n,
  1n,
  -1n,
);
const HARD_FLOATS = [0, -0, NaN, Infinity, -Infinity, 0.9, Math.fround(0.9), 5e-324, 1.5, 2 ** 53];
/** Texts that are cut, padded, folded or normalised to one another by who does not look at all bytes. */
const HARD_TEXTS = [
  ...["", "\0", "a", "a\0", "a\0\0", "A", "ab", "abc", "abcd", "abcde", "abcdefgh", "abcdefghi"],
  ...["abcdefghijkl", "abcdefghijklm", "abcdefghijklM", "é", "e\u0301", "Straße", "STRASSE", "🙂"],
  ...["a prefix that many long keys have, 1", "a prefix that many long keys have, 2"],
];

/** The types whose keys can be joined with those of a type; none for a type that is no key. */
export function partnerTypes(type: DataType): readonly TypeJson[] {
  if (DataType.isInt(type)) {
    return type.isSigned ? [...SIGNED, ...UNSIGNED.slice(0, 3)] : [
      ...UNSIGNED,
      ...(type.bitWidth < 64 ? SIGNED : []),
    ];
  }
  if (DataType.isFloat(type)) return FLOATS;
  const isOther = DataType.isNull(type) || DataType.isInterval(type) || DataType.isMap(type);
  return isOther ? [] : [jsonOf(type)];
}

/** The types besides that `promote: "lossless"` admits. */
export function losslessPartners(type: DataType): readonly TypeJson[] {
  if (DataType.isFloat(type)) return [...SIGNED.slice(0, 3), ...UNSIGNED.slice(0, 3)];
  return DataType.isInt(type) && type.bitWidth < 64 ? FLOATS : [];
}

/** Returns a generator of keys of a type, some of them hard to tell apart. */
export function keysOfType(random: SeededRandom, json: TypeJson): () => unknown {
  const any = valuesOfType(random, json);
  const hard = hardKeys(json);
  const share = hard.length === 0 ? 0 : random.pick([0, 0.5, 1]);
  return () => random.chance(share) ? random.pick(hard) : any();
}

function hardKeys(json: TypeJson): readonly unknown[] {
  const type = typeOf(json);
  const bytes = HARD_TEXTS.map((text) => [...new TextEncoder().encode(text)]);
  if (DataType.isUtf8(type)) return HARD_TEXTS;
  if (DataType.isBinary(type)) return bytes;
  if (DataType.isFloat(type)) {
    return HARD_FLOATS.filter((value) => isSame(value, rounded(value, type)));
  }
  if (DataType.isInt(type)) {
    return HARD_INTEGERS.flatMap((value) => sameKey(value, json) ?? []);
  }
  if (DataType.isList(type)) {
    const items = hardKeys(jsonOf(type.children[0]!.type));
    return [[], [null], [null, null], ...items.map((item) => [item]), items.slice(0, 2)];
  }
  return [];
}

/** The same key as a value of a type; undefined where the type has none. */
export function sameKey(value: unknown, json: TypeJson): unknown {
  const type = typeOf(json);
  if (value === null) return null;
  if (DataType.isFloat(type)) {
    const float = Number(value);
    return isSame(float, rounded(float, type)) &&
        (typeof value === "number" || BigInt(float) === value)
      ? float
      : undefined;
  }
  if (!DataType.isInt(type)) return value;
  if (typeof value === "number" && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value as number);
  const { bitWidth, isSigned } = type;
  const own = isSigned ? BigInt.asIntN(bitWidth, whole) : BigInt.asUintN(bitWidth, whole);
  if (own !== whole) return undefined;
  return bitWidth === 64 ? whole : Number(whole);
}

function isSame(a: number, b: number): boolean {
  return a === b || Number.isNaN(a);
}

function rounded(value: number, { precision }: { readonly precision: Precision }): number {
  if (precision === Precision.DOUBLE) return value;
  if (precision === Precision.SINGLE) return Math.fround(value);
  const view = new DataView(new ArrayBuffer(2));
  view.setFloat16(0, value);
  return view.getFloat16(0);
}
