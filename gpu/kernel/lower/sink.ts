/**
 * Sinks at compile time: where the text that an operation writes goes.
 *
 * @module
 */

import { encodeChar } from "../fold/interpret.ts";
import type { Scalar, Space, Stmt } from "../ir/ir.ts";
import type { HostFunction } from "../language/host_functions.ts";
import type { LowerContext } from "./lower_context.ts";
import type { SpaceRef, ViewValue } from "./lower_value.ts";
import { and, binary, constantOf, int, or, select } from "../ir/scalar.ts";
import { type AsciiRun, ROW_RUN } from "./ascii_run.ts";
import { sizeOf } from "./view.ts";

/** Turns code points and views into statements. */
export interface LowerSink {
  put(char: Scalar): void;
  copy(view: ViewValue): void;
  /** Takes a view `count` times; not at all if `count` is 0 or less. */
  repeat(view: ViewValue, count: Scalar): void;
  /** Takes what a host function writes. A float among `args` is followed by its bits. */
  hostCall(name: HostFunction, view: ViewValue | null, args: readonly Scalar[]): void;
  /** Takes a view as an item. Only the sink of a list has this. */
  item?(view: ViewValue): void;
  /** Takes a number as an item. Only the sink of a list of numbers has this. */
  number?(value: Scalar): void;
  /** Ends an item. Only the sink of a list has this. */
  endItem?(): void;
  /** The effect on runs of ASCII characters, each of which becomes one character. */
  readonly run?: AsciiRun | undefined;
}

/** The longest literal, in bytes, that is appended byte by byte. */
const MAX_PUT_LITERAL = 8;

/** Creates the sink that appends to the text of the row. */
export function rowSink(context: LowerContext): LowerSink {
  const { builder } = context;
  const put = (byte: Scalar) => builder.push({ do: "put", byte });
  const copy = (view: ViewValue) => {
    if (!view.ascii) context.asciiText = false;
    const bytes = context.bytesOf(view);
    if (bytes !== null && bytes.length <= MAX_PUT_LITERAL) {
      for (const byte of bytes) put(int(byte));
    } else {
      const { space, start, stop } = view;
      const most = builder.facts.mostOf(sizeOf(view));
      const known = most === undefined ? {} : { maxBytes: most };
      pushFrom(context, space, (one) => ({ do: "copy", space: one, start, stop, ...known }));
    }
  };
  return {
    run: ROW_RUN,
    put(char) {
      const constant = constantOf(char);
      if (constant !== undefined) {
        const bytes = encodeChar(Number(constant));
        if (bytes.length > 1) context.asciiText = false;
        for (const byte of bytes) put(int(byte));
      } else if (builder.facts.isAscii(char)) {
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
      const { space, start, stop } = view;
      const times = builder.stable("count", count);
      pushFrom(context, space, (one) => ({ do: "repeat", space: one, start, stop, count: times }));
    },
    hostCall(name, view, args) {
      if (view === null) return builder.push({ do: "hostCall", name, space: null, args });
      // ASCII text is normal in every form.
      if (name === "copyNormal" && view.ascii) return copy(view);
      if (!view.ascii) context.asciiText = false;
      const { start, stop } = view;
      pushFrom(
        context,
        view.space,
        (space) => ({ do: "hostCall", name, space, args: [start, stop, ...args] }),
      );
    },
  };
}

/**
 * Creates the sink that appends to the items of the row; `backward` puts each item before the
 * others.
 */
export function listSink(context: LowerContext, backward: boolean): LowerSink {
  const { builder } = context;
  const sink = rowSink(context);
  const endItem = () => builder.push({ do: "endItem" });
  return {
    ...sink,
    endItem,
    item(view) {
      if (backward) builder.push({ do: "beginItem", bytes: binary("-", view.stop, view.start) });
      sink.copy(view);
      endItem();
    },
    number: (value) => builder.push({ do: "number", value }),
  };
}

/** Pushes a statement that reads a text, with a branch for each space that the text may be in. */
function pushFrom(
  context: LowerContext,
  space: SpaceRef,
  statement: (space: Space) => Stmt,
): void {
  const { builder } = context;
  if ("one" in space) return builder.push(statement(space.one));
  builder.if(
    space.test,
    () => pushFrom(context, space.yes, statement),
    () => pushFrom(context, space.no, statement),
  );
}

/**
 * Writes a code point that is not known at compile time in UTF-8; an invalid one becomes U+FFFD.
 */
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
