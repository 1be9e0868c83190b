/**
 * Runs one kernel over the columns of a program: chooses an executor, and inspects its text as far
 * as the executor needs it.
 *
 *     kernel, columns
 *       | an executor that inspects its text on the way (character map, byte map) fits? -> column
 *       | else: is the text ASCII? inspected, or guessed for the kernel to check
 *       | a map over text that has to be computed first: two kernels, one after the other
 *       | the first executor for such text (byte map, WebAssembly, JavaScript) -> column
 *
 * @module
 */

import { InternalError } from "../../base/errors/internal_error.ts";
import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { ColumnType, HostColumn } from "../column/column.ts";
import {
  inspectColumn,
  inspectTexts,
  isAsciiText,
  knownText,
  rememberText,
} from "../column/utf8.ts";
import { shorten } from "../kernel/tree/describe_tree.ts";
import type { Kernel } from "../kernel/tree/tree.ts";
import type { DividedKernel } from "./characters/character_map.ts";
import { columnAt, type KernelBatch, operandsOf, textsOf } from "./executors/executor.ts";
import { executors } from "./executors/executors.ts";
import type { HostKernels } from "./host_kernels.ts";
import { type HostKernel, hostKernelOf } from "./kernels/host_kernel.ts";
import type { Rows } from "./kernels/kernel_arrays.ts";
import { type KernelResult, moveRow, NOT_ASCII } from "./kernels/kernel_result.ts";
import type { TextCheck } from "./kernels/kernel_work.ts";

/** The context of a kernel's run. */
export interface KernelRun {
  readonly rows: Rows;
  readonly kernels: HostKernels;
  /** Whether text that was not inspected may be taken for ASCII. */
  readonly mayGuess: boolean;
}

/**
 * Runs a kernel over columns of these types; columns that no kernel needs any more may be missing.
 */
export function runKernel(
  kernel: Kernel,
  types: readonly ColumnType[],
  columns: readonly (HostColumn | undefined)[],
  how: KernelRun,
): KernelResult {
  const { rows, kernels: host, mayGuess } = how;
  const found = hostKernelOf(kernel, types);
  const texts = textsOf(kernel.tree, columns);
  const nullable = columns.map((column) => (column?.validity ?? null) !== null);
  const batch: KernelBatch = { columns, rows, nullable, texts, text: null, host };
  if (mayGuess && isForOtherText(kernel, columns, texts)) return NOT_ASCII;
  const early = runFirst(found, batch);
  if (early !== null) return early;

  const checkedBy = (ascii: boolean) => checkedColumns(found, batch, ascii);
  const numRows = rows.stop - rows.start;
  const seen = mayGuess
    ? guessText(texts, rows.start, () => checkedBy(true))
    : lookAtText(texts, rows.start, () => host.mayCheck(numRows) ? checkedBy(false) : []);
  if (seen === null) return NOT_ASCII;
  const { ascii, unchecked } = seen;
  const isLarge = numRows >= host.minWasmRows;
  if (!ascii && isLarge && found.divided !== null) {
    return runDivided(found.divided, types, columns, how);
  }
  const run = (check: TextCheck) =>
    runNamed(kernel.label, rows.start, () => {
      const result = runFirst(found, { ...batch, text: { ascii, check } });
      if (result === null) throw new InternalError(`No executor computes ${kernel.label}`);
      return result;
    });
  const result = unchecked.length === 0
    ? run("none")
    : ascii
    ? run("ascii")
    : runChecking(run, () => unchecked.forEach((text) => inspectColumn(text, rows.start)));
  if (result.kind !== "column") return result;
  for (const column of unchecked) rememberText(column, ascii);
  const { column } = result;
  const text = column.type.kind === "list" ? column.children[0] : column;
  const isText = text !== undefined && text.offsets !== null;
  if (isText && host.codeFor(found, { ascii, nullable }).makesAscii) rememberText(text, true);
  return result;
}

/** Runs the first executor that fits and returns a result; null if there is none. */
function runFirst(kernel: HostKernel, batch: KernelBatch): KernelResult | null {
  for (const executor of executors) {
    const result = executor.fits(kernel, batch) ? executor.run(kernel, batch) : null;
    if (result !== null) return result;
  }
  return null;
}

/** Returns the text columns that the code for some kind of text checks while it reads them. */
function checkedColumns(kernel: HostKernel, batch: KernelBatch, ascii: boolean): HostColumn[] {
  const code = batch.host.codeFor(kernel, { ascii, nullable: batch.nullable });
  if (code.kind !== "row") return [];
  const operands = operandsOf(code, batch);
  return code.checks().map((index) => columnAt(operands, index));
}

/** Runs a divided kernel: first the lower part, then the upper part over its result. */
function runDivided(
  { below, above }: DividedKernel,
  types: readonly ColumnType[],
  columns: readonly (HostColumn | undefined)[],
  how: KernelRun,
): KernelResult {
  const made = runKernel(below, types, columns, how);
  if (made.kind !== "column") return made;
  const between = columns.slice();
  between[types.length] = made.column;
  return runKernel(above, [...types, below.tree.type], between, how);
}

/**
 * Runs a kernel over rows that begin at `firstRow` of the batch. The error for a row that is too
 * long names the expression. Its number of bytes does not include what follows the refused
 * repetition, such as the text that `pad` moves.
 */
function runNamed(label: string, firstRow: number, run: () => KernelResult): KernelResult {
  try {
    const result = run();
    return result.kind === "full" ? { ...result, error: moveRow(result.error, firstRow) } : result;
  } catch (error) {
    if (!isSluiceError(error, "OverflowError")) throw error;
    throw moveRow(
      error,
      firstRow,
      `: ${shorten(label)} makes at least ${error.dataBytes} bytes`,
    );
  }
}

/**
 * Runs a kernel that checks whether its text is UTF-8. Whatever stops it, text that is not UTF-8 is
 * the error that counts: `inspect` throws it.
 */
function runChecking(run: (check: TextCheck) => KernelResult, inspect: () => void): KernelResult {
  let result: KernelResult;
  try {
    result = run("utf8");
  } catch (error) {
    inspect();
    throw error;
  }
  if (result.kind === "column") return result;
  inspect();
  return result.kind === "notUtf8" ? run("none") : result;
}

/** The facts about the text of a kernel before it runs. */
interface SeenText {
  /** Whether it is ASCII. */
  readonly ascii: boolean;
  /** The columns that the kernel has to check: for ASCII if that is a guess, else for UTF-8. */
  readonly unchecked: readonly HostColumn[];
}

/**
 * Finds out whether the text of a kernel is ASCII. If the kernel checks all text that was not
 * inspected, it checks other text for UTF-8; `checkedBy` returns the columns that it checks.
 */
function lookAtText(
  texts: readonly HostColumn[],
  firstRow: number,
  checkedBy: () => readonly HostColumn[],
): SeenText {
  const mayLeave = texts.every(({ type }) => type.kind === "string");
  if (mayLeave && texts.every(isAsciiText)) return { ascii: true, unchecked: [] };
  const unknown = mayLeave ? texts.filter((text) => knownText(text) === undefined) : [];
  const checked = unknown.length > 0 ? checkedBy() : [];
  if (unknown.length > 0 && unknown.every((text) => checked.includes(text))) {
    return { ascii: false, unchecked: unknown };
  }
  return {
    ascii: texts.map((text) => inspectTexts(text, firstRow)).every(({ ascii }) => ascii),
    unchecked: [],
  };
}

/**
 * Does the same, but takes text that was not inspected for ASCII if the kernel checks it. Returns
 * null if text had to be inspected and is not ASCII: then the program was chosen for the wrong
 * text.
 */
function guessText(
  texts: readonly HostColumn[],
  firstRow: number,
  checkedBy: () => readonly HostColumn[],
): SeenText | null {
  const unknown = texts.filter((text) => knownAscii(text) === undefined);
  const isMixed = texts.some((text) => knownAscii(text) === false);
  if (unknown.length === 0) return { ascii: !isMixed, unchecked: [] };
  const checked = isMixed ? [] : checkedBy();
  const unchecked = unknown.filter((text) => checked.includes(text));
  const rest = unknown.filter((text) => !checked.includes(text));
  return rest.every((text) => inspectTexts(text, firstRow).ascii)
    ? { ascii: !isMixed, unchecked }
    : null;
}

/** Whether a kernel that is only for ASCII inputs reads one that an earlier kernel found to be other text. */
function isForOtherText(
  { asciiColumns = 0 }: Kernel,
  columns: readonly (HostColumn | undefined)[],
  texts: readonly HostColumn[],
): boolean {
  return columns.slice(0, asciiColumns).some((column) =>
    column !== undefined && texts.includes(column) && knownAscii(column) === false
  );
}

function knownAscii(column: HostColumn): boolean | undefined {
  return column.type.kind === "list" ? undefined : knownText(column)?.ascii;
}
