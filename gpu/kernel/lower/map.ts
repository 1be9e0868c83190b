/**
 * Lowers maps of characters: the sink that calls the row function of a map for each character.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import { type Constant, interpret } from "../fold/interpret.ts";
import { ConstantView } from "../fold/constant_view.ts";
import type { Scalar } from "../ir/ir.ts";
import { byteAt, type LowerValue, type ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { inlineCall, type Look } from "./row_function.ts";
import type { LowerSink } from "./sink.ts";
import { type AsciiRun, headRun, passRun } from "./ascii_run.ts";
import { decodeRest, sizeByLead } from "./view_characters.ts";
import { sizeOf, within } from "./view.ts";
import { rangesOf } from "../ir/map_ranges.ts";
import type { RowFunction } from "../language/row_function.ts";
import { binary, bool, constantOf, int, not, select } from "../ir/scalar.ts";
import { bodyOf } from "../parse/row_code.ts";

/**
 * The most ranges of bytes, each moved by one amount, for which a map is computed and not looked
 * up.
 */
const MAX_RANGES = 4;

/** The forms in which text reaches the sink of a map. */
interface MapInput {
  /**
   * Whether the text is being written; otherwise it comes as one view. A map that looks gets ASCII
   * text only while it is being written.
   */
  readonly isWritten: boolean;
  /** Jumps to the end of the code that produces the text: the map needs no more of it. */
  readonly leave?: () => void;
}

/**
 * Returns a sink that puts every character through a map before it goes to `inner`. The state of
 * the map starts here.
 */
export function mapSink(
  context: LowerContext,
  fn: RowFunction,
  args: readonly LowerValue[],
  inner: LowerSink,
  { isWritten, leave }: MapInput,
): LowerSink {
  const { builder } = context;
  const { canEnd, ...body } = bodyOf(fn);
  const state = body.state.map(({ name, initial }) => builder.variable(name, int(initial)));
  const constants = args.map((arg) => constantArgument(context, arg));
  const isKnown = !fn.hasState && constants.every((arg) => arg !== undefined);
  const known = isKnown ? constants as Constant[] : [];
  const table = isKnown ? asciiTable(fn, known) : null;

  // If the code of the text cannot be left, the characters after the end are skipped one by one.
  const ended = canEnd && leave === undefined ? builder.variable("ended", bool(false)) : null;
  const onEnd = leave ?? (() => ended && builder.set(ended, bool(true)));
  const putAny = (char: Scalar, look?: Look): void => {
    const subject: LowerValue = { is: "scalar", scalar: char };
    const around = look === undefined ? {} : { look };
    const put = () =>
      inlineCall(context, {
        ...{ fn, subject, args, sink: inner, onNull: () => {}, state, onEnd },
        ...around,
      });
    if (ended === null) put();
    else builder.if(not(ended), put);
  };
  const putAscii = (char: Scalar, look?: Look): void => {
    if (table === null) return putAny(char, look);
    const value = builder.stable("char", char);
    inner.put(builder.facts.markAscii(mappedByte(context, table, value)));
  };
  const mapBytes = (bytes: Uint8Array): Uint8Array | null => {
    const mapped = isKnown ? interpret(fn, new ConstantView(bytes), known) : null;
    return mapped?.is === "text" ? mapped.bytes : null;
  };
  const put = (char: Scalar, look?: Look): void => {
    if (builder.facts.isAscii(char)) putAscii(char, look);
    else putAny(char, look);
  };
  const run = table === null || canEnd
    ? headRun(context, fn, args, state, inner.run)
    : inner.run && { ...inner.run, table: table.map((byte) => inner.run?.table[byte] ?? 0) };
  const sink: LowerSink = {
    run,
    put(char) {
      if (fn.looks) return put(builder.facts.markAscii({ ...char }));
      const constant = constantOf(char);
      if (constant !== undefined && isKnown) {
        const result = interpret(fn, Number(constant), known);
        if (result?.is === "text") return inner.copy(context.literal(result.bytes));
      }
      put(char);
    },
    hostCall(name) {
      throw new InternalError(`What ${name} writes must be a column of its own here`);
    },
    copy(view) {
      const bytes = context.bytesOf(view);
      const mapped = bytes === null ? null : mapBytes(bytes);
      if (mapped !== null) return inner.copy(context.literal(mapped));
      const looks = fn.looks && !isWritten;
      copyCharacters(
        context,
        view,
        {
          putAscii: table === null ? null : putAscii,
          run,
          put: looks ? put : (char) => sink.put(char),
          looks: looks && !(view.ascii && table !== null),
        },
      );
    },
    repeat(view, count) {
      const bytes = context.bytesOf(view);
      const mapped = bytes === null ? null : mapBytes(bytes);
      const times = builder.stable("count", count);
      // If the map shortens the text, the text alone could exceed the limit, which it must without
      // fusion, too.
      if (mapped === null || bytes === null || mapped.length < bytes.length) {
        builder.push({ do: "checkRepeat", size: sizeOf(view), count: times });
      }
      if (mapped !== null) return inner.repeat(context.literal(mapped), times);
      const left = builder.variable("left", times);
      const step = () => builder.set(left, binary("+", left, int(-1)));
      builder.loop("repeat", [() => binary(">", left, int(0))], () => sink.copy(view), step);
    },
  };
  return sink;
}

/** The sink for the characters of a view. */
interface CharacterSink {
  readonly putAscii: ((char: Scalar) => void) | null;
  readonly run: AsciiRun | undefined;
  put(char: Scalar, look?: Look): void;
  /** Whether it needs the position of each character. */
  readonly looks: boolean;
}

/** Puts the characters of a view one by one, or runs of ASCII. */
function copyCharacters(
  context: LowerContext,
  view: ViewValue,
  { putAscii, run, put, looks }: CharacterSink,
): void {
  const { builder } = context;
  const at = builder.variable("at", view.start);
  const hasNext = () => binary("<", at, view.stop);
  const byte = () => byteAt(view.space, at);
  const step = (by: Scalar) => builder.set(at, binary("+", at, by));
  const look = (): Look | undefined => {
    if (!looks) return undefined;
    const position = builder.stable("position", binary("-", at, view.start));
    return { text: view, at: within(context, view, position) };
  };
  if (view.ascii) {
    const body = () => put(builder.stable("char", builder.facts.markAscii(byte())), look());
    return builder.loop("copy", [hasNext], body, () => step(int(1)));
  }
  const putByte = (table: Uint8Array) => (char: Scalar) =>
    builder.push({ do: "put", byte: mappedByte(context, table, char) });
  builder.loop("copy", [hasNext], ({ leave }) => {
    if (run !== undefined) {
      builder.if(binary("<", byte(), int(0x80)), () => {
        builder.if(not(passRun(context, view, at, run, putByte(run.table))), leave);
      });
    }
    const lead = builder.stable("lead", byte());
    const decoded = () => {
      const size = builder.stable("size", sizeByLead(lead));
      const char = builder.variable("char", lead);
      decodeRest(context, view, at, char);
      const around = look();
      step(size);
      put(builder.stable("char", char), around);
    };
    if (putAscii === null || run !== undefined) return decoded();
    builder.if(binary("<", lead, int(0x80)), () => {
      putAscii(builder.stable("char", builder.facts.markAscii({ ...lead })));
      step(int(1));
    }, decoded);
  }, () => {});
}

function constantArgument(context: LowerContext, arg: LowerValue): Constant | undefined {
  if (arg.is === "scalar") return constantOf(arg.scalar);
  const bytes = arg.is === "view" ? context.bytesOf(arg.view) : null;
  return bytes === null ? undefined : new ConstantView(bytes);
}

const tables = new WeakMap<RowFunction, Uint8Array | null>();

/**
 * Maps the 128 ASCII characters, if each becomes one ASCII character; returns null if some do not.
 */
export function asciiTable(fn: RowFunction, args: readonly Constant[]): Uint8Array | null {
  const known = args.length === 0 ? tables.get(fn) : undefined;
  if (known !== undefined) return known;
  const table = makeTable(fn, args);
  if (args.length === 0) tables.set(fn, table);
  return table;
}

function makeTable(fn: RowFunction, args: readonly Constant[]): Uint8Array | null {
  if (fn.hasState) return null;
  const table = new Uint8Array(128);
  for (let char = 0; char < 128; char++) {
    const result = interpret(fn, char, args);
    const byte = result?.is === "text" && result.bytes.length === 1 ? result.bytes[0] : undefined;
    if (byte === undefined || byte >= 0x80) return null;
    table[char] = byte;
  }
  return table;
}

function mappedByte(context: LowerContext, table: Uint8Array, char: Scalar): Scalar {
  if (char.op === "const") return int(table[Number(char.value)] ?? 0);
  const ranges = rangesOf(table);
  if (ranges.length > MAX_RANGES) {
    return { op: "table", type: "i32", table: context.table(Int32Array.from(table)), at: char };
  }
  return ranges.reduce<Scalar>((rest, { first, last, by }) => {
    const isInside = binary("<u", binary("-", char, int(first)), int(last - first + 1));
    return select(isInside, binary("+", char, int(by)), rest);
  }, char);
}
