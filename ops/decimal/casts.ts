/**
 * The casts from and to decimals.
 *
 * @module
 */

import { DataType, Float64, Int64, Uint64, Utf8 } from "apache-arrow";
import { isText, typeName } from "../batch/arrow_types.ts";
import type { CallArgs, ConversionStep, Overload } from "../syntax/overload.ts";
import { decimalToFloat, wholeToInt64, wholeToUint64 } from "./numbers.ts";
import { scaledDown, scaledUp } from "./scale.ts";
import { decimalToText, textToDecimal } from "./text.ts";
import { decimalDigits, MAX_DIGITS } from "../syntax/decimal_type.ts";

/** The row functions of the casts. */
export const decimalCasts: Readonly<Record<string, Overload>> = {
  "text>decimal": textToDecimal,
  "decimal>text": decimalToText,
  "decimal up": scaledUp,
  "decimal down": scaledDown,
  "decimal>float64": decimalToFloat,
  "decimal>int64": wholeToInt64,
  "decimal>uint64": wholeToUint64,
};

/** Returns the steps that make a decimal of a value; undefined for a type that no decimal is made of. */
export function stepsToDecimal(
  from: DataType,
  to: DataType,
  options: CallArgs,
): readonly ConversionStep[] | undefined {
  const target = decimalDigits(to);
  if (target === undefined) return undefined;
  const read = step("text>decimal", to, { ...target, ...options });
  if (isText(from)) return [read];
  // A float is the decimal with its shortest digits.
  if (DataType.isFloat(from)) {
    return [step("float>text", new Utf8()), step("text>decimal", to, { ...target })];
  }
  if (DataType.isInt(from)) return [rescale(0, to)];
  const source = decimalDigits(from);
  return source === undefined ? undefined : [rescale(source.scale, to)];
}

/** Returns the steps that make another value of a decimal; undefined where there is no cast. */
export function stepsFromDecimal(
  from: DataType,
  to: DataType,
  options: CallArgs,
): readonly ConversionStep[] | undefined {
  const { scale } = decimalDigits(from)!;
  if (isText(to)) return [step("decimal>text", to, { scale, ...options })];
  if (DataType.isFloat(to)) return [step("decimal>float64", new Float64(), { scale })];
  if (!DataType.isInt(to)) return undefined;
  const isUnsigned = typeName(to) === "uint64";
  const whole = scale === 0
    ? []
    : [step("decimal down", from, { digits: scale, precision: MAX_DIGITS, rounding: "exact" })];
  return [
    ...whole,
    isUnsigned ? step("decimal>uint64", new Uint64()) : step("decimal>int64", new Int64()),
  ];
}

/** Returns the step that gives the digits of a decimal the scale of another type. */
export function rescale(scale: number, to: DataType): ConversionStep {
  const target = decimalDigits(to)!;
  const { precision } = target;
  const digits = scale - target.scale;
  return digits > 0
    ? step("decimal down", to, { digits, precision, rounding: "exact" })
    : step("decimal up", to, { zeros: -digits, precision });
}

function step(overload: string, type: DataType, args: CallArgs = {}): ConversionStep {
  return { overload, type, args };
}
