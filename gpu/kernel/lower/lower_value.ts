/**
 * Values while a kernel is lowered: scalars of the generated code, and what consists of them.
 *
 * @module
 */

import type { Scalar, Space } from "../ir/ir.ts";

/** A value of the language at compile time. */
export type LowerValue =
  | { readonly is: "scalar"; readonly scalar: Scalar }
  | { readonly is: "view"; readonly view: ViewValue }
  | { readonly is: "list"; readonly list: ListValue }
  /** 64 bits in two i32, or 128 bits in two i64: a subject or a result, never a local. */
  | { readonly is: "wide" } & ScalarPair;

/** The halves of a value. */
export interface ScalarPair {
  readonly low: Scalar;
  readonly high: Scalar;
}

/** A space of text, or a choice between two by a bool. */
export type SpaceRef =
  | { readonly one: Space }
  | { readonly test: Scalar; readonly yes: SpaceRef; readonly no: SpaceRef };

/** A view at compile time: a space and two absolute positions. */
export interface ViewValue {
  readonly space: SpaceRef;
  readonly start: Scalar;
  readonly stop: Scalar;
  /** Whether every byte is below 0x80, so that a byte is a code point. */
  readonly ascii: boolean;
}

/** A list at compile time: the items [start, stop) of a column. */
export interface ListValue {
  readonly column: number;
  readonly start: Scalar;
  readonly stop: Scalar;
}

/** Leaves the code of a value that turns out to be null. */
export type NullExit = () => void;

/** Whether two spaces are certainly the same. */
export function sameSpace(left: SpaceRef, right: SpaceRef): boolean {
  if (!("one" in left) || !("one" in right)) return left === right;
  if (left.one.space === "literals") return right.one.space === "literals";
  return right.one.space === "column" && left.one.column === right.one.column;
}

/** Returns the byte at an absolute position of a space. */
export function byteAt(space: SpaceRef, at: Scalar): Scalar {
  if ("one" in space) return { op: "byte", type: "i32", space: space.one, at };
  return {
    op: "select",
    type: "i32",
    test: space.test,
    yes: byteAt(space.yes, at),
    no: byteAt(space.no, at),
  };
}

/** Returns a text that is the same for equal spaces. */
export function spaceKey(space: SpaceRef): string {
  if ("one" in space) {
    return space.one.space === "literals" ? "literals" : `column${space.one.column}`;
  }
  const { test, yes, no } = space;
  return `(${test.op === "local" ? test.name : "?"}?${spaceKey(yes)}:${spaceKey(no)})`;
}
