/**
 * Lowers the methods of a view that read or count characters: a byte each in ASCII text, else
 * UTF-8.
 *
 * @module
 */

import { ConstantView } from "../fold/constant_view.ts";
import type { Scalar } from "../ir/ir.ts";
import { byteAt, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { countOf, walkOf } from "./loop_idioms.ts";
import { byteOf, isInside, once, sizeOf, within } from "./view.ts";
import type { Local } from "./row_locals.ts";
import { and, binary, bool, int, or, select } from "../ir/scalar.ts";

/** The most bytes of a code point in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** Returns the code point that starts at a position; 0 if there is none. */
export function charOf(context: LowerContext, view: ViewValue, position: Scalar): Scalar {
  if (view.ascii) return byteOf(context, view, position);
  const { builder } = context;
  const at = builder.stable("at", position);
  const bytes = context.bytesOf(view);
  if (bytes !== null && at.op === "const") {
    return int(new ConstantView(bytes).charAt(Number(at.value)));
  }
  return once(context, "char", view, [at], () => {
    const char = builder.variable("char", byteOf(context, view, at));
    decodeRest(context, view, binary("+", view.start, at), char);
    return char;
  });
}

/** Completes a code point whose first byte is in `char` with the bytes after it. */
export function decodeRest(
  context: LowerContext,
  view: ViewValue,
  start: Scalar,
  char: Local,
): void {
  const { builder } = context;
  const rest = (index: number) =>
    binary("&", byteAt(view.space, binary("+", start, int(index))), int(0x3f));
  const shifted = (value: Scalar, by: number) => binary("<<", value, int(by));
  const lead = (mask: number, by: number) => shifted(binary("&", char, int(mask)), by);
  const join = (...parts: Scalar[]) => parts.reduce((left, right) => binary("|", left, right));
  const two = join(lead(0x1f, 6), rest(1));
  const three = join(lead(0x0f, 12), shifted(rest(1), 6), rest(2));
  const four = join(lead(0x07, 18), shifted(rest(1), 12), shifted(rest(2), 6), rest(3));
  builder.if(binary(">=", char, int(0x80)), () => {
    builder.if(
      binary("<", char, int(0xe0)),
      // Inside a character the byte is below 0xc0, and starts no character.
      () => builder.set(char, select(binary("<", char, int(0xc0)), int(0xfffd), two)),
      () =>
        builder.if(
          binary("<", char, int(0xf0)),
          () => builder.set(char, three),
          () => builder.set(char, four),
        ),
    );
  });
}

/** Returns the bytes of a code point by its first byte. */
export function sizeByLead(lead: Scalar): Scalar {
  return select(
    binary("<", lead, int(0xc0)),
    int(1),
    select(
      binary("<", lead, int(0xe0)),
      int(2),
      select(binary("<", lead, int(0xf0)), int(3), int(4)),
    ),
  );
}

/**
 * Returns where the next code point starts: the first one from before the text, the end from after
 * it.
 */
export function nextOf(context: LowerContext, view: ViewValue, position: Scalar): Scalar {
  const { builder } = context;
  const at = builder.stable("at", position);
  const size = sizeOf(view);
  const inside = isInside(context, view, at);
  const outside = builder.facts.knows(int(0), at)
    ? size
    : select(binary("<", at, int(0)), int(0), size);
  if (view.ascii) {
    const next = select(inside, binary("+", at, int(1)), outside);
    return within(context, view, builder.stable("next", next));
  }
  const lead = builder.stable("lead", byteAt(view.space, binary("+", view.start, at)));
  const next = builder.min(binary("+", at, sizeByLead(lead)), size);
  return within(context, view, builder.stable("next", select(inside, next, outside)));
}

/** Returns where the code point before a position starts; at least 0. */
export function prevOf(context: LowerContext, view: ViewValue, position: Scalar): Scalar {
  const { builder } = context;
  const size = sizeOf(view);
  const at = builder.stable("at", builder.min(position, size));
  const before = builder.max(binary("-", at, int(1)), int(0));
  const isInText = builder.facts.knows(int(1), at);
  const noted = (previous: Scalar) => {
    if (isInText) builder.facts.noteOrder({ low: binary("+", previous, int(1)), high: size });
    return within(context, view, previous);
  };
  if (view.ascii) return noted(builder.stable("previous", before));
  const previous = builder.variable("previous", before);
  builder.loop(
    "back",
    [() => and(binary(">", previous, int(0)), isContinuation(view, previous))],
    () => {},
    () => builder.set(previous, binary("-", previous, int(1))),
  );
  return noted(builder.stable("previous", previous));
}

function isContinuation(view: ViewValue, position: Scalar): Scalar {
  const byte = byteAt(view.space, binary("+", view.start, position));
  return binary("==", binary("&", byte, int(0xc0)), int(0x80));
}

/** Counts code points. */
export function lengthOf(context: LowerContext, view: ViewValue): Scalar {
  if (view.ascii) return sizeOf(view);
  const { builder } = context;
  return once(context, "length", view, [], () => {
    const length = builder.variable("length", int(0));
    const at = builder.variable("at", view.start);
    builder.loop(
      "count",
      [() => binary("<", at, view.stop)],
      () => {
        const head = binary("!=", binary("&", byteAt(view.space, at), int(0xc0)), int(0x80));
        builder.set(length, binary("+", length, select(head, int(1), int(0))));
      },
      () => builder.set(at, binary("+", at, int(1))),
      countOf(context, view, length, at),
    );
    return length;
  });
}

/** Returns the position `count` code points after another, within the view. */
export function advanceOf(
  context: LowerContext,
  view: ViewValue,
  position: Scalar,
  count: Scalar,
): Scalar {
  const { builder } = context;
  const size = sizeOf(view);
  const from = builder.stable("from", builder.max(builder.min(position, size), int(0)));
  const steps = builder.stable("steps", count);
  if (builder.facts.knows(steps, int(0)) && builder.facts.knows(int(0), steps)) return from;
  const moved = (value: Scalar) => {
    const position = within(context, view, builder.stable("moved", value));
    if (steps.op === "const" && Number(steps.value) >= 0) {
      const bytes = Number(steps.value) * (view.ascii ? 1 : MAX_CHARACTER_BYTES);
      builder.facts.noteOrder({ low: from, high: position });
      builder.facts.noteMost(binary("-", position, from), bytes);
    }
    return position;
  };
  if (view.ascii) {
    const forward = select(
      binary(">", steps, binary("-", size, from)),
      size,
      binary("+", from, steps),
    );
    const back = select(
      binary("<", steps, binary("-", int(0), from)),
      int(0),
      binary("+", from, steps),
    );
    return moved(select(binary(">=", steps, int(0)), forward, back));
  }
  const at = builder.variable("at", from);
  const left = builder.variable("left", steps);
  builder.if(
    binary(">", steps, int(0)),
    () =>
      builder.loop(
        "forward",
        [() => and(binary(">", left, int(0)), binary("<", at, size))],
        () => {
          const lead = byteAt(view.space, binary("+", view.start, at));
          builder.set(at, binary("+", at, sizeByLead(builder.stable("lead", lead))));
        },
        () => builder.set(left, binary("-", left, int(1))),
        walkOf(context, view, at, { left, count: steps, backward: false }),
      ),
    () =>
      builder.loop(
        "backward",
        [() => and(binary("<", left, int(0)), binary(">", at, int(0)))],
        () => {
          builder.set(at, binary("-", at, int(1)));
          builder.loop(
            "back",
            [() => and(binary(">", at, int(0)), isContinuation(view, at))],
            () => {},
            () => builder.set(at, binary("-", at, int(1))),
          );
        },
        () => builder.set(left, binary("+", left, int(1))),
        walkOf(context, view, at, { left, count: steps, backward: true }),
      ),
  );
  return moved(builder.min(at, size));
}

/** Whether a code point occurs in a view. */
export function hasChar(context: LowerContext, view: ViewValue, char: Scalar): Scalar {
  const { builder } = context;
  const wanted = builder.stable("wanted", char);
  const bytes = context.bytesOf(view);
  if (bytes !== null && bytes.length <= 32) {
    const chars = [...new Set(new TextDecoder().decode(bytes))];
    return or(...chars.map((item) => binary("==", wanted, int(item.codePointAt(0) ?? 0))));
  }
  const found = builder.variable("found", bool(false));
  const at = builder.variable("at", view.start);
  builder.loop(
    "search",
    [() => binary("<", at, view.stop)],
    ({ leave }) => {
      const item = builder.variable("item", byteAt(view.space, at));
      const size = view.ascii ? int(1) : builder.stable("size", sizeByLead(item));
      if (!view.ascii) decodeRest(context, view, at, item);
      builder.if(binary("==", item, wanted), () => {
        builder.set(found, bool(true));
        leave();
      });
      builder.set(at, binary("+", at, size));
    },
    () => {},
  );
  return found;
}
