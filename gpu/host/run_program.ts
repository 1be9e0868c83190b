/**
 * Runs the kernels of a program over columns whose text has 32-bit offsets.
 *
 * Kernels can check text that was not inspected while they read it. At first, such text is taken
 * for ASCII. Once a program has met other text, its text is inspected for ASCII, and kernels check
 * whether other text is UTF-8.
 *
 * @module
 */

import { InternalError } from "../../base/errors/internal_error.ts";
import type { HostColumn } from "../column/column.ts";
import { isAsciiText, knownText } from "../column/utf8.ts";
import { columnsOf, programFor } from "../kernel/partition/program_for.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { columnAt } from "./executors/executor.ts";
import type { HostKernels } from "./host_kernels.ts";
import type { Rows } from "./kernels/kernel_arrays.ts";
import type { ColumnFull, KernelStop } from "./kernels/kernel_result.ts";
import { type KernelRun, runKernel } from "./run_kernel.ts";

/** The outputs of a program, or the row of the batch at which an output is full. */
type ProgramResult = { readonly kind: "columns"; readonly columns: HostColumn[] } | ColumnFull;

/** Runs a program over columns that have the rows `rows` of a batch. */
export function runProgram(
  program: Program,
  inputs: readonly HostColumn[],
  rows: Rows,
  kernels: HostKernels,
): ProgramResult {
  const columnOf = (index: number) => columnAt(inputs, index);
  if (kernels.mayGuess(program, rows.stop - rows.start)) {
    const likely = programFor(program, (index) => knownText(columnOf(index))?.ascii ?? true);
    const result = runKernels(likely, inputs, { rows, kernels, mayGuess: true });
    if (result.kind === "columns" || result.kind === "full") return result;
    kernels.noteNotAscii(program);
  }
  const chosen = programFor(program, (index) => isAsciiText(columnOf(index)));
  const result = runKernels(chosen, inputs, { rows, kernels, mayGuess: false });
  if (result.kind === "notAscii" || result.kind === "notUtf8") {
    throw new InternalError("Text that was inspected turned out to be other text");
  }
  return result;
}

function runKernels(
  program: Program,
  inputs: readonly HostColumn[],
  how: KernelRun,
): ProgramResult | KernelStop {
  const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  const columns: (HostColumn | undefined)[] = [...inputs];
  const lastUse = lastUses(program);
  for (const [index, kernel] of program.kernels.entries()) {
    const result = runKernel(kernel, types, columns, how);
    if (result.kind !== "column") return result;
    columns.push(result.column);
    // An intermediate column lives until the last kernel that reads it has run.
    for (let i = inputs.length; i < columns.length; i++) {
      if (lastUse[i] === index) columns[i] = undefined;
    }
  }
  return { kind: "columns", columns: program.outputs.map((number) => columnAt(columns, number)) };
}

/** Returns, for each column, the last kernel that reads it; undefined for outputs. */
function lastUses(program: Program): (number | undefined)[] {
  const last: (number | undefined)[] = [];
  program.kernels.forEach((kernel, index) => {
    for (const column of columnsOf(kernel.tree)) last[column] = index;
  });
  for (const output of program.outputs) last[output] = undefined;
  return last;
}
