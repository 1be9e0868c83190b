/**
 * Prints a fused kernel as WGSL. Text and lists take two passes over the same code of a row:
 * `sizes` counts and `write` stores. Text may take the one pass `tiles` instead (`tiles/tiles.ts`).
 * A result of fixed width takes the pass `single`.
 *
 * An invocation owns a row, a workgroup a block of 256 rows. Bindings of group 0, in this order:
 *
 *     params     uniform array<vec4<u32>>: two, the views of bound columns, and [last] if needed
 *                [0] rows; in `sizes` the word of the first block sum, in `single` the word of the
 *                    flag in `output`, in `write` the bytes of text or the numbers of lists;
 *                    rounds that the loops of a row may take, in `write` the number of all items
 *                [1] words in `output`: validity, offsets, data, item offsets; in `sizes` the first
 *                    is the size from which a text counts as long
 *                [2 ...] views of the columns: words of validity, offsets and data, first row; a
 *                    list has a second view with the words of validity and offsets of its items
 *                [last] where long rows run apart, or several lanes copy for a row: the most bytes
 *                    of a row that is not long; lanes of a row
 *     columns    those that the pass reads; text as vec4<u32> where rows are long or have marks
 *     constants  literals, then tables, if the pass reads any
 *     sizes      of `sizes` and `write`: for each row, the bytes (for lists, the numbers) of rows
 *                before it in its block, with the highest bit set where the row is null. Then a sum
 *                for each block. Then, for text, the number of long texts of each block; for lists
 *                of texts, the items in the same form, without that bit
 *     output     of `write` and `single`: a column
 *     long_rows  where a workgroup computes a long row: their number, then the rows
 *     marks      where rows have some: as `lanes/mark_rows.ts` leaves them
 *
 * Between the passes a scan turns the block sums into the bytes before each block. The sizes pass
 * calls `block_scan.wgsl`, which must come before its code. A row whose loops take too many
 * rounds, or whose operands a strict call refuses, is given up: its size becomes endless, or
 * `single` sets the flag. Some drivers end a long loop silently and keep what it has computed by
 * then.
 *
 * @module
 */

import { hasOffsets } from "../../../column/column.ts";
import type { RowKernel, Space } from "../../ir/ir.ts";
import { MarkedLoops } from "./lanes/marked_loops.ts";
import { columnsOf, Marks } from "./lanes/marks.ts";
import { printTogether } from "./long_rows/copy.ts";
import { printCountTogether } from "./long_rows/count.ts";
import { FOLLOW_STATE, printFollow } from "./long_rows/follow.ts";
import { LONG_STATE, longMain, printIsLong, searchedColumns } from "./long_rows/long_rows.ts";
import { printMatchTogether } from "./long_rows/match.ts";
import { SharedLoops } from "./long_rows/shared_loops.ts";
import { printMain } from "./main.ts";
import { countAppends, storeAppends } from "./print/append.ts";
import { ByteSets, SetSearches } from "./print/byte_sets.ts";
import {
  printConstantReads,
  printItemReads,
  printRowReads,
  printSpaceReads,
  viewOf,
  viewsOf,
} from "./print/columns.ts";
import { printCount } from "./print/count.ts";
import { countItems, storeItems } from "./print/items.ts";
import { printMatch } from "./print/match.ts";
import { printNoting } from "./print/noted_copies.ts";
import type { Pass, Rows } from "./print/pass.ts";
import {
  COUNTING_REPEATS,
  COUNTING_REPEATS_TOGETHER,
  printRepeats,
  STORING_REPEATS,
} from "./print/repeat.ts";
import { type Resources, resourcesOf } from "./print/resources.ts";
import { foldKernel } from "./print/rewrite.ts";
import {
  columnBinding,
  columnSpace,
  DIVISION,
  literalSpace,
  type PrintedSpace,
} from "./print/scalar.ts";
import { type BodyOptions, printBody } from "./print/statement.ts";
import { OWN_STEPS, SHARED_STEPS, type Steps } from "./print/steps.ts";
import { printFunction, WgslBuilder } from "./print/wgsl_builder.ts";
import { printCopying, printOutcome, printState, resultBindings } from "./row_state.ts";
import { isNoted, NotedPieces } from "./tiles/noted_pieces.ts";
import { cachedColumns, cachedSpace, printCaches, tilesMain } from "./tiles/tiles.ts";

/** The code of one pass, and the columns and constants that it binds. */
export interface WgslPass {
  readonly code: string;
  /** Indices into `RowKernel.columns`, in the order of their bindings. */
  readonly columns: readonly number[];
  readonly usesConstants: boolean;
}

/** Options of a pass. */
export interface PassOptions {
  /** The rows that the pass computes. Default: all. */
  readonly rows?: Rows;
  /** Whether several lanes share a row, to mark and copy text; not in `tiles`. Default: false. */
  readonly hasLanes?: boolean;
  /** Whether loops count their rounds; `tiles` and long rows need it. Default: true. */
  readonly countsSteps?: boolean;
}

/** Prints one pass of a kernel. */
export function emitWgsl(kernel: RowKernel, pass: Pass, options: PassOptions = {}): WgslPass {
  return new PassPrinter(kernel, pass, options).print();
}

/** The options of a row's code that differ between the functions of a pass. */
type RowOptions = Pick<BodyOptions, "append" | "steps">;

class PassPrinter {
  /** The kernel after `foldKernel`. */
  readonly #kernel: RowKernel;
  readonly #pass: Pass;
  readonly #rows: Rows;
  readonly #hasLanes: boolean;
  readonly #countsSteps: boolean;
  /** The counters of rounds; null if nothing is counted. */
  readonly #steps: Steps | null;
  readonly #marked: MarkedLoops | null;
  readonly #shared: SharedLoops | null;
  readonly #sets: ByteSets;
  readonly #setSearches: SetSearches;
  readonly #reads: Resources;
  /** Indices into `RowKernel.columns` of those that are bound. */
  readonly #columns: readonly number[];
  /** The columns of `#columns` whose text is in workgroup memory. */
  readonly #cached: readonly number[];
  /** The first parameter of each of `#columns`, then the number of parameters so far. */
  readonly #views: readonly number[];
  /** The spaces that text is copied from. */
  readonly #copied: readonly PrintedSpace[];

  constructor(kernel: RowKernel, pass: Pass, options: PassOptions) {
    const { rows = "all", hasLanes = false, countsSteps = true } = options;
    const folded = foldKernel(kernel);
    this.#kernel = folded;
    this.#pass = pass;
    this.#rows = rows;
    this.#hasLanes = hasLanes;
    this.#countsSteps = countsSteps;
    const mayCount = pass !== "write" && countsSteps;
    this.#steps = !mayCount ? null : this.#isLong ? SHARED_STEPS : OWN_STEPS;
    this.#marked = hasLanes ? new MarkedLoops(folded, this.#steps) : null;
    this.#shared = this.#isLong ? new SharedLoops(this.#steps) : null;
    this.#sets = new ByteSets(folded);
    this.#setSearches = new SetSearches(this.#steps);
    this.#reads = resourcesOf(folded, pass, this.#isLong, this.#marked?.marks ?? null);
    this.#columns = [...this.#reads.columns.keys()].sort((a, b) => a - b);
    this.#cached = pass === "tiles" ? cachedColumns(kernel, this.#reads) : [];
    this.#views = viewsOf(this.#columns.map((column) => kernel.columnTypes[column]!));
    this.#copied = this.#spacesCopied();
  }

  print(): WgslPass {
    const module = new WgslBuilder(this.#numParams).bind(...this.#bindings());
    module.add(...this.#state());
    this.#addReads(module);
    if (this.#pass === "tiles") this.#addTiles(module);
    else this.#addRow(module);
    return { code: module.code, columns: this.#columns, usesConstants: this.#usesConstants };
  }

  get #isLong(): boolean {
    return this.#rows === "long";
  }

  get #isMarked(): boolean {
    return this.#marked !== null && this.#marked.marks.list.length > 0;
  }

  get #usesConstants(): boolean {
    return this.#reads.literals.size > 0 || this.#reads.tables.size > 0;
  }

  get #copiesByLanes(): boolean {
    return this.#hasLanes && this.#copied.length > 0;
  }

  /**
   * The number of parameters; the last one exists only for rows that may be long, or for lanes that
   * copy.
   */
  get #numParams(): number {
    return this.#views.at(-1)! + (this.#rows === "all" && !this.#copiesByLanes ? 0 : 1);
  }

  get #lastParam(): string {
    return `params[${this.#numParams - 1}]`;
  }

  #viewOf(column: number): string {
    return viewOf(this.#views[this.#columns.indexOf(column)]!);
  }

  /** Whether the pass reads a column's text 16 bytes at a time. */
  #isWide(column: number): boolean {
    return (this.#isLong || this.#isMarked) && this.#kernel.columnTypes[column]!.kind === "string";
  }

  #spaceOf(space: Space): PrintedSpace {
    if (space.space === "literals") return literalSpace;
    const { column } = space;
    if (this.#cached.includes(column)) return cachedSpace(column);
    return columnSpace(column, this.#viewOf(column), this.#isWide(column));
  }

  #spacesCopied(): PrintedSpace[] {
    const { columns, literals } = this.#reads;
    const copied = this.#columns
      .filter((column) => columns.get(column)!.has("copy"))
      .map((column) => this.#spaceOf({ space: "column", column }));
    return literals.has("copy") ? [...copied, literalSpace] : copied;
  }

  #bindings(): string[] {
    return [
      ...this.#columns.map((column) => columnBinding(column, this.#isWide(column))),
      ...(this.#usesConstants ? ["var<storage, read> constants: array<u32>"] : []),
      ...resultBindings(this.#pass, this.#isLong),
      ...(this.#isMarked ? ["var<storage, read> marks: array<u32>"] : []),
    ];
  }

  #state(): string[] {
    const kernel = this.#kernel;
    const lanes = this.#copiesByLanes ? `${this.#lastParam}.y` : null;
    const copies = this.#copied.length > 0 && this.#pass !== "tiles";
    return [
      printOutcome(kernel),
      this.#reads.scratch ? `var<private> scratch: array<i32, ${kernel.scratchWords ?? 1}>;\n` : "",
      this.#isLong ? LONG_STATE : "",
      this.#steps?.declaration ?? "",
      printState(kernel, this.#pass, this.#isLong, this.#steps),
      copies ? printCopying(this.#copied, this.#isLong, lanes) : "",
      this.#reads.divides ? DIVISION : "",
    ];
  }

  #addReads(module: WgslBuilder): void {
    const { columns, follows, matches, repeats } = this.#reads;
    const steps = this.#steps;
    const isLong = this.#isLong;
    const printLong = isLong
      ? printTogether
      : this.#pass === "tiles"
      ? null
      : printNoting(this.#hasLanes);
    const how = { steps, printLong, printCount: isLong ? printCountTogether : printCount };
    if (this.#pass === "tiles") {
      module.add(
        printCaches(this.#cached.map((column) => ({ column, view: this.#viewOf(column) }))),
      );
    }
    module.addEach(this.#columns.entries(), ([k, column]) => {
      const uses = columns.get(column)!;
      return printSpaceReads(this.#spaceOf({ space: "column", column }), uses, how) +
        printItemReads(column, uses, viewOf(this.#views[k]! + 1));
    });
    module.add(printConstantReads(this.#kernel, this.#reads, printLong));
    if (follows.size > 0) module.add(FOLLOW_STATE);
    module.addEach(follows.values(), (follow) => printFollow(follow, steps));
    const printOne = isLong ? printMatchTogether : printMatch;
    module.addEach(matches.values(), ([left, right]) => printOne(left, right, steps));
    if (repeats) module.add(this.#repeats());
    if (this.#rows === "short") module.add(this.#isLongFunction());
  }

  #repeats(): string {
    if (this.#pass !== "sizes") return STORING_REPEATS + printRepeats(this.#copied);
    return this.#isLong ? COUNTING_REPEATS_TOGETHER : COUNTING_REPEATS;
  }

  #isLongFunction(): string {
    const searched = searchedColumns(this.#kernel).map((column) => ({
      column,
      view: this.#viewOf(column),
      isWide: this.#isWide(column),
    }));
    return printIsLong(searched, `${this.#lastParam}.x`);
  }

  #rowFunction(name: string, options: RowOptions): string {
    const reads = this.#columns.map((column) => {
      const type = this.#kernel.columnTypes[column]!;
      const uses = this.#reads.columns.get(column)!;
      return printRowReads(column, type, uses, this.#viewOf(column), this.#isWide(column));
    });
    const body = printBody(this.#kernel.body, {
      ...options,
      item: this.#pass === "write" ? storeItems : countItems,
      shared: this.#shared,
      marked: this.#marked,
      sets: this.#sets,
      setSearches: this.#setSearches,
    });
    const parameters = `index: u32${options.steps?.parameter ?? ""}`;
    const marks = this.#marked?.printReads() ?? "";
    return printFunction(name, parameters, reads.join("") + marks + body);
  }

  #addRow(module: WgslBuilder): void {
    const kernel = this.#kernel;
    const pass = this.#pass as Exclude<Pass, "tiles">;
    const append = pass === "write" ? storeAppends(kernel) : countAppends(kernel);
    module.add(this.#rowFunction("compute_row", { append, steps: this.#steps }));
    const spaceOf = (space: Space) => this.#spaceOf(space);
    module.add(this.#shared?.print(spaceOf) ?? this.#marked?.print(spaceOf) ?? "");
    module.add(this.#setSearches.print(spaceOf));
    const how = { copies: this.#copied.length > 0, countsSteps: this.#countsSteps };
    module.add(
      this.#rows === "long" ? longMain(kernel, pass) : printMain(kernel, pass, this.#rows, how),
    );
  }

  /** Adds the code of a row and the entry point of `tiles`. */
  #addTiles(module: WgslBuilder): void {
    const kernel = this.#kernel;
    const steps = OWN_STEPS;
    if (isNoted(kernel)) {
      const pieces = new NotedPieces(kernel);
      const counted = this.#rowFunction("compute_row", { append: pieces.count, steps });
      module.add(pieces.printState(), counted, pieces.printStoring());
    } else {
      module.add(
        this.#rowFunction("compute_row", { append: countAppends(kernel), steps }),
        this.#rowFunction("store_row", { append: storeAppends(kernel), steps: null }),
      );
    }
    module.add(tilesMain(kernel, isNoted(kernel)));
    module.add(this.#setSearches.print((space) => this.#spaceOf(space)));
  }
}

/** Returns the indices into `RowKernel.columns` of texts whose long rows a workgroup computes. */
export function columnsWithLongRows(kernel: RowKernel): number[] {
  return searchedColumns(foldKernel(kernel));
}

/** Returns the indices into `RowKernel.columns` of texts that the lanes of a row mark or copy. */
export function columnsWithLanes(kernel: RowKernel): number[] {
  const folded = foldKernel(kernel);
  const pass = hasOffsets(kernel.type) ? "write" : "single";
  const { columns } = resourcesOf(folded, pass, false, null);
  const marked = new Marks(folded).list.flatMap(columnsOf);
  return kernel.columnTypes.flatMap(({ kind }, column) =>
    kind === "string" && (columns.get(column)?.has("copy") || marked.includes(column))
      ? [column]
      : []
  );
}
