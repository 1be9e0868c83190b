/**
 * Prints a fused kernel as WGSL. Text and lists take two passes over the same code of a row: `sizes`
 * counts and `write` stores; a result of fixed width takes the pass `single`.
 *
 * An invocation owns a row, a workgroup a block of 256 rows. Bindings of group 0, in this order:
 *
 *     0  params: uniform array<vec4<u32>, 2 + columns>
 *          [0] rows; word of the first block sum in `sizes`, or in `single` of the flag in
 *              `output`; in `write` the bytes of all text, or all numbers of lists; rounds that the
 *              loops of a row may take, in `write` all items
 *          [1] of the output: validity word, offsets word, data word, word of the item offsets; in
 *              `sizes` the bytes from which on a text counts as long
 *          [2 ...] of each bound column in order: validity word, offsets word, data word, first row;
 *              of a list another one: validity word and offsets word of its items
 *          [last] where long rows are computed apart, or several lanes copy for a row: the most bytes of a
 *              row that is not long; lanes of a row
 *     1  the columns that the pass reads; text as vec4<u32> where rows are long or have marks
 *        constants, if the pass reads any: literals, then tables
 *        sizes (sizes and write): for each row the bytes (of lists of numbers, the numbers) of the
 *          rows before it in its block, with the highest bit set where the row is null; then one sum
 *          for each block; for texts then the long ones of each block, for lists of texts the items
 *          like the bytes, without that bit
 *        output (write and single): a column
 *        the list of long rows, where they are computed: their number, then the rows; or the marks of
 *          the rows, where they have some, as `mark_rows.ts` leaves them
 *
 * Between the passes the block sums are scanned: they become the bytes before each block, so the
 * write pass has nothing to scan. The code of the sizes pass follows `block_scan.wgsl`, which it
 * calls.
 *
 * Text may take the one pass `tiles` instead, as `tiles.ts` describes.
 *
 * A row whose loops take too many rounds is given up: its size counts as endless, or `single` sets
 * the flag. Some drivers end a long loop silently, with whatever it has computed by then. Where no row
 * can take so many, nothing is counted (`countsSteps`).
 *
 * @module
 */

import { byteWidth, type ColumnType, hasOffsets } from "../../../column/column.ts";
import type { RowKernel, Space } from "../../ir/ir.ts";
import { MarkedLoops } from "./lanes/marked_loops.ts";
import { columnsOf, Marks } from "./lanes/marks.ts";
import { COPYING_TOGETHER, printTogether } from "./long_rows/copy.ts";
import { printCountTogether } from "./long_rows/count.ts";
import { FOLLOW_STATE, printFollow } from "./long_rows/follow.ts";
import { LONG_STATE, longMain, printIsLong, searchedColumns } from "./long_rows/long_rows.ts";
import { printMatchTogether } from "./long_rows/match.ts";
import { SharedLoops } from "./long_rows/shared_loops.ts";
import { singleMain, sizesMain, writeMain } from "./main.ts";
import {
  countAppends,
  COUNTING,
  COUNTING_SIZES,
  COUNTING_TOGETHER,
  printStoring,
  storeAppends,
} from "./print/append.ts";
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
import { COUNTING_ITEMS, countItems, printStoringItems, storeItems } from "./print/items.ts";
import { printMatch } from "./print/match.ts";
import {
  MAKING_NOTED,
  printMakeCopy,
  printMakingByLanes,
  printNoted,
  printNoting,
} from "./print/noted_copies.ts";
import { asItIs, onlyFirst, type Pass, type Rows } from "./print/pass.ts";
import {
  COUNTING_REPEATS,
  COUNTING_REPEATS_TOGETHER,
  printRepeats,
  STORING_REPEATS,
} from "./print/repeat.ts";
import { type ColumnUse, type Resources, resourcesOf } from "./print/resources.ts";
import { foldBody } from "./print/rewrite.ts";
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
import { isNoted, NotedPieces } from "./tiles/noted_pieces.ts";
import { ASSEMBLING, cachedSpace, printCaches, tilesMain } from "./tiles/tiles.ts";

/** The code of one pass, and the columns and constants that it binds. */
export interface WgslPass {
  readonly code: string;
  /** Indices into `RowKernel.columns`, in the order of their bindings. */
  readonly columns: readonly number[];
  readonly usesConstants: boolean;
}

/** Options of a pass. */
export interface PassOptions {
  /** The rows that it computes. Default: all. */
  readonly rows?: Rows;
  /**
   * Whether a row has several lanes, which copy text and have marked the rows (`mark_rows.ts`). Not for
   * `tiles` and long rows. Default: false.
   */
  readonly hasLanes?: boolean;
  /**
   * Whether loops count their rounds, so that a row which takes too many is given up. Always for `tiles`
   * and where some rows are long. Default: true.
   */
  readonly countsSteps?: boolean;
}

/** Prints one pass of a kernel. */
export function emitWgsl(kernel: RowKernel, pass: Pass, options: PassOptions = {}): WgslPass {
  return new PassPrinter(kernel, pass, options).print();
}

/** The options of the code of a row that its pass sets. */
type RowOptions = Pick<BodyOptions, "append" | "steps">;

class PassPrinter {
  /** With its code folded. */
  readonly #kernel: RowKernel;
  readonly #pass: Pass;
  readonly #rows: Rows;
  readonly #hasLanes: boolean;
  readonly #countsSteps: boolean;
  /** The counters of rounds; null where nothing is counted. */
  readonly #steps: Steps | null;
  readonly #marked: MarkedLoops | null;
  readonly #shared: SharedLoops | null;
  readonly #sets: ByteSets;
  readonly #setSearches: SetSearches;
  readonly #reads: Resources;
  /** Indices into `RowKernel.columns` of those that are bound. */
  readonly #columns: readonly number[];
  /** Of them, those whose text lies in workgroup memory. */
  readonly #cached: readonly number[];
  /** The parameters of each of them, and their end. */
  readonly #views: readonly number[];
  /** The spaces that text is copied from. */
  readonly #copied: readonly PrintedSpace[];

  constructor(kernel: RowKernel, pass: Pass, options: PassOptions) {
    const { rows = "all", hasLanes = false, countsSteps = true } = options;
    const folded: RowKernel = { ...kernel, body: foldBody(kernel.body, kernel) };
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

  /** Whether a workgroup computes a row. */
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

  /** One more where rows may be long, or several lanes copy. */
  get #numParams(): number {
    return this.#views.at(-1)! + (this.#rows === "all" && !this.#copiesByLanes ? 0 : 1);
  }

  get #lastParam(): string {
    return `params[${this.#numParams - 1}]`;
  }

  #viewOf(column: number): string {
    return viewOf(this.#views[this.#columns.indexOf(column)]!);
  }

  /** Whether 16 bytes of text of a column are looked at together. */
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

  /** Prints the state of a row, and the functions that copy its text. */
  #state(): string[] {
    const kernel = this.#kernel;
    const lanes = this.#copiesByLanes ? `${this.#lastParam}.y` : null;
    const copies = this.#copied.length > 0 && this.#pass !== "tiles";
    return [
      "\nvar<private> row_is_null: bool;\n",
      this.#reads.scratch ? `var<private> scratch: array<i32, ${kernel.scratchWords ?? 1}>;\n` : "",
      this.#isLong ? LONG_STATE : "",
      this.#steps?.declaration ?? "",
      printState(kernel, this.#pass, this.#isLong, this.#steps),
      copies ? printCopying(this.#copied, this.#isLong, lanes) : "",
      this.#reads.divides ? DIVISION : "",
    ];
  }

  /** Adds the functions that read columns and constants. */
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

  /** Prints a function that computes a row. */
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

  /** Adds the code of a row and the entry point. */
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

  /** Adds the code of rows that are counted and stored in one pass, and the entry point. */
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

/** The columns of text whose bytes a pass reads. */
function cachedColumns({ columnTypes }: RowKernel, { columns }: Resources): number[] {
  const uses: ColumnUse[] = ["byte", "copy", "seek", "four", "search", "count"];
  return columnTypes.flatMap(({ kind }, column) =>
    kind === "string" && uses.some((use) => columns.get(column)?.has(use)) ? [column] : []
  );
}

/** The bindings after those of what a pass reads. */
function resultBindings(pass: Pass, isShared: boolean): string[] {
  // The values of long rows are joined into words that others have stored.
  const single = isShared ? "array<atomic<u32>>" : "array<u32>";
  const bindings = {
    sizes: ["var<storage, read_write> sizes: array<u32>"],
    write: [
      "var<storage, read> sizes: array<u32>",
      "var<storage, read_write> output: array<atomic<u32>>",
    ],
    single: [`var<storage, read_write> output: ${single}`],
    tiles: [
      "var<storage, read_write> states: array<atomic<u32>>",
      "var<storage, read_write> output: array<atomic<u32>>",
    ],
  }[pass];
  return isShared ? [...bindings, "var<storage, read> long_rows: array<u32>"] : bindings;
}

/** Prints the state of a row. */
function printState(
  kernel: RowKernel,
  pass: Pass,
  isShared: boolean,
  steps: Steps | null,
): string {
  const isList = kernel.type.kind === "list";
  const once = isShared ? onlyFirst : asItIs;
  switch (pass) {
    case "single":
      return printResults(kernel.type);
    case "sizes":
      return (steps === null ? COUNTING_SIZES : isShared ? COUNTING_TOGETHER : COUNTING) +
        (isList ? COUNTING_ITEMS : "");
    case "write":
      return printStoring(once) + (isList ? printStoringItems(kernel, once) : "");
    case "tiles":
      return COUNTING + ASSEMBLING;
  }
}

/** `lanes` is how many lanes a row has, where it has several. */
function printCopying(
  copied: readonly PrintedSpace[],
  isShared: boolean,
  lanes: string | null,
): string {
  const make = printMakeCopy(copied);
  if (isShared) return make + COPYING_TOGETHER;
  const makeNoted = lanes === null ? MAKING_NOTED : printMakingByLanes(lanes);
  return printNoted(lanes !== null) + make + makeNoted;
}

function printMain(
  kernel: RowKernel,
  pass: Exclude<Pass, "tiles">,
  rows: Exclude<Rows, "long">,
  { copies, countsSteps }: { readonly copies: boolean; readonly countsSteps: boolean },
): string {
  switch (pass) {
    case "single":
      return singleMain(kernel, rows, countsSteps);
    case "sizes":
      return sizesMain(kernel, rows, countsSteps);
    case "write":
      return writeMain(kernel, copies, rows);
  }
}

/** Indices into `RowKernel.columns` of those whose long rows a workgroup computes; see `Rows`. */
export function columnsWithLongRows(kernel: RowKernel): number[] {
  return searchedColumns({ ...kernel, body: foldBody(kernel.body, kernel) });
}

/** Indices into `RowKernel.columns` of the texts that several lanes of a row would mark or copy. */
export function columnsWithLanes(kernel: RowKernel): number[] {
  const folded: RowKernel = { ...kernel, body: foldBody(kernel.body, kernel) };
  const pass = hasOffsets(kernel.type) ? "write" : "single";
  const { columns } = resourcesOf(folded, pass, false, null);
  const marked = new Marks(folded).list.flatMap(columnsOf);
  return kernel.columnTypes.flatMap(({ kind }, column) =>
    kind === "string" && (columns.get(column)?.has("copy") || marked.includes(column))
      ? [column]
      : []
  );
}

function printResults(type: ColumnType): string {
  if (type.kind === "bool") return "var<private> result0: bool;\n";
  const words = byteWidth(type) === 8 ? [0, 1] : [0];
  return words.map((word) => `var<private> result${word}: i32;\n`).join("");
}
