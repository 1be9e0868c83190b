/**
 * Guesses the types of columns from the first rows.
 *
 * @module
 */

import type { ScalarType } from "../../types/scalar_type.ts";
import {
  isMinusZero,
  parseBool,
  parseExactFloat64,
  parseUsualBool,
  parseUsualDate,
  parseUsualFloat64,
  parseUsualInt64,
} from "./values.ts";

/** Candidates, narrowest first; a column is a string if none fits. */
const candidates = ["int64", "float64", "bool", "date"] as const;

/**
 * Narrows the type of one column, value by value. A guess keeps the text: int64, bool and date are
 * written as they were read, and float64 as the shortest text of the same number.
 */
export class TypeGuess {
  #possible: readonly ScalarType[] = candidates;
  #seen = false;
  #hasFraction = false;
  #hasInteger = false;
  #hasMinusZero = false;

  /** Adds a value that is not null. */
  add(bytes: Uint8Array, start: number, stop: number): void {
    this.#seen = true;
    this.#possible = this.#possible.filter((type) => fits(type, bytes, start, stop));
    if (this.#possible.includes("float64")) this.#noteForm(bytes, start, stop);
  }

  /** Whether any value was added. */
  get hasValues(): boolean {
    return this.#seen;
  }

  /** The type; a column without values is a string. */
  get type(): ScalarType {
    if (!this.#seen) return "string";
    const [first = "string", second = "string"] = this.#possible;
    return first === "float64" && !this.#isOfFloats() ? second : first;
  }

  #noteForm(bytes: Uint8Array, start: number, stop: number): void {
    const form = formOf(bytes, start, stop);
    if (form === "fraction") this.#hasFraction = true;
    if (form === "integer") this.#hasInteger = true;
    if (form === "-0") this.#hasMinusZero = true;
  }

  /**
   * Whether values that all parse as float64 are really floats. Words alone, `Nan` or `Inf`, may be
   * names, and -0 among integers may be a code; beside fractions both are floats.
   */
  #isOfFloats(): boolean {
    return this.#hasFraction || (this.#hasInteger && !this.#hasMinusZero);
  }
}

/** Longer values are text: no double has that many digits. */
const mostValueBytes = 2048;

/** Whether a value can be in a column of a guessed type. */
function fits(type: ScalarType, bytes: Uint8Array, start: number, stop: number): boolean {
  if (stop - start > mostValueBytes) return type === "string";
  switch (type) {
    case "int64":
      return parseUsualInt64(bytes, start, stop) !== undefined;
    case "float64":
      // Long keys and sums stay text: as doubles, different values could become equal.
      return parseUsualFloat64(bytes, start, stop) !== undefined;
    case "bool":
      return parseUsualBool(bytes, start, stop) !== undefined;
    case "date":
      return parseUsualDate(bytes, start, stop) !== undefined;
    case "string":
      return true;
  }
}

/**
 * Returns the type to recommend for a column whose guess was too narrow: one that takes this value
 * and the earlier ones, and keeps their digits.
 */
export function widerType(
  guessed: ScalarType,
  bytes: Uint8Array,
  start: number,
  stop: number,
): ScalarType {
  if (stop - start > mostValueBytes) return "string";
  const isWider = guessed === "bool"
    ? parseBool(bytes, start, stop) !== undefined
    : guessed === "int64"
    ? fits("float64", bytes, start, stop) && formOf(bytes, start, stop) === "fraction"
    : guessed === "float64" && parseExactFloat64(bytes, start, stop) !== undefined;
  return !isWider ? "string" : guessed === "bool" ? "bool" : "float64";
}

const dot = 0x2e;
const letterBits = 0x40;

/** Returns the form of a float64 in text: with a point or an exponent, an integer, or a word. */
function formOf(
  bytes: Uint8Array,
  start: number,
  stop: number,
): "fraction" | "integer" | "-0" | "word" {
  if (isMinusZero(bytes, start, stop)) return "-0";
  // Words end with a letter, numbers with a digit.
  if ((bytes[stop - 1]! & letterBits) !== 0) return "word";
  for (let i = start; i < stop; i++) {
    if (bytes[i] === dot || (bytes[i]! & letterBits) !== 0) return "fraction";
  }
  return "integer";
}
