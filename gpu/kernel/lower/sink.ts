/**
 * Sinks at compile time: where the text that an operation writes goes.
 *
 * @module
 */

import { encodeChar } from "../fold/interpret.ts";
import type { Scalar } from "../ir/ir.ts";
import type { LowerContext, SpaceRef, ViewValue } from "./lower_context.ts";
import { and, binary, constantOf, int, or, select } from "../ir/scalar.ts";
import { sizeOf } from "./view.ts";

/** Takes code points and views, and makes statements of them. */
export interface LowerSink {
  put(char: Scalar): void;
  copy(view: ViewValue): void;
  /** Takes a view so many times; none where `count` is 0 or less. */
  repeat(view: ViewValue, count: Scalar): void;
  /** Takes a view in a normal form of Unicode. */
  copyNormal(view: ViewValue, form: Scalar): void;
  /** Appends the shortest decimal number that reads back as the same float. */
  putFloat(value: Scalar, bits: 32 | 64): void;
  /** Takes a view as an item; only the sink of a list does. */
  item?(view: ViewValue): void;
  /** Takes a number as an item; only the sink of a list of numbers does. */
  number?(value: Scalar): void;
  /** Ends an item; only the sink of a list does. */
  endItem?(): void;
}

/** Bytes of a literal up to which it is appended byte by byte. */
const MAX_PUT_LITERAL = 8;

/** The sink that appends to the text of the row. */
export function rowSink(context: LowerContext): LowerSink {
  const { builder } = context;
  const put = (byte: Scalar) => builder.push({ do: "put", byte });
  const copy = (view: ViewValue) => {
    if (!view.ascii) context.asciiText = false;
    const bytes = context.bytesOf(view);
    if (bytes !== null && bytes.length <= MAX_PUT_LITERAL) {
      for (const byte of bytes) put(int(byte));
    } else {
      copyFrom(context, view.space, view);
    }
  };
  return {
    put(char) {
      const constant = constantOf(char);
      if (constant !== undefined) {
        const bytes = encodeChar(Number(constant));
        if (bytes.length > 1) context.asciiText = false;
        for (const byte of bytes) put(int(byte));
      } else if (builder.isAscii(char)) {
        put(char);
      } else {
        context.asciiText = false;
        putEncoded(context, builder.stable("char", char), put);
      }
    },
    copy,
    repeat(view, count) {
      if (count.op === "const" && Number(count.value) <= 1) {
        if (Number(count.value) === 1) copy(view);
        return;
      }
      if (!view.ascii) context.asciiText = false;
      repeatFrom(context, view.space, view, builder.stable("count", count));
    },
    copyNormal(view, form) {
      // ASCII text is normal in every form.
      if (view.ascii) return copy(view);
      context.asciiText = false;
      copyNormalFrom(context, view.space, view, form);
    },
    putFloat(value, bits) {
      builder.push({ do: "putFloat", value, bits });
    },
  };
}

function copyFrom(context: LowerContext, space: SpaceRef, view: ViewValue): void {
  const { builder } = context;
  if ("one" in space) {
    const { start, stop } = view;
    const most = builder.mostOf(sizeOf(view));
    const known = most === undefined ? {} : { maxBytes: most };
    builder.push({ do: "copy", space: space.one, start, stop, ...known });
  } else {
    builder.if(
      space.test,
      () => copyFrom(context, space.yes, view),
      () => copyFrom(context, space.no, view),
    );
  }
}

function copyNormalFrom(
  context: LowerContext,
  space: SpaceRef,
  view: ViewValue,
  form: Scalar,
): void {
  const { builder } = context;
  if ("one" in space) {
    const { start, stop } = view;
    builder.push({ do: "copyNormal", space: space.one, start, stop, form });
  } else {
    builder.if(
      space.test,
      () => copyNormalFrom(context, space.yes, view, form),
      () => copyNormalFrom(context, space.no, view, form),
    );
  }
}

function repeatFrom(
  context: LowerContext,
  space: SpaceRef,
  view: ViewValue,
  count: Scalar,
): void {
  const { builder } = context;
  if ("one" in space) {
    const { start, stop } = view;
    builder.push({ do: "repeat", space: space.one, start, stop, count });
  } else {
    builder.if(
      space.test,
      () => repeatFrom(context, space.yes, view, count),
      () => repeatFrom(context, space.no, view, count),
    );
  }
}

/** Writes a code point that is not known in UTF-8; what is no code point becomes U+FFFD. */
function putEncoded(context: LowerContext, char: Scalar, put: (byte: Scalar) => void): void {
  const { builder } = context;
  const lead = (value: Scalar, mark: number, by: number) =>
    binary("|", binary(">>", value, int(by)), int(mark));
  const rest = (value: Scalar, by: number) =>
    binary("|", binary("&", binary(">>", value, int(by)), int(0x3f)), int(0x80));
  const isChar = and(
    binary("<u", char, int(0x110000)),
    or(binary("<", char, int(0xd800)), binary(">=", char, int(0xe000))),
  );
  builder.if(binary("<u", char, int(0x80)), () => put(char), () => {
    builder.if(binary("<u", char, int(0x800)), () => {
      put(lead(char, 0xc0, 6));
      put(rest(char, 0));
    }, () => {
      const valid = builder.stable("valid", select(isChar, char, int(0xfffd)));
      builder.if(binary("<", valid, int(0x10000)), () => put(lead(valid, 0xe0, 12)), () => {
        put(lead(valid, 0xf0, 18));
        put(rest(valid, 12));
      });
      put(rest(valid, 6));
      put(rest(valid, 0));
    });
  });
}
