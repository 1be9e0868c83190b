/**
 * Turns code for one byte into code for 16 bytes at a time, whose numbers have 8 bits.
 *
 * @module
 */

import type { WasmScope } from "./scalar.ts";
import type { BinaryFn, Scalar } from "../../ir/ir.ts";
import { LOOP_BYTE } from "../../ir/loop_idiom.ts";
import { scalarKey } from "../../ir/scalar.ts";
import { BYTES, byteSetCode } from "./byte_set.ts";
import type { WasmInstruction } from "../../../wasm/instructions.ts";

const COMPARISONS: Partial<Record<BinaryFn, string>> = {
  "==": "i8x16.eq",
  "!=": "i8x16.ne",
  "<": "i8x16.lt_u",
  "<=": "i8x16.le_u",
  ">": "i8x16.gt_u",
  ">=": "i8x16.ge_u",
};

const BITS: Partial<Record<BinaryFn, string>> = {
  "&": "v128.and",
  "|": "v128.or",
  "^": "v128.xor",
};

/** The smallest and the greatest value of numbers, by the keys of their scalars. */
type Ranges = ReadonlyMap<string, Range>;

interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns code that leaves, for each of 16 bytes, all bits set if a test holds and none if not;
 * null if 8 bits are not enough.
 */
export function byteTestCode(test: Scalar, scope: WasmScope): WasmInstruction[] | null {
  return testCode(test, scope, BYTE_RANGE);
}

/**
 * Returns code that leaves the low 8 bits of a number for each of 16 bytes; null if that is
 * impossible.
 */
export function byteValueCode(value: Scalar, scope: WasmScope): WasmInstruction[] | null {
  return valueCode(value, scope, BYTE_RANGE);
}

const BYTE_RANGE: Ranges = new Map([[LOOP_BYTE, { low: 0, high: 255 }]]);

function testCode(test: Scalar, scope: WasmScope, ranges: Ranges): WasmInstruction[] | null {
  return byteSetCode(test, scope) ?? operationCode(test, scope, ranges);
}

/** Returns the code of a test as it is written. */
function operationCode(test: Scalar, scope: WasmScope, ranges: Ranges): WasmInstruction[] | null {
  if (test.op === "unary" && test.fn === "!") {
    const code = testCode(test.value, scope, ranges);
    return code && [...code, ["v128.not"]];
  }
  if (test.op !== "binary") return null;
  const { fn, left, right } = test;
  if (fn === "&&" || fn === "||") {
    const first = testCode(left, scope, ranges);
    const second = testCode(right, scope, ranges);
    return first && second && [...first, ...second, [fn === "&&" ? "v128.and" : "v128.or"]];
  }
  if (right.op !== "const") return null;
  const bound = Number(right.value);
  if (fn === "<u") return rangeCode(left, bound, scope, ranges);
  const op = COMPARISONS[fn];
  const range = rangeOf(left, ranges);
  if (op === undefined || !isByte(range) || bound < 0 || bound > 255) return null;
  const value = valueCode(left, scope, ranges);
  return value && [...value, ["local.get", scope.splat(bound)], [op]];
}

/**
 * Returns the code of a test `number - first <u count`: whether a number is one of `count` numbers
 * from `first` on.
 */
function rangeCode(
  shifted: Scalar,
  count: number,
  scope: WasmScope,
  ranges: Ranges,
): WasmInstruction[] | null {
  if (shifted.op !== "binary" || shifted.fn !== "+" || shifted.right.op !== "const") return null;
  const first = -Number(shifted.right.value);
  if (first < 0 || count < 0 || count > 255 || first + count > 256) return null;
  if (!isByte(rangeOf(shifted.left, ranges))) return null;
  const value = valueCode(shifted.left, scope, ranges);
  return value && [
    ...value,
    ["local.get", scope.splat(first)],
    ["i8x16.sub"],
    ["local.get", scope.splat(count)],
    ["i8x16.lt_u"],
  ];
}

function valueCode(value: Scalar, scope: WasmScope, ranges: Ranges): WasmInstruction[] | null {
  switch (value.op) {
    case "local":
      return value.name === LOOP_BYTE ? [["local.get", BYTES]] : null;
    case "const":
      return [["local.get", scope.splat(Number(value.value) & 0xff)]];
    case "binary": {
      const op = value.fn === "+" ? "i8x16.add" : value.fn === "-" ? "i8x16.sub" : BITS[value.fn];
      const left = valueCode(value.left, scope, ranges);
      const right = valueCode(value.right, scope, ranges);
      return op === undefined ? null : left && right && [...left, ...right, [op]];
    }
    case "select": {
      const yes = valueCode(value.yes, scope, narrowed(ranges, value.test, true));
      const no = valueCode(value.no, scope, narrowed(ranges, value.test, false));
      const test = testCode(value.test, scope, ranges);
      return yes && no && test && [...yes, ...no, ...test, ["v128.bitselect"]];
    }
    default:
      return null;
  }
}

function isByte(range: Range | null): boolean {
  return range !== null && range.low >= 0 && range.high <= 255;
}

/** Returns the range of a number; null if it is unknown. */
function rangeOf(scalar: Scalar, ranges: Ranges): Range | null {
  const known = ranges.get(scalarKey(scalar));
  if (known !== undefined) return known;
  if (scalar.op === "const") return { low: Number(scalar.value), high: Number(scalar.value) };
  if (scalar.op === "select") {
    const yes = rangeOf(scalar.yes, narrowed(ranges, scalar.test, true));
    const no = rangeOf(scalar.no, narrowed(ranges, scalar.test, false));
    return yes && no && { low: Math.min(yes.low, no.low), high: Math.max(yes.high, no.high) };
  }
  if (scalar.op !== "binary" || scalar.right.op !== "const") return null;
  const left = rangeOf(scalar.left, ranges);
  const right = Number(scalar.right.value);
  if (left === null) return null;
  if (scalar.fn === "+") return { low: left.low + right, high: left.high + right };
  const isBits = isByte(left) && right >= 0 && right <= 255;
  return isBits && BITS[scalar.fn] !== undefined ? { low: 0, high: 255 } : null;
}

/** Returns the ranges that hold after a range test had the result `outcome`. */
function narrowed(ranges: Ranges, test: Scalar, outcome: boolean): Ranges {
  if (!outcome || test.op !== "binary" || test.right.op !== "const" || test.fn !== "<u") {
    return ranges;
  }
  const { left: shifted, right } = test;
  if (shifted.op !== "binary" || shifted.fn !== "+" || shifted.right.op !== "const") return ranges;
  const low = -Number(shifted.right.value);
  const count = Number(right.value);
  if (count < 1) return ranges;
  return new Map([...ranges, [scalarKey(shifted.left), { low, high: low + count - 1 }]]);
}
