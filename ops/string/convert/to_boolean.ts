/**
 * Defines the operation `toBoolean`.
 *
 * @module
 */

import { castInstead, STRICT, type StrictOption } from "./conversion.ts";
import { defineStringOp, type StringOp } from "../define/define_string_op.ts";

/** Reads the booleans that the CSV reader takes. */
export const toBoolean: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "toBoolean",
  group: "convert",
  summary: "True for true and false for false, in any case; null for other text",
  differs: ["DuckDB: also takes t, f, 1, 0, yes and no"],
  examples: [
    { input: "True", result: true },
    { input: "FALSE", result: false },
    { input: "yes", result: null },
  ],
  instead: castInstead("bool"),
  ...STRICT,
  defaults: { strict: false },
  kind: "measure",
  returns: "bool",
  row(text) {
    const a = text.byteAt(0) | 0x20;
    const b = text.byteAt(1) | 0x20;
    const c = text.byteAt(2) | 0x20;
    const d = text.byteAt(3) | 0x20;
    if (text.size === 4 && a === 0x74 && b === 0x72 && c === 0x75 && d === 0x65) return true;
    if (text.size !== 5 || (text.byteAt(4) | 0x20) !== 0x65) return null;
    if (a === 0x66 && b === 0x61 && c === 0x6c && d === 0x73) return false;
    return null;
  },
});
