/**
 * Guesses the types of columns from their first rows.
 *
 * @module
 */

import type { ScalarType } from "../scalar_type.ts";
import { hasLeadingZero, parseBool, parseDate, parseExactFloat64, parseInt64 } from "./values.ts";

/** Candidates, narrowest first; a column is a string if none fits. */
const candidates = ["int64", "float64", "bool", "date"] as const;

/** Narrows the type of one column, value by value. */
export class TypeGuess {
  #possible: readonly ScalarType[] = candidates;
  #seen = false;

  /** Adds a value that is not null. */
  add(bytes: Uint8Array, start: number, stop: number): void {
    this.#seen = true;
    this.#possible = this.#possible.filter((type) => fits(type, bytes, start, stop));
  }

  /** The type; a column without values is a string. */
  get type(): ScalarType {
    return this.#seen ? this.#possible[0] ?? "string" : "string";
  }
}

/** Longer values are text: no double has as many digits. */
const mostValueBytes = 2048;

function fits(type: ScalarType, bytes: Uint8Array, start: number, stop: number): boolean {
  if (stop - start > mostValueBytes) return type === "string";
  switch (type) {
    case "int64":
      return !hasLeadingZero(bytes, start, stop) && parseInt64(bytes, start, stop) !== undefined;
    case "float64":
      // Long keys and sums stay text: as doubles, different values could become equal.
      return parseExactFloat64(bytes, start, stop) !== undefined;
    case "bool":
      return parseBool(bytes, start, stop) !== undefined;
    case "date":
      return parseDate(bytes, start, stop) !== undefined;
    case "string":
      return true;
  }
}
