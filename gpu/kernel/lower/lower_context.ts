/**
 * The state that all parts of the lowering of one kernel share.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { Scalar, Variant } from "../ir/ir.ts";
import type { LowerValue, NullExit, ScalarPair, ViewValue } from "./lower_value.ts";
import { ScratchWords } from "./scratch.ts";
import { RepeatedCalls } from "./repeated_calls.ts";
import { RowBuilder } from "./row_builder.ts";
import { bool, int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

/** Decodes bytes to one character each: a key that is much shorter than their decimal numbers. */
const oneCharacterEach = new TextDecoder("latin1");

/** The functions that lower the trees below another one. */
interface TreeLowering {
  /** Returns the text of a tree as a view. Takes the exit if it is null. */
  viewOf(context: LowerContext, tree: Tree, onNull: NullExit): ViewValue;
  /** Returns the fixed-width value of a tree; with `asFloat`, every float is one f64. */
  valueOf(context: LowerContext, tree: Tree, onNull: NullExit, asFloat?: boolean): Scalar;
  /** Returns 128 bits of a tree in two stable i64: the digits of a decimal, or an integer. */
  pairOf(context: LowerContext, tree: Tree, onNull: NullExit): ScalarPair;
}

/** The input of lowering: a kernel, or a function alone. */
interface LowerOptions {
  /** The types of the columns of the program. */
  readonly types: readonly ColumnType[];
  readonly variant: Variant;
  readonly tree: Tree;
  /** The number of first columns whose text is always ASCII, whatever the variant. Default: 0. */
  readonly asciiColumns?: number | undefined;
  /** Absent if a function is lowered alone. */
  readonly trees?: TreeLowering;
}

/** The results that one kernel collects while it is lowered. */
export class LowerContext {
  readonly builder: RowBuilder = new RowBuilder();
  readonly variant: Variant;
  /** The indices of the program's columns that the code reads, in the order of first use. */
  readonly columns: number[] = [];
  readonly columnTypes: ColumnType[] = [];
  readonly tables: Int32Array[] = [];
  readonly scratch: ScratchWords = new ScratchWords();
  /** The calls that occur more than once. */
  readonly repeated: RepeatedCalls;
  /** The values of the calls that were kept. */
  readonly values: LowerValue[] = [];
  /** Whether no byte of the result can be 0x80 or more. */
  asciiText = true;
  /** Whether some path ends in a null row. */
  hasNull = false;
  readonly #types: readonly ColumnType[];
  readonly #asciiColumns: number;
  /** The bytes of all literals, with spare bytes after them. */
  #literals = new Uint8Array(256);
  #numLiteralBytes = 0;
  readonly #literalStarts = new Map<string, number>();

  readonly #trees: TreeLowering | undefined;

  constructor({ types, variant, tree, asciiColumns = 0, trees }: LowerOptions) {
    this.repeated = new RepeatedCalls(tree);
    this.#types = types;
    this.#asciiColumns = asciiColumns;
    this.#trees = trees;
    this.variant = variant;
  }

  /**
   * The functions that lower other trees: trees contain each other, but the files that lower them
   * do not import each other.
   */
  get trees(): TreeLowering {
    if (this.#trees === undefined) {
      throw new InternalError("A function alone has no trees below it");
    }
    return this.#trees;
  }

  get literals(): Uint8Array {
    return this.#literals.slice(0, this.#numLiteralBytes);
  }

  /** Returns the number in the code of a column of the program. */
  column(index: number): number {
    const known = this.columns.indexOf(index);
    if (known >= 0) return known;
    const type = this.#types[index];
    if (type === undefined) throw new RangeError(`The program has no column ${index}`);
    this.columnTypes.push(type);
    return this.columns.push(index) - 1;
  }

  /** Takes the exit if a row of a column of the program is null. */
  checkValid(index: number, onNull: NullExit): void {
    if (this.variant.nullable[index] !== true) return;
    const key = `valid ${index}`;
    const { builder } = this;
    if (builder.facts.recall(key) !== undefined) return;
    builder.if({ op: "valid", type: "bool", column: this.column(index) }, () => {}, onNull);
    builder.facts.remember(key, bool(true));
  }

  /** Whether the text of a column of the program is ASCII. */
  isAscii(index: number): boolean {
    return this.variant.ascii || index < this.#asciiColumns;
  }

  /** Returns a view of constant bytes. */
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

  /** Appends bytes to the literals, and returns their start. */
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

  /** Returns the bytes of a view that is known at compile time, or null. */
  bytesOf(view: ViewValue): Uint8Array | null {
    const { space, start, stop } = view;
    if (!("one" in space) || space.one.space !== "literals") return null;
    if (start.op !== "const" || stop.op !== "const") return null;
    return this.#literals.subarray(Number(start.value), Number(stop.value));
  }

  /** Returns the number of a constant table. */
  table(entries: Int32Array): number {
    const known = this.tables.findIndex((table) =>
      table.length === entries.length && table.every((entry, index) => entry === entries[index])
    );
    return known >= 0 ? known : this.tables.push(entries) - 1;
  }
}
