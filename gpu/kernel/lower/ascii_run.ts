/**
 * Runs of ASCII characters in any text that goes through maps into the text of the row. If each map
 * makes one ASCII character of one, a run is mapped byte by byte, which emitters turn into words,
 * and only the characters between the runs are decoded.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { RowFunction } from "../language/row_function.ts";
import { bodyOf, type RowBody, type RowExpr, type RowStmt } from "../parse/row_code.ts";
import { binary, int } from "../ir/scalar.ts";
import type { LowerContext } from "./lower_context.ts";
import { byteAt, type LowerValue, type ViewValue } from "./lower_value.ts";
import type { Local } from "./row_locals.ts";

/** The path of a run of ASCII characters to the text of the row. */
export interface AsciiRun {
  /** The results of the 128 ASCII characters. */
  readonly table: Uint8Array;
  /** Returns the number of characters that are wanted; absent for all. */
  readonly room?: () => Scalar;
  /** Records the number of characters that were appended. */
  taken(count: Scalar): void;
}

/** The run of the text of the row itself. */
export const ROW_RUN: AsciiRun = {
  table: Uint8Array.from({ length: 128 }, (_, char) => char),
  taken: () => {},
};

/**
 * Returns a run that goes through a map which takes only the first characters of a text; undefined
 * for other maps.
 */
export function headRun(
  { builder }: LowerContext,
  fn: RowFunction,
  args: readonly LowerValue[],
  [position]: readonly Local[],
  inner: AsciiRun | undefined,
): AsciiRun | undefined {
  const head = headOf(bodyOf(fn));
  const start = head && args[head.start];
  const stop = head && args[head.stop];
  const isHead = start?.is === "scalar" && start.scalar.op === "const" && start.scalar.value === 0;
  if (!isHead || stop?.is !== "scalar" || position === undefined || inner === undefined) {
    return undefined;
  }
  const left = () => binary("-", stop.scalar, position);
  const { room } = inner;
  return {
    table: inner.table,
    room: room === undefined ? left : () => builder.min(left(), room()),
    taken(count) {
      builder.set(position, binary("+", position, count));
      inner.taken(count);
    },
  };
}

/**
 * Puts the run of ASCII characters of a view that begins at a place, and moves the place after it.
 * Returns whether another wanted character follows.
 */
export function passRun(
  { builder }: LowerContext,
  view: ViewValue,
  at: Local,
  { room, taken }: AsciiRun,
  put: (char: Scalar) => void,
): Scalar {
  const from = builder.stable("from", at);
  const rest = binary("-", view.stop, from);
  // This sum cannot wrap around.
  const most = room === undefined ? undefined : builder.min(builder.stable("room", room()), rest);
  const stop = most === undefined ? view.stop : builder.stable("run_stop", binary("+", from, most));
  const hasNext = () => binary("<", at, stop);
  builder.loop("run", [hasNext], ({ leave }) => {
    const char = builder.stable("char", byteAt(view.space, at));
    builder.if(binary(">=", char, int(0x80)), leave);
    put(builder.facts.markAscii({ ...char }));
  }, () => builder.set(at, binary("+", at, int(1))));
  taken(binary("-", at, from));
  return hasNext();
}

/**
 * Returns the arguments of a map that are the index of the first character it lets through and of
 * the one after the last, counted in a state, if the map does nothing else; null for other maps.
 */
function headOf({ subject, params, state, statements }: RowBody) {
  const [counter] = state;
  const [ends, puts, counts] = statements;
  if (state.length !== 1 || counter?.initial !== 0 || statements.length !== 3) return null;
  const stop = reachedBy(
    counter.name,
    ends,
    ([first, last]) => first?.do === "end" && (last === undefined || last.do === "return"),
  );
  const start = reachedBy(
    counter.name,
    puts,
    ([first, last]) => first?.do === "put" && isName(first.char, subject) && last === undefined,
  );
  const isCount = counts?.do === "set" && counts.name === counter.name &&
    counts.value.op === "binary" && counts.value.fn === "+" &&
    isName(counts.value.left, counter.name) && counts.value.right.op === "const" &&
    counts.value.right.value === 1;
  if (!isCount || start === null || stop === null) return null;
  const places = { start: params.indexOf(start), stop: params.indexOf(stop) };
  return places.start < 0 || places.stop < 0 ? null : places;
}

/** Returns the name in `if (counter >= name) then` if that is the whole statement. */
function reachedBy(
  counter: string,
  statement: RowStmt | undefined,
  isThen: (statements: readonly RowStmt[]) => boolean,
): string | null {
  if (statement?.do !== "if" || statement.else.length > 0 || !isThen(statement.then)) return null;
  const { test } = statement;
  const isTest = test.op === "binary" && test.fn === ">=" && isName(test.left, counter);
  return isTest && test.right.op === "name" ? test.right.name : null;
}

function isName(expr: RowExpr, name: string | null): boolean {
  return expr.op === "name" && expr.name === name;
}
