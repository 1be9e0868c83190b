/**
 * The idioms of loops: the effect of a loop as a whole, found once and carried by the loop, so that
 * no emitter has to find it again.
 *
 * | idiom    | the loop                                             | how it is found            |
 * | -------- | ---------------------------------------------------- | -------------------------- |
 * | `seek`   | moves to the next place of a needle                  | lowering writes the loop   |
 * | `count`  | counts the characters that begin in a text           | lowering writes the loop   |
 * | `walk`   | moves forward or backward over some characters       | lowering writes the loop   |
 * | `match`  | moves to the first byte in which two texts differ    | lowering writes the loop   |
 * | `follow` | follows the states of a table through a text         | lowering writes the loop   |
 * | `skip`   | passes over bytes up to one that stops it            | `skipOf`, by its shape     |
 * | `map`    | appends a byte for each byte up to one that stops it | `mapOf`, by its shape      |
 *
 * `ir/ir.ts` describes the contents of each idiom.
 *
 * @module
 */

import type { Count, Follow, MapBytes, Match, Scalar, Seek, Skip, Stmt, Walk } from "../ir/ir.ts";
import { LOOP_BYTE } from "../ir/loop_idiom.ts";
import { binary, bool, int, isConstant, sameScalar } from "../ir/scalar.ts";
import { childrenOf, mapBodies, mapChildren, someScalar } from "../ir/visit.ts";
import type { LowerContext } from "./lower_context.ts";
import type { ViewValue } from "./lower_value.ts";
import type { Local } from "./row_locals.ts";

/** Returns the idiom of a search in a text column, from `at` to `last`. */
export function seekOf(
  context: LowerContext,
  text: ViewValue,
  needle: ViewValue,
  at: Local,
  last: Scalar,
  backward: boolean,
): Seek | undefined {
  const column = textColumnOf(context, text);
  const bytes = context.bytesOf(needle);
  if (column === undefined || !("one" in needle.space) || bytes?.length === 0) return undefined;
  const wanted = { space: needle.space.one, start: needle.start, stop: needle.stop };
  return { does: "seek", at: at.name, last, column, needle: wanted, bytes, backward };
}

/** Returns the idiom of a count of characters in a text column. */
export function countOf(
  context: LowerContext,
  text: ViewValue,
  total: Local,
  at: Local,
): Count | undefined {
  const column = textColumnOf(context, text);
  if (column === undefined) return undefined;
  return { does: "count", total: total.name, at: at.name, stop: text.stop, column };
}

/** Returns the idiom of a walk over characters in a text column, forward or backward from `at`. */
export function walkOf(
  context: LowerContext,
  text: ViewValue,
  at: Local,
  { left, count, backward }: { left: Local; count: Scalar; backward: boolean },
): Walk | undefined {
  const column = textColumnOf(context, text);
  if (column === undefined) return undefined;
  const bound = backward ? int(0) : binary("-", text.stop, text.start);
  const base = text.start;
  return { does: "walk", at: at.name, left: left.name, count, bound, backward, column, base };
}

/** Returns the idiom of a comparison of two texts, each of which is always in one space. */
export function matchOf(
  offset: Local,
  size: Scalar,
  left: ViewValue,
  right: ViewValue,
): Match | undefined {
  if (!("one" in left.space) || !("one" in right.space)) return undefined;
  return {
    does: "match",
    offset: offset.name,
    size,
    left: { space: left.space.one, start: left.start },
    right: { space: right.space.one, start: right.start },
  };
}

/** Returns the idiom of following states through a text column. */
export function followOf(
  context: LowerContext,
  text: ViewValue,
  walk: Omit<Follow, "does" | "column">,
): Follow | undefined {
  const column = textColumnOf(context, text);
  return column === undefined ? undefined : { does: "follow", ...walk, column };
}

/** Returns the column that has the text in its rows; the rows of lists are no texts. */
function textColumnOf(context: LowerContext, { space }: ViewValue): number | undefined {
  if (!("one" in space) || space.one.space !== "column") return undefined;
  const { column } = space.one;
  return context.columnTypes[column]?.kind === "string" ? column : undefined;
}

/** Returns the same code with an idiom in each loop that has one. */
export function withIdioms(body: readonly Stmt[]): readonly Stmt[] {
  return body.map((stmt) => {
    const idiom = stmt.do === "loop" ? stmt.idiom ?? skipOf(stmt) ?? mapOf(stmt) : null;
    return stmt.do === "loop" && idiom !== null ? { ...stmt, idiom } : mapBodies(stmt, withIdioms);
  });
}

/** Returns a loop as a `skip`, if it only passes over bytes. */
function skipOf({ label, test, body, update }: Stmt & { do: "loop" }): Skip | null {
  const step = body.at(-1);
  if (update.length > 0 || step?.do !== "set" || test.op !== "binary") return null;
  const { name } = step;
  const { fn, left, right: bound } = test;
  const backward = fn === ">";
  if (!backward && fn !== "<" || left.op !== "local" || left.name !== name) return null;
  const values = new Map<string, Scalar>();
  const meaning = (scalar: Scalar) => replaced(scalar, (local) => values.get(local));
  let stops: Scalar | null = null;
  for (const statement of body.slice(0, -1)) {
    if (statement.do === "let") {
      values.set(statement.name, meaning(statement.value));
    } else if (stops === null && isExit(statement, label)) {
      stops = meaning(statement.test);
    } else {
      return null;
    }
  }
  const next = meaning(step.value);
  const by = next.op === "binary" && next.fn === "+" && isLocal(next.left, name)
    ? next.right
    : null;
  if (by?.op !== "const" || by.value !== (backward ? -1 : 1)) return null;
  const byte = stops === null ? null : byteIn(stops);
  if (stops === null || byte === null || byte.space.space !== "column") return null;
  const { at } = byte;
  if (at.op !== "binary" || at.fn !== "+") return null;
  const isPlace = backward ? sameScalar(at.right, next) : isLocal(at.right, name);
  if (!isPlace || reads(at.left, name) || reads(bound, name)) return null;
  const ofByte = withoutByte(stops, byte);
  return isOfByte(ofByte)
    ? {
      does: "skip",
      at: name,
      bound,
      backward,
      column: byte.space.column,
      base: at.left,
      stops: ofByte,
    }
    : null;
}

/** Returns a loop as a `map`, if it only appends a byte for each byte. */
function mapOf({ label, test, body, update }: Stmt & { do: "loop" }): MapBytes | null {
  const [step] = update;
  const put = body.at(-1);
  if (update.length !== 1 || step?.do !== "set" || put?.do !== "put") return null;
  const { name, value: next } = step;
  const isStep = next.op === "binary" && next.fn === "+" && isLocal(next.left, name) &&
    next.right.op === "const" && next.right.value === 1;
  const isBelow = test.op === "binary" && test.fn === "<" && isLocal(test.left, name);
  if (!isStep || !isBelow || reads(test.right, name)) return null;
  const values = new Map<string, Scalar>();
  const meaning = (scalar: Scalar) => replaced(scalar, (local) => values.get(local));
  let exit: Scalar = bool(false);
  for (const statement of body.slice(0, -1)) {
    if (statement.do === "let") values.set(statement.name, meaning(statement.value));
    else if (isConstant(exit, false) && isExit(statement, label)) exit = meaning(statement.test);
    else return null;
  }
  const appended = meaning(put.byte);
  const byte = byteIn(appended);
  if (byte === null || byte.space.space !== "column" || !isLocal(byte.at, name)) return null;
  const [value, stops] = [withoutByte(appended, byte), withoutByte(exit, byte)];
  const { column } = byte.space;
  return isOfByte(value) && isOfByte(stops)
    ? { does: "map", at: name, bound: test.right, column, stops, value }
    : null;
}

function isExit(statement: Stmt, label: string): statement is Stmt & { do: "if" } {
  if (statement.do !== "if" || statement.else.length > 0 || statement.then.length !== 1) {
    return false;
  }
  const [jump] = statement.then;
  return jump?.do === "break" && jump.label === label;
}

/** A byte that a scalar reads. */
type ByteScalar = Scalar & { readonly op: "byte" };

/** Whether a scalar is a local. */
function isLocal(scalar: Scalar, name: string): boolean {
  return scalar.op === "local" && scalar.name === name;
}

/** Returns the first byte that a scalar reads, or null. */
function byteIn(scalar: Scalar): ByteScalar | null {
  if (scalar.op === "byte") return scalar;
  for (const part of childrenOf(scalar)) {
    const byte = byteIn(part);
    if (byte !== null) return byte;
  }
  return null;
}

/** Returns a scalar in which `LOOP_BYTE` stands for a byte. */
function withoutByte(scalar: Scalar, byte: ByteScalar): Scalar {
  if (sameScalar(scalar, byte)) return { op: "local", type: "i32", name: LOOP_BYTE };
  return mapChildren(scalar, (part) => withoutByte(part, byte));
}

/** Whether a scalar consists of `LOOP_BYTE` and constants alone. */
function isOfByte(scalar: Scalar): boolean {
  if (scalar.op === "local") return scalar.name === LOOP_BYTE;
  const parts = childrenOf(scalar);
  return scalar.op === "const" || parts.length > 0 && scalar.op !== "byte" && parts.every(isOfByte);
}

/** Whether a scalar reads a local. */
function reads(scalar: Scalar, name: string): boolean {
  return someScalar(scalar, (part) => isLocal(part, name));
}

/** Returns a scalar with values for locals. */
function replaced(scalar: Scalar, valueOf: (local: string) => Scalar | undefined): Scalar {
  if (scalar.op === "local") return valueOf(scalar.name) ?? scalar;
  return mapChildren(scalar, (part) => replaced(part, valueOf));
}
