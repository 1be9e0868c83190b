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
import { ByteSets, SetSearches } from "./byte_sets.ts";
import {
  countAppends,
  COUNTING,
  COUNTING_SIZES,
  COUNTING_TOGETHER,
  printStoring,
  storeAppends,
} from "./append.ts";
import {
  printConstantReads,
  printItemReads,
  printRowReads,
  printSpaceReads,
  viewOf,
  viewsOf,
} from "./columns.ts";
import {
  COPYING_TOGETHER,
  MAKING_NOTED,
  printMakeCopy,
  printMakingByLanes,
  printNoted,
  printNoting,
  printTogether,
} from "./long_copy.ts";
import { LONG_STATE, longMain, printIsLong, searchedColumns } from "./long_rows.ts";
import { FOLLOW_STATE, printFollow, printMatch, printMatchTogether } from "./loop_idiom.ts";
import {
  COUNTING_REPEATS,
  COUNTING_REPEATS_TOGETHER,
  printRepeats,
  STORING_REPEATS,
} from "./repeat.ts";
import { foldBody } from "./rewrite.ts";
import { COUNTING_ITEMS, countItems, printStoringItems, storeItems } from "./items.ts";
import { singleMain, sizesMain, writeMain } from "./main.ts";
import { MarkedLoops } from "./marked_loops.ts";
import { columnsOf, Marks } from "./marks.ts";
import { isNoted, NotedPieces } from "./noted_pieces.ts";
import { columnBinding, columnSpace, DIVISION, literalSpace, type PrintedSpace } from "./scalar.ts";
import { SharedSeeks } from "./shared_seek.ts";
import { type BodyOptions, printBody } from "./statement.ts";
import { OWN_STEPS, SHARED_STEPS, type Steps } from "./steps.ts";
import { asItIs, onlyFirst, type Pass, type Rows } from "./pass.ts";
import { type ColumnUse, type Resources, resourcesOf } from "./resources.ts";
import { ASSEMBLING, cachedSpace, printCaches, tilesMain } from "./tiles.ts";
import type { RowKernel, Seek, Space } from "../../ir/ir.ts";

/** The code of one pass and what must be bound for it. */
export interface WgslPass {
  readonly code: string;
  /** Indices into `RowKernel.columns`, in the order of their bindings. */
  readonly columns: readonly number[];
  readonly usesConstants: boolean;
}

/** How a pass computes rows. */
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
export function emitWgsl(
  kernel: RowKernel,
  pass: Pass,
  { rows = "all", hasLanes = false, countsSteps = true }: PassOptions = {},
): WgslPass {
  const folded: RowKernel = { ...kernel, body: foldBody(kernel.body, kernel) };
  const isShared = rows === "long";
  const steps = pass === "write" || !countsSteps ? null : isShared ? SHARED_STEPS : OWN_STEPS;
  const marked = hasLanes ? new MarkedLoops(folded, steps) : null;
  const isMarked = marked !== null && marked.marks.list.length > 0;
  const reads = resourcesOf(folded, pass, isShared, marked?.marks ?? null);
  const columns = [...reads.columns.keys()].sort((a, b) => a - b);
  const usesConstants = reads.literals.size > 0 || reads.tables.size > 0;
  const views = viewsOf(columns.map((column) => kernel.columnTypes[column]!));
  const viewOfColumn = (column: number) => viewOf(views[columns.indexOf(column)]!);
  // Where 16 bytes of text are looked at at once.
  const isWide = (column: number) =>
    (isShared || isMarked) && kernel.columnTypes[column]!.kind === "string";
  const cached = pass === "tiles" ? cachedColumns(kernel, reads) : [];
  const spaceOf = (space: Space) => {
    if (space.space === "literals") return literalSpace;
    if (cached.includes(space.column)) return cachedSpace(space.column);
    return columnSpace(space.column, viewOfColumn(space.column), isWide(space.column));
  };
  const copied = columns.flatMap((column) =>
    reads.columns.get(column)!.has("copy") ? [spaceOf({ space: "column", column })] : []
  );
  if (reads.literals.has("copy")) copied.push(literalSpace);

  const bindings = columns.map((column) => columnBinding(column, isWide(column)));
  if (usesConstants) bindings.push("var<storage, read> constants: array<u32>");
  bindings.push(...resultBindings(pass, isShared));
  if (isMarked) bindings.push("var<storage, read> marks: array<u32>");
  const copiesByLanes = hasLanes && copied.length > 0;
  const numParams = views.at(-1)! + (rows === "all" && !copiesByLanes ? 0 : 1);
  let code = `@group(0) @binding(0) var<uniform> params: array<vec4<u32>, ${numParams}>;\n`;
  bindings.forEach((binding, k) => code += `@group(0) @binding(${k + 1}) ${binding};\n`);
  code += "\nvar<private> row_is_null: bool;\n";
  if (reads.scratch) code += `var<private> scratch: array<i32, ${kernel.scratchWords ?? 1}>;\n`;
  code += isShared ? LONG_STATE : "";
  code += (steps?.declaration ?? "") + printState(kernel, pass, isShared, steps);
  const lanes = copiesByLanes ? `params[${numParams - 1}].y` : null;
  if (copied.length > 0 && pass !== "tiles") code += printCopying(copied, isShared, lanes);
  if (reads.divides) code += DIVISION;
  const printLong = isShared ? printTogether : pass === "tiles" ? null : printNoting(hasLanes);
  const how = { steps, printLong, isShared };
  if (pass === "tiles") {
    code += printCaches(cached.map((column) => ({ column, view: viewOfColumn(column) })));
  }
  columns.forEach((column, k) => {
    const uses = reads.columns.get(column)!;
    code += printSpaceReads(spaceOf({ space: "column", column }), uses, how);
    code += printItemReads(column, uses, viewOf(views[k]! + 1));
  });
  code += printConstantReads(kernel, reads, printLong);
  if (reads.follows.size > 0) code += FOLLOW_STATE;
  for (const follow of reads.follows.values()) code += printFollow(follow, steps);
  for (const [left, right] of reads.matches.values()) {
    code += (isShared ? printMatchTogether : printMatch)(left, right, steps);
  }
  if (reads.repeats) {
    const counting = isShared ? COUNTING_REPEATS_TOGETHER : COUNTING_REPEATS;
    code += pass === "sizes" ? counting : STORING_REPEATS + printRepeats(copied);
  }
  if (rows === "short") {
    const searched = searchedColumns(folded).map((column) => ({
      column,
      view: viewOfColumn(column),
      isWide: isWide(column),
    }));
    code += printIsLong(searched, `params[${numParams - 1}].x`);
  }

  const shared = isShared ? new SharedSeeks(steps) : null;
  const sets = new ByteSets(folded);
  const setSearches = new SetSearches(steps);
  const printRow = (name: string, options: Pick<BodyOptions, "append" | "steps">) => {
    const head = columns.map((column) => {
      const type = kernel.columnTypes[column]!;
      const view = viewOfColumn(column);
      return printRowReads(column, type, reads.columns.get(column)!, view, isWide(column));
    });
    const item = pass === "write" ? storeItems : countItems;
    const shareSeek = shared && ((seek: Seek) => shared.call(seek));
    const body = printBody(folded.body, { ...options, item, shareSeek, marked, sets, setSearches });
    const parameters = `index: u32${options.steps?.parameter ?? ""}`;
    const marks = marked?.printReads() ?? "";
    return `\nfn ${name}(${parameters}) {\n${head.join("")}${marks}${body}}\n`;
  };
  if (pass === "tiles") {
    code += printTiles(folded, printRow) + setSearches.print(spaceOf);
    return { code, columns, usesConstants };
  }
  const append = pass === "write" ? storeAppends(kernel) : countAppends(kernel);
  code += printRow("compute_row", { append, steps });
  code += shared?.print(spaceOf) ?? marked?.print(spaceOf) ?? "";
  code += setSearches.print(spaceOf);
  code += rows === "long"
    ? longMain(kernel, pass)
    : printMain(kernel, pass, rows, { copies: copied.length > 0, countsSteps });
  return { code, columns, usesConstants };
}

/** The columns of text whose bytes a pass reads. */
function cachedColumns({ columnTypes }: RowKernel, { columns }: Resources): number[] {
  const uses: ColumnUse[] = ["byte", "copy", "seek", "four", "search", "count"];
  return columnTypes.flatMap(({ kind }, column) =>
    kind === "string" && uses.some((use) => columns.get(column)?.has(use)) ? [column] : []
  );
}

/** Rows that are counted and stored in one pass, and its entry point. */
function printTiles(
  kernel: RowKernel,
  printRow: (name: string, options: Pick<BodyOptions, "append" | "steps">) => string,
): string {
  if (!isNoted(kernel)) {
    const counted = printRow("compute_row", { append: countAppends(kernel), steps: OWN_STEPS });
    const stored = printRow("store_row", { append: storeAppends(kernel), steps: null });
    return counted + stored + tilesMain(kernel, false);
  }
  const pieces = new NotedPieces(kernel);
  const counted = printRow("compute_row", { append: pieces.count, steps: OWN_STEPS });
  return pieces.printState() + counted + pieces.printStoring() + tilesMain(kernel, true);
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

/** What a row has computed so far. */
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
