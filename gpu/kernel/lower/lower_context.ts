import type { ColumnType } from "../../column/column.ts";
import type { LowerValue } from "./inline_locals.ts";
import type { Scalar, Space, Variant } from "../ir/ir.ts";
import { ScratchWords } from "./scratch.ts";
import { RepeatedCalls } from "./repeated_calls.ts";
import { RowBuilder } from "./row_builder.ts";
import { int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

/** Bytes as text of one character each, which tells them apart in a fraction of their decimals. */
const oneCharacterEach = new TextDecoder("latin1");

/** A place of text, or one of two that a bool decides between. */
export type SpaceRef =
  | { readonly one: Space }
  | { readonly test: Scalar; readonly yes: SpaceRef; readonly no: SpaceRef };

/** A view at compile time: no object, but a place and two absolute positions. */
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

/** Leaves where a value turns out to be null. */
export type NullExit = () => void;

/** What one kernel collects while it is lowered. */
export class LowerContext {
  readonly builder: RowBuilder = new RowBuilder();
  readonly variant: Variant;
  /** Numbers of the program's columns that the code reads, in the order of first use. */
  readonly columns: number[] = [];
  readonly columnTypes: ColumnType[] = [];
  readonly tables: Int32Array[] = [];
  readonly scratch: ScratchWords = new ScratchWords();
  /** The calls whose values are kept. */
  readonly repeated: RepeatedCalls;
  /** Values of calls that were kept. */
  readonly values: LowerValue[] = [];
  /** Whether no byte of the result can be 0x80 or more. */
  asciiText = true;
  /** Whether some path ends in a null row. */
  hasNull = false;
  readonly #types: readonly ColumnType[];
  readonly #asciiColumns: number;
  /** The bytes of all literals, and room for more. */
  #literals = new Uint8Array(256);
  #numLiteralBytes = 0;
  readonly #literalStarts = new Map<string, number>();

  /** In addition to what the variant says, the text of the columns below `asciiColumns` is ASCII. */
  constructor(types: readonly ColumnType[], variant: Variant, tree: Tree, asciiColumns = 0) {
    this.repeated = new RepeatedCalls(tree);
    this.#types = types;
    this.#asciiColumns = asciiColumns;
    this.variant = variant;
  }

  get literals(): Uint8Array {
    return this.#literals.slice(0, this.#numLiteralBytes);
  }

  /** The number in the code for a column of the program. */
  column(index: number): number {
    const known = this.columns.indexOf(index);
    if (known >= 0) return known;
    const type = this.#types[index];
    if (type === undefined) throw new RangeError(`The program has no column ${index}`);
    this.columnTypes.push(type);
    return this.columns.push(index) - 1;
  }

  /** Whether the text of a column of the program is ASCII. */
  isAscii(index: number): boolean {
    return this.variant.ascii || index < this.#asciiColumns;
  }

  /** A view on constant bytes. */
  literal(bytes: Uint8Array): ViewValue {
    const key = oneCharacterEach.decode(bytes);
    let start = this.#literalStarts.get(key);
    if (start === undefined) {
      start = this.#addLiteral(bytes);
      this.#literalStarts.set(key, start);
    }
    return {
      space: { one: { space: "literals" } },
      start: int(start),
      stop: int(start + bytes.length),
      ascii: bytes.every((byte) => byte < 0x80),
    };
  }

  /** Keeps bytes behind all others, and gives where they start. */
  #addLiteral(bytes: Uint8Array): number {
    const start = this.#numLiteralBytes;
    const stop = start + bytes.length;
    if (stop > this.#literals.length) {
      const literals = new Uint8Array(2 * stop);
      literals.set(this.#literals);
      this.#literals = literals;
    }
    this.#literals.set(bytes, start);
    this.#numLiteralBytes = stop;
    return start;
  }

  /** The bytes of a view that is known at compile time, or null. */
  bytesOf(view: ViewValue): Uint8Array | null {
    const { space, start, stop } = view;
    if (!("one" in space) || space.one.space !== "literals") return null;
    if (start.op !== "const" || stop.op !== "const") return null;
    return this.#literals.subarray(Number(start.value), Number(stop.value));
  }

  /** The number of a constant table. */
  table(entries: Int32Array): number {
    const known = this.tables.findIndex((table) =>
      table.length === entries.length && table.every((entry, index) => entry === entries[index])
    );
    return known >= 0 ? known : this.tables.push(entries) - 1;
  }
}

/** Whether two places are the same for certain. */
export function sameSpace(left: SpaceRef, right: SpaceRef): boolean {
  if (!("one" in left) || !("one" in right)) return left === right;
  if (left.one.space === "literals") return right.one.space === "literals";
  return right.one.space === "column" && left.one.column === right.one.column;
}

/** The byte at an absolute position of a place. */
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

/** A text that is the same for equal views. */
export function spaceKey(space: SpaceRef): string {
  if ("one" in space) {
    return space.one.space === "literals" ? "literals" : `column${space.one.column}`;
  }
  const { test, yes, no } = space;
  return `(${test.op === "local" ? test.name : "?"}?${spaceKey(yes)}:${spaceKey(no)})`;
}
