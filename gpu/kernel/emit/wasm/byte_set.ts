/**
 * Sets of bytes: code that tests which of 16 bytes are in a set, range by range.
 *
 * @module
 */

import { answersOf, type ByteInterval, intervalsWith } from "../../ir/byte_intervals.ts";
import type { Scalar } from "../../ir/ir.ts";
import type { WasmInstruction } from "../../../wasm/instructions.ts";
import type { WasmScope } from "./scalar.ts";

/** The local with the 16 bytes that `LOOP_BYTE` stands for. */
export const BYTES = "$bytes16";

/** The number of ranges above which the original test is as fast. */
const MAX_RANGES = 4;

/**
 * Returns code that leaves, for each of 16 bytes, all bits set if a test holds and none if not;
 * null if the test depends on more than the byte, or has too many ranges.
 */
export function byteSetCode(test: Scalar, scope: WasmScope): WasmInstruction[] | null {
  const answers = answersOf(test);
  if (answers === null) return null;
  const inside = intervalsWith(answers, true);
  const outside = intervalsWith(answers, false);
  const isInverted = cost(outside) + NOT_COST < cost(inside);
  const ranges = isInverted ? outside : inside;
  if (ranges.length === 0 || ranges.length > MAX_RANGES) return null;
  const code = ranges.flatMap((range, index) => [
    ...rangeCode(range, scope),
    ...(index === 0 ? [] : [["v128.or"] as const]),
  ]);
  return isInverted ? [...code, ["v128.not"]] : code;
}

/** Returns the number of processor instructions for some ranges. */
function cost(ranges: readonly ByteInterval[]): number {
  return ranges.reduce((sum, { low, high }) => {
    const isSimple = low === high || (low === 0x80 && high === 0xff);
    return sum + 1 + (isSimple ? 1 : low === 0 || high === 0xff ? 2 : 3);
  }, 0);
}

const NOT_COST = 2;

function rangeCode({ low, high }: ByteInterval, scope: WasmScope): WasmInstruction[] {
  const than = (bound: number, op: string): WasmInstruction[] => [
    ["local.get", scope.splat(bound)],
    [op],
  ];
  const bytes: WasmInstruction = ["local.get", BYTES];
  if (low === high) return [bytes, ...than(low, "i8x16.eq")];
  // As signed numbers, these are the bytes below 0.
  if (low === 0x80 && high === 0xff) return [["local.get", scope.splat(0)], bytes, ["i8x16.gt_s"]];
  if (low === 0) return [bytes, ...than(high, "i8x16.le_u")];
  if (high === 0xff) return [bytes, ...than(low, "i8x16.ge_u")];
  return [bytes, ...than(low, "i8x16.sub"), ...than(high - low, "i8x16.le_u")];
}
