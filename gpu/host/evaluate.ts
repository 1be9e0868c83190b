/**
 * Runs programs over batches on the host, in parts where their text is too large.
 *
 * @module
 */

import { columnBytes, type HostColumn } from "../column/column.ts";
import { concatColumns } from "../column/concat.ts";
import { sliceColumn } from "../column/slice.ts";
import { type RowSpan, textWindows, windowOf } from "../column/text_windows.ts";
import { columnsOf } from "../kernel/partition/program_for.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { columnAt } from "./executors/executor.ts";
import { HostKernels } from "./host_kernels.ts";
import { runProgram } from "./run_program.ts";

/**
 * The bytes of results above which a batch is full. Text can grow to any size, and while parts are
 * joined the results take twice their memory.
 */
const MAX_RESULT_BYTES = 2 ** 32;

/** Limits of one evaluation; tests set lower ones. */
interface EvaluateLimits {
  /** The bytes of text of a window of a column with 64-bit offsets. */
  readonly windowBytes?: number;
  /** The bytes of results of one batch. */
  readonly maxResultBytes?: number;
}

/** The outputs of a program for the first rows of a batch. */
interface HostRows {
  readonly columns: HostColumn[];
  readonly numRows: number;
}

/**
 * Runs the kernels of a program over the columns of one batch. Returns its outputs, for as many
 * rows as fit. An input that is also an output is returned as the same object. Throws a `Utf8Error`
 * for text that is not UTF-8, and an `OverflowError` for a row that is too long.
 *
 * Kernels use 32-bit offsets. Text with 64-bit offsets is read window by window, and where a result
 * does not fit, its rows are divided; then the parts are joined.
 */
export function evaluateOnHost(
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
  kernels: HostKernels = new HostKernels(),
  { windowBytes, maxResultBytes = MAX_RESULT_BYTES }: EvaluateLimits = {},
): HostRows {
  const spans = textWindows(inputsRead(program, inputs), numRows, windowBytes);
  const { parts, rows } = partsThatFit(program, inputs, spans, kernels, maxResultBytes);
  const columns = program.outputs.map((number, output) => {
    if (number >= inputs.length) {
      return concatColumns(parts.map(({ columns }) => columnAt(columns, output)));
    }
    const column = columnAt(inputs, number);
    return rows < numRows ? sliceColumn(column, 0, rows) : column;
  });
  return { columns, numRows: rows };
}

/** Returns the first parts of a batch whose outputs fit the limit, at least one, and their rows. */
function partsThatFit(
  program: Program,
  inputs: readonly HostColumn[],
  spans: readonly RowSpan[],
  kernels: HostKernels,
  maxBytes: number,
): { readonly parts: readonly Part[]; readonly rows: number } {
  const parts: Part[] = [];
  let rows = 0;
  let numBytes = 0;
  for (const span of spans) {
    for (const part of evaluateSpan(program, inputs, span, kernels)) {
      part.columns.forEach((column, output) => {
        if (program.outputs[output]! >= inputs.length) numBytes += columnBytes(column);
      });
      if (numBytes > maxBytes && parts.length > 0) return { parts, rows };
      parts.push(part);
      rows += part.rows;
    }
  }
  return { parts, rows };
}

/** Returns the columns that some kernel reads. */
function inputsRead({ kernels }: Program, inputs: readonly HostColumn[]): HostColumn[] {
  const numbers = new Set(kernels.flatMap(({ tree }) => columnsOf(tree)));
  return inputs.filter((_, number) => numbers.has(number));
}

/** The outputs for some of the rows. */
interface Part {
  readonly columns: readonly HostColumn[];
  readonly rows: number;
}

/** Yields the outputs for the rows of a range, in as many parts as they take. */
function* evaluateSpan(
  program: Program,
  inputs: readonly HostColumn[],
  [start, stop]: RowSpan,
  kernels: HostKernels,
): Generator<Part, void, void> {
  const read = inputsRead(program, inputs);
  const windows = inputs.map((column) =>
    read.includes(column) ? windowOf(column, [start, stop]) : column
  );
  const result = runProgram(program, windows, { start, stop }, kernels);
  if (result.kind === "columns") {
    yield { columns: result.columns, rows: stop - start };
    return;
  }
  const middle = result.error.row;
  if (middle === start) throw result.error;
  yield* evaluateSpan(program, inputs, [start, middle], kernels);
  yield* evaluateSpan(program, inputs, [middle, stop], kernels);
}
