/**
 * Runs programs on the host.
 *
 * @module
 */

import { columnBytes, type ColumnType, type HostColumn, isTextList } from "../column/column.ts";
import { OverflowError } from "../errors.ts";
import { columnsOf, lookedAt, programFor } from "../kernel/partition/program_for.ts";
import type { Kernel, Program, Tree } from "../kernel/tree/tree.ts";
import { plainMapOf, readsItems } from "../kernel/tree/tree_facts.ts";
import { BatchFullError } from "./batch_full.ts";
import { ColumnFullError } from "./column_full.ts";
import { concatColumns } from "../column/concat.ts";
import type { HostKernel, HostKernelCache } from "./kernel_cache.ts";
import { inspectText, lookAtText, rememberAscii } from "./look_at_text.ts";
import { NotAsciiError } from "./not_ascii.ts";
import { shiftRow } from "./shift_row.ts";
import { sliceColumn } from "../column/slice.ts";
import { type RowSpan, textWindows, windowOf } from "../column/text_windows.ts";
import { inspectColumn, knownText } from "../column/utf8.ts";

/**
 * Bytes of results from which on a batch is full. Text that grows may come to any size; what is made
 * of a batch has to fit into memory twice, while its parts are put together.
 */
const MAX_RESULT_BYTES = 2 ** 32;

/** How much is computed at once; tests give less. */
interface EvaluateLimits {
  /** Bytes of text of a window of a wide column. */
  readonly windowBytes?: number;
  /** Bytes of results of one batch. */
  readonly maxResultBytes?: number;
}

/**
 * Runs the kernels of a program over the columns of one batch and gives its outputs. A column
 * that is an output as it is comes back as the same object. Throws a `Utf8Error` for text that is
 * not UTF-8, an `OverflowError` for a row that is too long, and a `BatchFullError` with the outputs
 * for as many rows as there is room for.
 *
 * Kernels know offsets of 32 bits only. Text with wider ones is read window by window, and where a
 * result does not fit the rows are divided; the parts are then put together.
 */
export function evaluateOnHost(
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
  cache: HostKernelCache,
  { windowBytes, maxResultBytes = MAX_RESULT_BYTES }: EvaluateLimits = {},
): HostColumn[] {
  const spans = textWindows(inputsRead(program, inputs), numRows, windowBytes);
  const { parts, rows, numBytes } = partsThatFit(program, inputs, spans, cache, maxResultBytes);
  const isFull = rows < numRows;
  const columns = program.outputs.map((number, output) => {
    if (number >= inputs.length) {
      return concatColumns(parts.map(({ columns }) => columnAt(columns, output)));
    }
    const column = columnAt(inputs, number);
    return isFull ? sliceColumn(column, 0, rows) : column;
  });
  if (!isFull) return columns;
  const message = `Size of output exceeds ${maxResultBytes} bytes of a batch`;
  throw new BatchFullError(message, rows, numBytes, { program, columns });
}

/** The first parts of a batch whose outputs it can hold, one at least. */
interface FirstParts {
  readonly parts: readonly Part[];
  /** Rows of all parts. */
  readonly rows: number;
  /** Bytes of what was computed: of the parts, and of the next one where that does not fit. */
  readonly numBytes: number;
}

function partsThatFit(
  program: Program,
  inputs: readonly HostColumn[],
  spans: readonly RowSpan[],
  cache: HostKernelCache,
  maxBytes: number,
): FirstParts {
  const parts: Part[] = [];
  let rows = 0;
  let numBytes = 0;
  for (const span of spans) {
    for (const part of evaluateSpan(program, inputs, span, cache)) {
      part.columns.forEach((column, output) => {
        if (program.outputs[output]! >= inputs.length) numBytes += columnBytes(column);
      });
      if (numBytes > maxBytes && parts.length > 0) return { parts, rows, numBytes };
      parts.push(part);
      rows += part.rows;
    }
  }
  return { parts, rows, numBytes };
}

/** The columns that some kernel reads. */
function inputsRead({ kernels }: Program, inputs: readonly HostColumn[]): HostColumn[] {
  const numbers = new Set(kernels.flatMap(({ tree }) => columnsOf(tree)));
  return inputs.filter((_, number) => numbers.has(number));
}

/** The outputs for some of the rows. */
interface Part {
  readonly columns: HostColumn[];
  readonly rows: number;
}

/** The outputs for the rows of a span, in as many parts as they take. */
function* evaluateSpan(
  program: Program,
  inputs: readonly HostColumn[],
  [start, stop]: RowSpan,
  cache: HostKernelCache,
): Generator<Part, void, void> {
  const read = inputsRead(program, inputs);
  let columns: HostColumn[];
  try {
    const windows = inputs.map((column) =>
      read.includes(column) ? windowOf(column, [start, stop]) : column
    );
    columns = evaluateWindow(program, windows, stop - start, cache);
  } catch (error) {
    if (!(error instanceof ColumnFullError && error.row > 0)) {
      throw shiftRow(error, start);
    }
    const middle = start + error.row;
    yield* evaluateSpan(program, inputs, [start, middle], cache);
    yield* evaluateSpan(program, inputs, [middle, stop], cache);
    return;
  }
  yield { columns, rows: stop - start };
}

/**
 * Runs the kernels over columns whose text has offsets of 32 bits. Text that nobody looked at is taken
 * for ASCII, which kernels see by the way, as long as that was right for the program.
 */
function evaluateWindow(
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
  cache: HostKernelCache,
): HostColumn[] {
  const columnOf = (index: number) => columnAt(inputs, index);
  if (cache.mayGuess(program, numRows)) {
    const likely = programFor(program, (index) => knownText(columnOf(index))?.ascii ?? true);
    try {
      return runKernels(likely, inputs, numRows, { cache, mayGuess: true });
    } catch (error) {
      if (!(error instanceof NotAsciiError)) throw error;
      cache.noteNotAscii(program);
    }
  }
  const chosen = programFor(program, (index) => inspectColumn(columnOf(index)).ascii);
  return runKernels(chosen, inputs, numRows, { cache, mayGuess: false });
}

/** How kernels are run. */
interface KernelRun {
  readonly cache: HostKernelCache;
  /** Whether text that nobody looked at may be taken for ASCII. */
  readonly mayGuess: boolean;
}

function runKernels(
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
  how: KernelRun,
): HostColumn[] {
  const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  const columns: (HostColumn | undefined)[] = [...inputs];
  const lastUse = lastUses(program);
  program.kernels.forEach((kernel, index) => {
    columns.push(runKernel(kernel, types, columns, numRows, how));
    // Columns in between live until the last kernel that reads them.
    for (let i = inputs.length; i < columns.length; i++) {
      if (lastUse[i] === index) columns[i] = undefined;
    }
  });
  return program.outputs.map((number) => columnAt(columns, number));
}

function runKernel(
  kernel: Kernel,
  types: readonly ColumnType[],
  columns: readonly (HostColumn | undefined)[],
  numRows: number,
  { cache, mayGuess }: KernelRun,
): HostColumn {
  const used = lookedAt(kernel.tree).map((index) => columnAt(columns, index));
  const texts = textsOf(kernel.tree, used);
  const nullable = columns.map((column) => (column?.validity ?? null) !== null);
  const first = texts.find(({ type }) => type.kind === "string");
  if (isMap(kernel.tree) && first !== undefined && knownText(first) === undefined) {
    const mapped = tryMap(cache.get(kernel, types, { ascii: true, nullable }), first, numRows);
    if (mapped !== null) return mapped;
  }
  const variant = (ascii: boolean) => cache.get(kernel, types, { ascii, nullable });
  const operandsOf = ({ columns: numbers }: HostKernel) =>
    numbers.map((index) => columnAt(columns, index));
  const seen = mayGuess
    ? lookAtText(texts, () => {
      const compiled = variant(true);
      const operands = operandsOf(compiled);
      return compiled.checks().map((index) => columnAt(operands, index));
    })
    : { ascii: texts.map(inspectText).every(({ ascii }) => ascii), unchecked: [] };
  const compiled = variant(seen.ascii);
  const operands = operandsOf(compiled);
  const isUnchecked = seen.unchecked.length > 0;
  const result = runNamed(
    kernel.label,
    () => cache.run(compiled, operands, numRows, isUnchecked),
  );
  for (const column of seen.unchecked) rememberAscii(column);
  const text = result.type.kind === "list" ? result.children[0] : result;
  if (text !== undefined && text.offsets !== null && compiled.ascii) rememberAscii(text);
  return result;
}

/**
 * Runs a kernel; the error of a row that is too long names what makes it. What would come behind the
 * repetition that is refused, such as the text that `pad` moves, is not in its bytes.
 */
function runNamed<T>(label: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OverflowError) || error instanceof ColumnFullError) throw error;
    const { message, row, dataBytes } = error;
    throw new OverflowError(
      `${message}: ${label} makes at least ${dataBytes} bytes`,
      row,
      dataBytes,
    );
  }
}

/** The columns whose text a kernel may look at: text, and the items of lists that it asks for. */
function textsOf(tree: Tree, used: readonly HostColumn[]): HostColumn[] {
  const texts = used.filter(({ type }) => type.kind === "string");
  const lists = used.filter(({ type }) => isTextList(type));
  return lists.length > 0 && readsItems(tree) ? texts.concat(lists) : texts;
}

function isMap(tree: Tree): boolean {
  return tree.node === "call" && plainMapOf(tree) !== null;
}

/** Replaces bytes and looks whether they are ASCII; null where they are not, or for other work. */
function tryMap({ tryRun }: HostKernel, text: HostColumn, numRows: number): HostColumn | null {
  const result = tryRun?.(text, numRows) ?? null;
  if (result === null) return null;
  rememberAscii(text);
  rememberAscii(result);
  return result;
}

function columnAt(columns: readonly (HostColumn | undefined)[], index: number): HostColumn {
  const column = columns[index];
  if (column === undefined) throw new RangeError(`The program has no column ${index}`);
  return column;
}

/** For each column, the kernel that reads it last; nothing for outputs. */
function lastUses(program: Program): (number | undefined)[] {
  const last: (number | undefined)[] = [];
  program.kernels.forEach((kernel, index) => {
    for (const column of columnsOf(kernel.tree)) last[column] = index;
  });
  for (const output of program.outputs) last[output] = undefined;
  return last;
}
