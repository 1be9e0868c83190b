/**
 * Lowers the methods of a view: positions in a view become absolute positions in its space. `View`
 * defines what happens out of range.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { byteAt, spaceKey, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { fourBytes } from "../ir/four_bytes.ts";
import { binary, int, scalarKey, select, unary } from "../ir/scalar.ts";

/** The most bytes before a text that code may read, if it does not use them. */
const MAX_BYTES_BEFORE = 64;

/** The bytes of a view. */
export function sizeOf(view: ViewValue): Scalar {
  return binary("-", view.stop, view.start);
}

/** Returns a view whose ends never change and are cheap to evaluate again. */
export function stableView(context: LowerContext, hint: string, view: ViewValue): ViewValue {
  const { builder } = context;
  const start = builder.stable(`${hint}_start`, view.start);
  return { ...view, start, stop: builder.stable(`${hint}_stop`, view.stop) };
}

/** Returns the byte at a position; 0 if there is none. */
export function byteOf(context: LowerContext, view: ViewValue, position: Scalar): Scalar {
  const { builder } = context;
  const at = builder.stable("at", position);
  const bytes = context.bytesOf(view);
  if (bytes !== null && at.op === "const") return int(bytes[Number(at.value)] ?? 0);
  const byte = byteAt(view.space, binary("+", view.start, at));
  const value = select(isInside(context, view, at), byte, int(0));
  return view.ascii ? builder.facts.markAscii(value) : value;
}

/** Returns four bytes near the end as a word, with ASCII's 0 for those before `start`. */
export function digitsOf(
  { builder }: LowerContext,
  view: ViewValue,
  start: Scalar,
  behind: Scalar,
): Scalar {
  const size = sizeOf(view);
  const clamped = (value: Scalar) => {
    const given = builder.stable("given", value);
    const low = select(binary("<", given, int(0)), int(0), given);
    const isNear = given.op === "const" && Number(given.value) <= MAX_BYTES_BEFORE;
    return isNear ? low : select(binary("<", size, given), size, low);
  };
  const end = builder.stable("end", binary("-", size, clamped(behind)));
  const count = builder.stable("count", binary("-", end, clamped(start)));
  const shift = binary("-", int(32), binary("<<", count, int(3)));
  const some = select(binary("<", count, int(1)), int(0), binary("<<", int(-1), shift));
  const mask = builder.stable("mask", select(binary("<", count, int(4)), some, int(-1)));
  const at = builder.stable("at", binary("+", view.start, binary("+", end, int(-4))));
  const word = fourBytes((position) => byteAt(view.space, position), at);
  const zeros = binary("&", int(0x30303030), unary("~", mask));
  return binary("|", binary("&", word, mask), zeros);
}

/** Whether there is a byte at a position. */
export function isInside({ builder }: LowerContext, view: ViewValue, position: Scalar): Scalar {
  const size = sizeOf(view);
  if (!builder.facts.knows(int(0), position)) return binary("<u", position, size);
  return builder.facts.decide(binary("<", position, size));
}

/** Records that a scalar is a position from 0 to the size of a view, and returns it. */
export function within({ builder }: LowerContext, view: ViewValue, position: Scalar): Scalar {
  builder.facts.notePosition(position);
  builder.facts.noteOrder({ low: int(0), high: position });
  builder.facts.noteOrder({ low: position, high: sizeOf(view) });
  return position;
}

/** Records what holds for every view, and returns the view. */
export function notedView({ builder }: LowerContext, view: ViewValue): ViewValue {
  const size = sizeOf(view);
  builder.facts.notePosition(size);
  builder.facts.noteOrder({ low: int(0), high: size });
  builder.facts.noteOrder({ low: view.start, high: view.stop });
  return view;
}

/** Parses the decimal number in a view as a float of `bits` bits. */
export function floatOf({ space, start, stop }: ViewValue, bits?: Scalar): Scalar {
  if ("one" in space) {
    const [name, args] = bits === undefined
      ? ["toFloat", [start, stop]] as const
      : ["toNarrowFloat", [start, stop, bits]] as const;
    return { op: "hostCall", type: "f64", name, space: space.one, args };
  }
  return {
    op: "select",
    type: "f64",
    test: space.test,
    yes: floatOf({ space: space.yes, start, stop, ascii: false }, bits),
    no: floatOf({ space: space.no, start, stop, ascii: false }, bits),
  };
}

/** Returns the bytes from `start` to before `stop`. Both are clamped; a crossed range is empty. */
export function subOf(
  context: LowerContext,
  view: ViewValue,
  start: Scalar,
  stop: Scalar,
): ViewValue {
  const { builder } = context;
  const size = sizeOf(view);
  const low = builder.stable("low", clamp(context, start, int(0), size));
  within(context, view, low);
  const high = builder.stable("high", clamp(context, stop, low, size));
  within(context, view, high);
  builder.facts.noteOrder({ low, high });
  builder.facts.noteOrder({ low: int(0), high: binary("-", high, low) });
  const sub = {
    ...view,
    start: builder.stable("start", binary("+", view.start, low)),
    stop: builder.stable("stop", binary("+", view.start, high)),
  };
  const most = builder.facts.mostOf(binary("-", high, low));
  if (most !== undefined) builder.facts.noteMost(sizeOf(sub), most);
  return notedView(context, sub);
}

/** Clamps `value` to [low, high], where low <= high. */
function clamp({ builder }: LowerContext, value: Scalar, low: Scalar, high: Scalar): Scalar {
  return builder.max(builder.stable("upper", builder.min(value, high)), low);
}

/**
 * Computes a value of a view once on every path: a second request with the same operands, none of
 * which can change, gets the result of the first.
 */
export function once(
  context: LowerContext,
  what: string,
  view: ViewValue,
  operands: readonly Scalar[],
  compute: () => Scalar,
  place: string = "",
): Scalar {
  const { builder } = context;
  const inputs = [view.start, view.stop, ...operands];
  if (!inputs.every((input) => builder.facts.isStable(input))) {
    return builder.stable(what, compute());
  }
  const key = `${what} ${place} ${spaceKey(view.space)} ${inputs.map(scalarKey).join(" ")}`;
  const known = builder.facts.recall(key);
  if (known !== undefined) return known;
  const value = builder.stable(what, compute());
  builder.facts.remember(key, value);
  return value;
}
