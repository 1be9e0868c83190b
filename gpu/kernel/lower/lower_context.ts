/**
 * The state that all parts of the lowering of one kernel share.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { Variant } from "../ir/ir.ts";
import type { LowerValue, NullExit, ViewValue, Words } from "./lower_value.ts";
import { ScratchWords } from "./scratch.ts";
import { RepeatedCalls } from "./repeated_calls.ts";
import { RowBuilder } from "./row_builder.ts";
import { bool, int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

/** Bytes as text of one character each, which tells them apart in a fraction of their decimals. */
const oneCharacterEach = new TextDecoder("latin1");

/** The functions that lower the trees below another one. */
interface TreeLowering {
  /** The text of a tree whose bytes lie somewhere. Leaves where it is null. */
  viewOf(context: LowerContext, tree: Tree, onNull: NullExit): ViewValue;
  /** The value of a tree of fixed width; with `asFloat` every float is one f64. */
  valueOf(context: LowerContext, tree: Tree, onNull: NullExit, asFloat?: boolean): Words;
}

/** The purpose of lowering: a kernel, or a function alone. */
interface LowerOptions {
  /** Types of the columns of the program. */
  readonly types: readonly ColumnType[];
  readonly variant: Variant;
  readonly tree: Tree;
  /** Text of the columns below this is ASCII whatever the variant says; 0 by default. */
  readonly asciiColumns?: number | undefined;
  /** Absent where a function is lowered alone. */
  readonly trees?: TreeLowering;
}

/** The results that one kernel collects while it is lowered. */
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

  /** The number in the code for a column of the program. */
  column(index: number): number {
    const known = this.columns.indexOf(index);
    if (known >= 0) return known;
    const type = this.#types[index];
    if (type === undefined) throw new RangeError(`The program has no column ${index}`);
    this.columnTypes.push(type);
    return this.columns.push(index) - 1;
  }

  /** Leaves where a row of a column of the program is null. */
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
