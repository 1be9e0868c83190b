/**
 * Lowers searches and comparisons of views. A short needle that is known at compile time becomes
 * comparisons of bytes with constants.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { byteAt, sameSpace, spaceKey, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { matchOf, seekOf } from "./loop_idioms.ts";
import { seekTwoWay } from "./two_way_search.ts";
import { once, sizeOf, stableView } from "./view.ts";
import type { Local } from "./row_locals.ts";
import { and, binary, bool, int, not, scalarKey, select } from "../ir/scalar.ts";

/** The longest literal, in bytes, that is compared byte by byte without a loop. */
const MAX_UNROLLED = 8;

/**
 * The longest literal, in bytes, that is compared at every place, however much of it matches there.
 */
const MAX_COMPARED = 64;

/** The bytes of a needle that may match at a place without counting as wasted. */
const FREE_BYTES = 8;

/** The most wasted comparisons of bytes; after them, a search continues in linear time. */
const MAX_WASTED = 4096;

/** Returns where `needle` first occurs at or after `from`; -1 if it does not. */
export function findIn(
  context: LowerContext,
  view: ViewValue,
  needle: ViewValue,
  from: Scalar,
): Scalar {
  const { builder } = context;
  const text = stableView(context, "text", view);
  const after = builder.stable("from", from);
  const found = search(context, "find", text, needle, after, () => {
    const first = firstPlace(context, text, after);
    const at = builder.variable("at", binary("+", text.start, first));
    const last = builder.stable("last", binary("-", text.stop, sizeOf(needle)));
    seek(context, text, needle, at, last, false);
    return select(binary("<=", at, last), binary("-", at, text.start), int(-1));
  });
  noteFound(context, text, needle, found);
  builder.facts.noteOrder({ low: after, high: found }, { low: int(0), high: found });
  return found;
}

/** Clamps where a search starts: from 0 to one byte after the text, since later sums would wrap. */
function firstPlace({ builder }: LowerContext, text: ViewValue, from: Scalar): Scalar {
  return builder.min(builder.max(from, int(0)), binary("+", sizeOf(text), int(1)));
}

/** Records the range of a search's result. */
function noteFound(
  { builder }: LowerContext,
  text: ViewValue,
  needle: ViewValue,
  found: Scalar,
): void {
  const isFound = { low: int(0), high: found };
  const size = sizeOf(text);
  builder.facts.notePosition(found);
  builder.facts.noteOrder({ low: int(-1), high: found });
  builder.facts.noteOrder({ low: found, high: size });
  builder.facts.noteOrder({ low: binary("+", found, sizeOf(needle)), high: size }, isFound);
}

/** Returns where `needle` last occurs; -1 if it does not. */
export function rfindIn(context: LowerContext, view: ViewValue, needle: ViewValue): Scalar {
  const { builder } = context;
  const text = stableView(context, "text", view);
  const found = search(context, "rfind", text, needle, int(0), () => {
    const at = builder.variable("at", binary("-", text.stop, sizeOf(needle)));
    seek(context, text, needle, at, text.start, true);
    return select(binary(">=", at, text.start), binary("-", at, text.start), int(-1));
  });
  noteFound(context, text, needle, found);
  return found;
}

/** Moves `at` towards `last` until the needle occurs there. */
function seek(
  context: LowerContext,
  text: ViewValue,
  needle: ViewValue,
  at: Scalar & { op: "local" },
  last: Scalar,
  backward: boolean,
): void {
  const { builder } = context;
  const inRange = () => binary(backward ? ">=" : "<=", at, last);
  const move = () => builder.set(at, binary("+", at, int(backward ? -1 : 1)));
  const bytes = context.bytesOf(needle);
  if (bytes !== null && bytes.length <= MAX_UNROLLED) {
    const differs = not(bytesMatch(text, at, bytes));
    const how = seekOf(context, text, needle, at, last, backward);
    builder.loop("seek", [() => and(inRange(), differs)], () => {}, move, how);
    return;
  }
  const wanted = stableView(context, "needle", needle);
  const known = seekOf(context, text, wanted, at, last, backward);
  if (bytes !== null && bytes.length <= MAX_COMPARED) {
    return builder.loop(
      "seek",
      [inRange],
      ({ leave }) => {
        builder.if(rangesMatch(context, text, at, wanted), leave);
      },
      move,
      known,
    );
  }
  const wasted = builder.variable("wasted", int(0));
  const wastesMuch = () => binary(">", wasted, int(MAX_WASTED));
  // At most places, this count takes no second comparison.
  const much = builder.stable("much", builder.min(sizeOf(wanted), int(FREE_BYTES + 1)));
  builder.loop(
    "seek",
    [inRange],
    ({ leave }) => {
      const same = sameBytes(context, text, at, wanted);
      builder.if(binary(">=", same, much), () => {
        builder.if(binary(">=", same, sizeOf(wanted)), leave);
        builder.set(wasted, binary("+", wasted, same));
        builder.if(wastesMuch(), leave);
      });
    },
    move,
    known,
  );
  builder.if(wastesMuch(), () => seekTwoWay(context, text, wanted, at, last, backward));
}

/** Whether the text has these bytes at a position. */
function bytesMatch(text: ViewValue, at: Scalar, bytes: Uint8Array): Scalar {
  const terms = Array.from(
    bytes,
    (byte, index) => binary("==", byteAt(text.space, binary("+", at, int(index))), int(byte)),
  );
  return and(...terms);
}

/** Whether `needle` occurs at a position, if the text has that many bytes left. */
function rangesMatch(
  context: LowerContext,
  text: ViewValue,
  at: Scalar,
  needle: ViewValue,
): Scalar {
  return binary(">=", sameBytes(context, text, at, needle), sizeOf(needle));
}

/** Counts how many leading bytes of `needle` match the text at a position. */
function sameBytes(
  context: LowerContext,
  text: ViewValue,
  at: Scalar,
  needle: ViewValue,
): Local {
  const { builder } = context;
  const offset = builder.variable("offset", int(0));
  const size = sizeOf(needle);
  const same = binary(
    "==",
    byteAt(text.space, binary("+", at, offset)),
    byteAt(needle.space, binary("+", needle.start, offset)),
  );
  builder.loop(
    "match",
    [() => and(binary("<", offset, size), same)],
    () => {},
    () => builder.set(offset, binary("+", offset, int(1))),
    matchOf(offset, size, { ...text, start: at }, needle),
  );
  return offset;
}

/** Whether two views have the same bytes. */
export function equalViews(context: LowerContext, left: ViewValue, right: ViewValue): Scalar {
  const leftBytes = context.bytesOf(left);
  const rightBytes = context.bytesOf(right);
  if (leftBytes !== null && rightBytes === null) return equalViews(context, right, left);
  if (rightBytes !== null && rightBytes.length <= MAX_UNROLLED) {
    const sameSize = binary("==", sizeOf(left), int(rightBytes.length));
    return and(sameSize, bytesMatch(left, left.start, rightBytes));
  }
  const { builder } = context;
  const a = stableView(context, "left", left);
  const b = stableView(context, "right", right);
  const sameSize = binary("==", sizeOf(a), sizeOf(b));
  if (sameSize.op === "const" && sameSize.value === false) return sameSize;
  const equal = builder.variable("equal", bool(false));
  const compare = () => builder.set(equal, rangesMatch(context, a, a.start, b));
  builder.if(
    sameSize,
    () => builder.if(startTogether(a, b), () => builder.set(equal, bool(true)), compare),
  );
  return equal;
}

/** Whether two views are parts of a row of one column that start at the same place. */
function startTogether(left: ViewValue, right: ViewValue): Scalar {
  if (!sameSpace(left.space, right.space) || !("one" in left.space)) return bool(false);
  return left.space.one.space === "column" ? binary("==", left.start, right.start) : bool(false);
}

/** Compares two views by their bytes: -1, 0 or 1. */
export function compareViews(context: LowerContext, left: ViewValue, right: ViewValue): Scalar {
  const { builder } = context;
  const a = stableView(context, "left", left);
  const b = stableView(context, "right", right);
  const offset = builder.variable("offset", int(0));
  const leftByte = byteAt(a.space, binary("+", a.start, offset));
  const rightByte = byteAt(b.space, binary("+", b.start, offset));
  const leftSize = sizeOf(a);
  const rightSize = sizeOf(b);
  const inBoth = and(binary("<", offset, leftSize), binary("<", offset, rightSize));
  builder.loop(
    "compare",
    [() => and(inBoth, binary("==", leftByte, rightByte))],
    () => {},
    () => builder.set(offset, binary("+", offset, int(1))),
    matchOf(offset, builder.min(leftSize, rightSize), a, b),
  );
  const differ = builder.stable("differ", inBoth);
  const low = builder.stable("low", select(differ, leftByte, leftSize));
  const high = builder.stable("high", select(differ, rightByte, rightSize));
  return select(binary("<", low, high), int(-1), select(binary(">", low, high), int(1), int(0)));
}

/** Shares one search among all that look for the same needle in the same text. */
function search(
  context: LowerContext,
  what: string,
  text: ViewValue,
  needle: ViewValue,
  from: Scalar,
  compute: () => Scalar,
): Scalar {
  const { builder } = context;
  if (!builder.facts.isStable(needle.start) || !builder.facts.isStable(needle.stop)) {
    return builder.stable(what, compute());
  }
  const place = `${spaceKey(needle.space)} ${scalarKey(needle.start)} ${scalarKey(needle.stop)}`;
  return once(context, what, text, [from], compute, place);
}
