/**
 * A search in linear time and constant space: M. Crochemore and D. Perrin, Two-way string-matching,
 * Journal of the ACM 38(3), 1991. It cuts the needle at a critical position, compares the right
 * part from left to right, then the left part from right to left. A mismatch on the right moves the
 * search by the bytes that were compared; one on the left moves it by the period.
 *
 * It analyses the needle first, so it pays only where comparing the needle at each place takes
 * long.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { Local } from "./row_locals.ts";
import { and, binary, int, select } from "../ir/scalar.ts";
import { byteAt, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { sizeOf } from "./view.ts";

/** The bytes of a needle, and of the text at the current place, in the order of the search. */
interface Bytes {
  readonly size: Scalar;
  needle(index: Scalar): Scalar;
  text(index: Scalar): Scalar;
}

/** Where a needle is cut, and how far a mismatch in its left part moves the search. */
interface Cut {
  /** The index before the first byte of the right part. */
  readonly critical: Scalar;
  readonly period: Scalar;
  /** How many bytes of the left part are known to match after a move by the period. */
  readonly known: Scalar;
}

/**
 * Moves `at` to the first place up to `last` where the needle occurs, or past `last`; backward, to
 * the last such place. A backward search is a forward one in mirrored texts.
 */
export function seekTwoWay(
  context: LowerContext,
  text: ViewValue,
  needle: ViewValue,
  at: Local,
  last: Scalar,
  backward: boolean,
): void {
  const { builder } = context;
  const size = builder.stable("size", sizeOf(needle));
  const behind = (stop: Scalar, index: Scalar) => binary("-", binary("-", stop, int(1)), index);
  const bytes: Bytes = {
    size,
    needle: (index) =>
      byteAt(
        needle.space,
        backward ? behind(needle.stop, index) : binary("+", needle.start, index),
      ),
    text: (index) =>
      byteAt(text.space, backward ? behind(binary("+", at, size), index) : binary("+", at, index)),
  };
  const cut = cutNeedle(context, bytes);
  const moveBy = (distance: Scalar) => builder.set(at, binary(backward ? "-" : "+", at, distance));
  const known = builder.variable("known", int(0));
  const right = builder.stable("right", plusOne(cut.critical));
  const same = (index: Scalar) => binary("==", bytes.needle(index), bytes.text(index));
  builder.loop(
    "twoWay",
    [() => binary(backward ? ">=" : "<=", at, last)],
    ({ leave, next }) => {
      const up = builder.variable("up", select(binary(">", right, known), right, known));
      const isRight = () => and(binary("<", up, size), same(up));
      builder.loop("up", [isRight], () => {}, () => builder.set(up, plusOne(up)));
      builder.if(binary("<", up, size), () => {
        moveBy(binary("-", up, cut.critical));
        builder.set(known, int(0));
        next();
      });
      const down = builder.variable("down", right);
      const isLeft = () => and(binary(">", down, known), same(binary("-", down, int(1))));
      builder.loop("down", [isLeft], () => {}, () => builder.set(down, binary("-", down, int(1))));
      builder.if(binary("<=", down, known), leave);
      moveBy(cut.period);
      builder.set(known, cut.known);
    },
    () => {},
  );
}

function cutNeedle(context: LowerContext, bytes: Bytes): Cut {
  const { builder } = context;
  const { size, needle } = bytes;
  const critical = builder.variable("critical", int(-2));
  const period = builder.variable("period", int(1));
  const order = builder.variable("order", int(0));
  // The shorter of two suffixes: the greatest by the order of bytes, and by the reverse order.
  builder.loop("orders", [() => binary("<", order, int(2))], () => {
    const suffix = greatestSuffix(context, bytes, binary("==", order, int(1)));
    builder.if(binary(">", suffix.before, critical), () => {
      builder.set(critical, suffix.before);
      builder.set(period, suffix.period);
    });
  }, () => builder.set(order, binary("+", order, int(1))));
  const place = builder.variable("repeats", int(0));
  const repeats = () =>
    and(
      binary("<=", place, critical),
      binary("==", needle(place), needle(binary("+", place, period))),
    );
  builder.loop("repeat", [repeats], () => {}, () => builder.set(place, plusOne(place)));
  const isPeriodic = builder.stable("periodic", binary(">", place, critical));
  const left = plusOne(critical);
  const rest = binary("-", size, left);
  const longer = plusOne(select(binary(">", left, rest), left, rest));
  return {
    critical: builder.stable("cut", critical),
    period: builder.stable("move", select(isPeriodic, period, longer)),
    known: builder.stable("kept", select(isPeriodic, binary("-", size, period), int(0))),
  };
}

/** Returns the index before the greatest suffix of the needle, and the period of that suffix. */
function greatestSuffix(
  { builder }: LowerContext,
  { size, needle }: Bytes,
  isReversed: Scalar,
): { before: Local; period: Local } {
  const before = builder.variable("before", int(-1));
  const period = builder.variable("suffixPeriod", int(1));
  const other = builder.variable("other", int(0));
  const step = builder.variable("step", int(1));
  const restart = () => builder.set(step, int(1));
  builder.loop("suffix", [() => binary("<", binary("+", other, step), size)], () => {
    const own = builder.stable("own", needle(binary("+", before, step)));
    const next = builder.stable("next", needle(binary("+", other, step)));
    builder.if(binary("==", own, next), () => {
      builder.if(binary("==", step, period), () => {
        builder.set(other, binary("+", other, period));
        restart();
      }, () => builder.set(step, plusOne(step)));
    }, () => {
      const isGreater = select(isReversed, binary("<", own, next), binary(">", own, next));
      builder.if(isGreater, () => {
        builder.set(other, binary("+", other, step));
        restart();
        builder.set(period, binary("-", other, before));
      }, () => {
        builder.set(before, other);
        builder.set(other, plusOne(other));
        restart();
        builder.set(period, int(1));
      });
    });
  }, () => {});
  return { before, period };
}

function plusOne(value: Scalar): Scalar {
  return binary("+", value, int(1));
}
