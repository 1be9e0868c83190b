/**
 * Parsing JSON without the loss of a digit.
 *
 * @module
 */

import { losesDigits, sureDigits } from "../exact_number.ts";

/** A number that a value of JavaScript does not say, as its text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.text);
  }
}

/**
 * How numbers are parsed: with "values" those that a double holds are numbers, with "types" 1.0 is a
 * JsonNumber, too, which tells a column of floats from one of integers.
 */
export type NumberMode = "values" | "types";

/**
 * Where a number may be one that a double cannot hold. Fractions of up to 17 digits, the usual ones,
 * are none: looking at each value costs several times what JSON.parse does.
 */
const longNumber =
  /[:,[ \t\r]-?(?:0\.(?:0*[1-9]\d{17}|0{300})|[1-9](?:\d{15}|[\d.]{18})|\d[\d.]*[eE](?:\+?\d|-\d{3}))/;
/** Where a number may be whole but written as a float. */
const wholeFloat = /[:,[ \t\r]-?\d+(?:\.0+(?!\d)|[\d.]*[eE])/;
const integer = /^-?\d+$/;

/**
 * What JSON.parse gives, but integers that a double would round become bigint, and other numbers that
 * it would round or that it has no room for a JsonNumber.
 */
export function parseJson(text: string, mode: NumberMode): unknown {
  if (mode === "types" && (wholeFloat.test(text) || longNumber.test(text))) {
    return JSON.parse(text, typedNumber as Reviver);
  }
  return longNumber.test(text) ? JSON.parse(text, exactNumber as Reviver) : JSON.parse(text);
}

type Reviver = (key: string, value: unknown) => unknown;
/** Behind the values of primitives V8 gives the text that they were made of. */
type Context = { readonly source?: string };

function exactNumber(_key: string, value: unknown, { source }: Context): unknown {
  if (typeof value !== "number" || source === undefined) return value;
  if (integer.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
  const isShort = source.length <= sureDigits && !/e/i.test(source);
  return isShort || !losesDigits(source) ? value : new JsonNumber(source);
}

function typedNumber(key: string, value: unknown, context: Context): unknown {
  const { source } = context;
  const isWholeFloat = Number.isSafeInteger(value) && source !== undefined && !integer.test(source);
  return isWholeFloat ? new JsonNumber(source) : exactNumber(key, value, context);
}
