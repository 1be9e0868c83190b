/**
 * Casts to and from booleans: true is 1 in every numeric type.
 *
 * @module
 */

import { type Overload, overload } from "../define/define_string_op.ts";
import { toBoolean } from "./to_boolean.ts";

/** Casts to a type of at most 32 bits; `one` holds the bits of its 1. */
function toNarrow(one: number): Overload {
  return overload({
    kind: "measure",
    subject: "bool",
    consts: { one },
    row: (value, { one }) => value ? one : 0,
  });
}

/** Casts to a type of 64 bits; `low` and `high` hold the bits of its 1. */
function toWide(low: number, high: number): Overload {
  return overload({
    kind: "measure",
    subject: "bool",
    returns: "words",
    consts: { one: low, top: high },
    row: (value, { one, top }) => [value ? one : 0, value ? top : 0],
  });
}

/** The casts by name, `from>to`. */
export const booleanCasts: Readonly<Record<string, Overload>> = {
  "text>bool": toBoolean.overloads.row!,
  "integer>bool": overload({
    kind: "measure",
    subject: "words",
    returns: "bool",
    row(low, high) {
      if (high !== 0 || (low & -2) !== 0) return null;
      return low === 1;
    },
  }),
  "bool>integer": toNarrow(1),
  "bool>wide": toWide(1, 0),
  "bool>float16": toNarrow(0x3c00),
  "bool>float32": toNarrow(0x3f800000),
  "bool>float64": toWide(0, 0x3ff00000),
};
