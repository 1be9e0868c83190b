/**
 * Sets of bytes: which of 16 bytes are in one, told by the ranges of which it is made.
 *
 * @module
 */

import { answersOf, type ByteInterval, intervalsWith } from "../../ir/byte_intervals.ts";
import type { Scalar } from "../../ir/ir.ts";
import type { WasmInstruction } from "../../../wasm/instructions.ts";
import type { WasmScope } from "./scalar.ts";

/** The local that holds the 16 bytes for which `LOOP_BYTE` stands. */
export const BYTES = "$bytes16";

/** Ranges above which the test itself is as fast. */
const MAX_RANGES = 4;

/**
 * The code that leaves, for each of 16 bytes, all bits where a test holds and none where not; null
 * where it asks for more than the byte, or holds for bytes in many places.
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

/** Instructions of a processor for all of some ranges, and those that turn a result round. */
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
  // With a sign, these are the bytes below 0.
  if (low === 0x80 && high === 0xff) return [["local.get", scope.splat(0)], bytes, ["i8x16.gt_s"]];
  if (low === 0) return [bytes, ...than(high, "i8x16.le_u")];
  if (high === 0xff) return [bytes, ...than(low, "i8x16.ge_u")];
  return [bytes, ...than(low, "i8x16.sub"), ...than(high - low, "i8x16.le_u")];
}
