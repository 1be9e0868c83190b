/**
 * Runs the kernels of a program over columns whose text has offsets of 32 bits.
 *
 * Kernels can check text that was not inspected yet while they read it. First it is taken for ASCII.
 * If a program then meets other text, it is looked at whether text is ASCII from then on, and kernels
 * check whether other text is UTF-8.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { type ColumnType, type HostColumn, isTextList } from "../column/column.ts";
import {
  inspectColumn,
  inspectTexts,
  isAsciiText,
  knownText,
  rememberText,
} from "../column/utf8.ts";
import { columnsOf, lookedAt, programFor } from "../kernel/partition/program_for.ts";
import { shorten } from "../kernel/tree/describe_tree.ts";
import type { Kernel, Program, Tree } from "../kernel/tree/tree.ts";
import { plainMapOf, readsItems } from "../kernel/tree/tree_facts.ts";
import type { DividedKernel } from "./characters/character_kernel.ts";
import type { Rows } from "./kernels/kernel_arrays.ts";
import type { HostKernel, HostKernelCache } from "./kernels/kernel_cache.ts";
import type { TextCheck } from "./kernels/kernel_work.ts";
import {
  type ColumnFull,
  type KernelResult,
  type KernelStop,
  moveRow,
  NOT_ASCII,
} from "./kernels/kernel_result.ts";

/** The outputs of a program, or the row of the batch at which one is full. */
type ProgramResult = { readonly kind: "columns"; readonly columns: HostColumn[] } | ColumnFull;

/** Runs a program over columns that hold the rows `rows` of a batch. */
export function runProgram(
  program: Program,
  inputs: readonly HostColumn[],
  rows: Rows,
  cache: HostKernelCache,
): ProgramResult {
  const columnOf = (index: number) => columnAt(inputs, index);
  if (cache.mayGuess(program, rows.stop - rows.start)) {
    const likely = programFor(program, (index) => knownText(columnOf(index))?.ascii ?? true);
    const result = runKernels(likely, inputs, { rows, cache, mayGuess: true });
    if (result.kind === "columns" || result.kind === "full") return result;
    cache.noteNotAscii(program);
  }
  const chosen = programFor(program, (index) => isAsciiText(columnOf(index)));
  const result = runKernels(chosen, inputs, { rows, cache, mayGuess: false });
  if (result.kind === "notAscii" || result.kind === "notUtf8") {
    throw new Error("Text that was inspected turned out to be other text");
  }
  return result;
}

/** How kernels are run. */
interface KernelRun {
  readonly rows: Rows;
  readonly cache: HostKernelCache;
  /** Whether text that was not inspected may be taken for ASCII. */
  readonly mayGuess: boolean;
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
    // Intermediate columns live until the last kernel that reads them.
    for (let i = inputs.length; i < columns.length; i++) {
      if (lastUse[i] === index) columns[i] = undefined;
    }
  }
  return { kind: "columns", columns: program.outputs.map((number) => columnAt(columns, number)) };
}

function runKernel(
  kernel: Kernel,
  types: readonly ColumnType[],
  columns: readonly (HostColumn | undefined)[],
  how: KernelRun,
): KernelResult {
  const { rows, cache, mayGuess } = how;
  const numRows = rows.stop - rows.start;
  const used = lookedAt(kernel.tree).map((index) => columnAt(columns, index));
  const texts = textsOf(kernel.tree, used);
  const nullable = columns.map((column) => (column?.validity ?? null) !== null);
  const first = texts.find(({ type }) => type.kind === "string");
  if (isMap(kernel.tree) && first !== undefined) {
    const general = { ascii: false, nullable: nullable.map(() => false) };
    const mapped = cache.characters(kernel, first)?.run(first, rows.start, (text) => {
      const result = cache.run(cache.get(kernel, types, general), [text], text.length, "none");
      return result.kind === "column" ? result.column : null;
    });
    if (mapped != null) return { kind: "column", column: mapped };
  }
  if (isMap(kernel.tree) && first !== undefined && knownText(first) === undefined) {
    const mapped = tryMap(cache.get(kernel, types, { ascii: true, nullable }), first, numRows);
    if (mapped !== null) return { kind: "column", column: mapped };
  }
  const variant = (ascii: boolean) => cache.get(kernel, types, { ascii, nullable });
  const operandsOf = ({ columns: numbers }: HostKernel) =>
    numbers.map((index) => columnAt(columns, index));
  const checkedBy = (ascii: boolean) => {
    const compiled = variant(ascii);
    const operands = operandsOf(compiled);
    return compiled.checks().map((index) => columnAt(operands, index));
  };
  const seen = mayGuess
    ? guessText(texts, rows.start, () => checkedBy(true))
    : lookAtText(texts, rows.start, () => cache.mayCheck(numRows) ? checkedBy(false) : []);
  if (seen === null) return NOT_ASCII;
  const divided = seen.ascii ? null : cache.divided(kernel, types.length, numRows);
  if (divided !== null) return runDivided(divided, types, columns, how);
  const compiled = variant(seen.ascii);
  const operands = operandsOf(compiled);
  const run = (check: TextCheck) =>
    runNamed(kernel.label, rows.start, () => cache.run(compiled, operands, numRows, check));
  const { unchecked } = seen;
  const result = unchecked.length === 0
    ? run("none")
    : seen.ascii
    ? run("ascii")
    : runChecking(run, () => unchecked.forEach((text) => inspectColumn(text, rows.start)));
  if (result.kind !== "column") return result;
  for (const column of unchecked) rememberText(column, seen.ascii);
  const { column } = result;
  const text = column.type.kind === "list" ? column.children[0] : column;
  if (text !== undefined && text.offsets !== null && compiled.ascii) rememberAscii(text);
  return result;
}

/** Runs a kernel as two, of which the second maps what the first makes. */
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
 * Runs a kernel over rows that begin at `firstRow` of the batch. The error of a row that is too long
 * names the expression. Its bytes do not include what would follow the refused repetition, such as the
 * text that `pad` moves.
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
 * Runs a kernel that checks whether its text is UTF-8. Whatever it stops at, text that is not is the
 * error that counts: `inspect` throws it.
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

/** What a kernel is told of the text that it reads. */
interface SeenText {
  /** Whether it is ASCII. */
  readonly ascii: boolean;
  /** The columns that the kernel has to check: for ASCII where that is a guess, else for UTF-8. */
  readonly unchecked: readonly HostColumn[];
}

/**
 * What to tell a kernel of the text that it reads, which is looked at whether it is ASCII. Whether other
 * text is UTF-8 is left to the kernel if it checks all that is not known; `checkedBy` gives the columns
 * that it checks.
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
 * The same where text that was not inspected is taken for ASCII if the kernel checks it. Null where
 * text had to be inspected and is not ASCII: then the program was chosen for the wrong text.
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

function knownAscii(column: HostColumn): boolean | undefined {
  return column.type.kind === "list" ? undefined : knownText(column)?.ascii;
}

/** Notes that the text of a column is ASCII. */
function rememberAscii(column: HostColumn): void {
  rememberText(column, true);
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

/** Replaces bytes; null for text that is not ASCII, and for other kernels. */
function tryMap({ tryRun }: HostKernel, text: HostColumn, numRows: number): HostColumn | null {
  const result = tryRun?.(text, numRows) ?? null;
  if (result === null) return null;
  rememberAscii(text);
  rememberAscii(result);
  return result;
}

/** A column of a program, by its number. */
export function columnAt(columns: readonly (HostColumn | undefined)[], index: number): HostColumn {
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
