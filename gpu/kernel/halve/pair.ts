/**
 * An i64 as two i32.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { int } from "../ir/scalar.ts";

/** The two halves of an i64. Both are cheap to repeat. */
export interface Pair {
  readonly low: Scalar;
  readonly high: Scalar;
  /** Whether the high half is known to repeat the sign of the low one: the value fits an i32. */
  readonly isNarrow?: boolean;
}

/** Returns the halves of a constant. */
export function constantPair(value: bigint): Pair {
  const low = Number(BigInt.asIntN(32, value));
  const high = Number(BigInt.asIntN(32, value >> 32n));
  return { low: int(low), high: int(high), isNarrow: high === low >> 31 };
}

/** Returns the value of a constant with a sign; null for others. */
export function valueOf({ low, high }: Pair): bigint | null {
  if (low.op !== "const" || high.op !== "const") return null;
  return BigInt.asUintN(32, BigInt(low.value)) | BigInt(high.value) << 32n;
}
