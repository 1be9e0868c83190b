/**
 * The filter "fixedscaleoffset" of numcodecs: subtracts an offset, multiplies by a scale, rounds, and
 * stores the numbers in a smaller type. Arithmetic is NumPy's: in the type of the numbers where it is a
 * float, and in float64 for integers that are decoded.
 * Source: https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html.
 *
 * @module
 */

import { type DataType, dataTypeOf } from "../metadata/data_type.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { ArrayCodec, ArrayToArray, CodecPlace } from "./codec.ts";
import { aligned, numberArrays, typeNameOf } from "./number_codecs.ts";
import { shortJson } from "../metadata/short_json.ts";

export const fixedScaleOffset: ArrayToArray = {
  kind: "array->array",
  movesItems: false,
  make: scaleOffsetCodec,
};

/** Encodes float32 and float64 as floats, or as integers of at most 32 bits. */
function scaleOffsetCodec({ shape, configuration }: CodecPlace, type: DataType): ArrayCodec {
  const { dtype, astype = dtype } = configuration;
  if (type.name !== "float32" && type.name !== "float64") {
    throw new UnsupportedZarrError(`is not supported for ${type.name}`);
  }
  if (dtype !== undefined && typeNameOf(dtype) !== type.name) {
    throw new TypeError(`has the type ${shortJson(dtype)}, but the array has ${type.name}`);
  }
  const encodedType = astype === undefined ? type : dataTypeOf(typeNameOf(astype));
  const isKnown = /^(u?int(8|16|32)|float(32|64))$/.test(encodedType.name);
  if (!isKnown) {
    throw new UnsupportedZarrError(`is not supported with the type ${encodedType.name}`);
  }
  const round = type.name === "float32" ? Math.fround : asItIs;
  const unround = encodedType.name === "float32" ? Math.fround : asItIs;
  const number = (key: string) => {
    const value = configuration[key];
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new TypeError(`has the ${key} ${shortJson(value)}`);
  };
  const [offset, scale] = [number("offset"), number("scale")];
  if (scale === 0) throw new TypeError("has the scale 0");
  return {
    encodedShape: shape,
    encodedType,
    encode(items, into) {
      const numbers = numbersOf(aligned(items), type);
      const encoded = numbersOf(into, encodedType);
      for (let i = 0; i < numbers.length; i++) {
        const moved = round(numbers[i]! - round(offset));
        encoded[i] = roundHalfToEven(round(moved * round(scale)));
      }
    },
    decode(items, into) {
      const target = aligned(into);
      const encoded = numbersOf(items, encodedType);
      const numbers = numbersOf(target, type);
      for (let i = 0; i < numbers.length; i++) {
        const scaled = unround(encoded[i]! / unround(scale));
        numbers[i] = unround(scaled + unround(offset));
      }
      if (target !== into) into.set(target);
    },
  };
}

function asItIs(number: number): number {
  return number;
}

function roundHalfToEven(number: number): number {
  return Math.abs(number % 1) === 0.5 ? 2 * Math.round(number / 2) : Math.round(number);
}

type Numbers = Float32Array | Float64Array | Int8Array | Int16Array | Int32Array;

function numbersOf({ buffer, byteOffset, length }: Uint8Array, type: DataType): Numbers {
  const View = numberArrays[type.name as keyof typeof numberArrays] as typeof Float64Array;
  return new View(buffer as ArrayBuffer, byteOffset, length / type.itemBytes);
}
