/**
 * The filters "delta" and "bitround" of numcodecs, which work on numbers.
 * Source: https://numcodecs.readthedocs.io.
 *
 * @module
 */

import type { DataType } from "../metadata/data_type.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import { parseDataType } from "../metadata/metadata_v2.ts";
import type { ArrayCodec, ArrayToArray, CodecPlace } from "./codec.ts";
import { shortJson } from "../metadata/short_json.ts";

type Numbers =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float16Array
  | Float32Array
  | Float64Array;

/** Views of bytes as numbers, by the name of the type. */
export const numberArrays = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Float16Array,
  float32: Float32Array,
  float64: Float64Array,
};

export const delta: ArrayToArray = { kind: "array->array", movesItems: false, make: deltaCodec };
export const bitround: ArrayToArray = {
  kind: "array->array",
  movesItems: false,
  make: bitroundCodec,
};

/** Stores differences of neighbours in the type of the items; another `astype` is an error. */
function deltaCodec(place: CodecPlace, type: DataType): ArrayCodec {
  const { dtype, astype = dtype } = place.configuration;
  for (const declared of [dtype, astype]) {
    if (declared !== undefined && typeNameOf(declared) !== type.name) {
      throw new TypeError(`has the type ${shortJson(declared)}, but the array has ${type.name}`);
    }
  }
  const Numbers = numberArrays[type.name as keyof typeof numberArrays];
  if (Numbers === undefined) throw new UnsupportedZarrError(`is not supported for ${type.name}`);
  // BigInt arrays add and wrap like the others.
  const view = (bytes: Uint8Array) =>
    new Numbers(
      bytes.buffer as ArrayBuffer,
      bytes.byteOffset,
      bytes.length / type.itemBytes,
    ) as Numbers;
  return {
    encodedShape: place.shape,
    encodedType: type,
    encode(items, into) {
      const values = view(aligned(items));
      const differences = view(into);
      for (let i = values.length - 1; i > 0; i--) differences[i] = values[i]! - values[i - 1]!;
      if (values.length > 0) differences[0] = values[0]!;
    },
    decode(items, into) {
      const target = aligned(into);
      const differences = view(items);
      const values = view(target);
      if (values.length > 0) values[0] = differences[0]!;
      for (let i = 1; i < values.length; i++) values[i] = values[i - 1]! + differences[i]!;
      if (target !== into) into.set(target);
    },
  };
}

/** Returns the name of a type in a filter's configuration, in the notation of either version. */
export function typeNameOf(declared: unknown): string {
  const isName = typeof declared === "string" && Object.hasOwn(numberArrays, declared);
  return isName ? declared : parseDataType(declared).type.name;
}

/** Returns the bytes, or a copy if they are not aligned for views of all sizes. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

/** The number of bits of the significand, by type. */
const significands: Readonly<Record<string, number>> = { float16: 10, float32: 23, float64: 52 };

/** Rounds to `keepbits` bits of the significand, ties to even; decoding leaves the rounded values. */
function bitroundCodec(place: CodecPlace, type: DataType): ArrayCodec {
  const bits = significands[type.name];
  if (bits === undefined) throw new UnsupportedZarrError(`is not supported for ${type.name}`);
  const keep = Number(place.configuration["keepbits"]);
  if (!(Number.isInteger(keep) && keep >= 0 && keep <= bits)) {
    throw new TypeError(`has the keepbits ${shortJson(place.configuration["keepbits"])}`);
  }
  const drop = BigInt(bits - keep);
  return {
    encodedShape: place.shape,
    encodedType: type,
    encode(items, into) {
      into.set(items);
      if (drop > 0n) roundAll(into, type.itemBytes, drop, BigInt(bits));
    },
    decode: (items, into) => into.set(items),
  };
}

/** Rounds items in place; infinities and NaN stay. */
function roundAll(items: Uint8Array, itemBytes: number, drop: bigint, bits: bigint): void {
  const Bits = itemBytes === 2 ? Uint16Array : itemBytes === 4 ? Uint32Array : BigUint64Array;
  const values = new Bits(items.buffer as ArrayBuffer, items.byteOffset, items.length / itemBytes);
  const exponents = (1n << (8n * BigInt(itemBytes) - 1n)) - (1n << bits);
  const half = (1n << (drop - 1n)) - 1n;
  for (let i = 0; i < values.length; i++) {
    const value = BigInt(values[i]!);
    if ((value & exponents) === exponents) continue;
    const rounded = ((value + half + ((value >> drop) & 1n)) >> drop) << drop;
    values[i] = (itemBytes === 8 ? rounded : Number(rounded)) as never;
  }
}
