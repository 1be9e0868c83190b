/**
 * Sets of bytes as intervals, so that code can test many bytes at a time.
 *
 * @module
 */

import type { Scalar } from "./ir.ts";
import { LOOP_BYTE } from "./loop_idiom.ts";
import { type ConstantValue, evaluateBinary, evaluateUnary } from "./evaluate.ts";

const NUM_BYTES = 256;

/** Bytes from `low` to `high`. */
export interface ByteInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns, for each byte, whether a test of `LOOP_BYTE` holds; null if it depends on more than the
 * byte.
 */
export function answersOf(test: Scalar): boolean[] | null {
  const answers: boolean[] = [];
  for (let byte = 0; byte < NUM_BYTES; byte++) {
    const answer = valueFor(test, byte);
    if (answer === undefined) return null;
    answers.push(answer === true);
  }
  return answers;
}

/**
 * Returns the intervals of the bytes that have an answer, in order; `answers` has those of all 256.
 */
export function intervalsWith(answers: readonly boolean[], wanted: boolean): ByteInterval[] {
  const intervals: ByteInterval[] = [];
  for (let low = 0; low < NUM_BYTES; low++) {
    if (answers[low] !== wanted) continue;
    let high = low;
    while (high + 1 < NUM_BYTES && answers[high + 1] === wanted) high++;
    intervals.push({ low, high });
    low = high;
  }
  return intervals;
}

/** Returns the value of code for a byte; undefined if it depends on anything else. */
function valueFor(scalar: Scalar, byte: number): ConstantValue | undefined {
  switch (scalar.op) {
    case "const":
      return scalar.value;
    case "local":
      return scalar.name === LOOP_BYTE ? byte : undefined;
    case "unary": {
      const value = valueFor(scalar.value, byte);
      return value === undefined ? undefined : evaluateUnary(scalar.fn, value, scalar.type);
    }
    case "binary": {
      const left = valueFor(scalar.left, byte);
      const right = valueFor(scalar.right, byte);
      if (left === undefined || right === undefined) return undefined;
      return evaluateBinary(scalar.fn, left, right, scalar.left.type);
    }
    case "select": {
      const test = valueFor(scalar.test, byte);
      if (test === undefined) return undefined;
      return valueFor(test ? scalar.yes : scalar.no, byte);
    }
    default:
      return undefined;
  }
}
