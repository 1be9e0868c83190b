/**
 * The kernels that a device cannot run, and the reasons.
 *
 * @module
 */

import { halve } from "../../halve/halve.ts";
import type { RowKernel, Stmt } from "../../ir/ir.ts";
import { bodiesOf } from "../../ir/visit.ts";

/** The private words of an invocation above which devices slow down, or reject the code. */
const MAX_SCRATCH_WORDS = 1024;

/**
 * The deepest nesting of statements. An implementation of WGSL need not accept more than 127
 * levels, and Mesa's software adapter computed wrong rows, without an error, from about 150 exits
 * of a row.
 */
const MAX_NESTING = 64;

/**
 * Returns why a device that binds a number of storage buffers cannot run a kernel; null if it can.
 */
export function wgslRefusal(kernel: RowKernel, maxStorageBuffers: number): string | null {
  if (kernel.type.kind === "fixed" || kernel.type.kind === "struct") {
    return `its result is of type ${kernel.type.kind}`;
  }
  const { scratchWords = 0 } = kernel;
  if (scratchWords > MAX_SCRATCH_WORDS) {
    return `it keeps ${scratchWords} words for a row, and the device ${MAX_SCRATCH_WORDS}`;
  }
  const depth = nesting(halve(kernel, { hasFloats: false }).body);
  if (depth > MAX_NESTING) return `it nests ${depth} deep, and the device takes ${MAX_NESTING}`;
  // Constants, sizes and output take the others.
  const maxColumns = maxStorageBuffers - 3;
  if (kernel.columns.length <= maxColumns) return null;
  return `it reads ${kernel.columns.length} columns, and the device binds ${maxColumns}`;
}

/**
 * Returns the depth of nesting for a compiler whose functions only exit at their end: the code
 * after a statement that may end the row is nested in it, so a hundred tests in sequence nest a
 * hundred deep.
 */
function nesting(statements: readonly Stmt[]): number {
  return nestingOf(statements).deepest;
}

interface Nesting {
  readonly deepest: number;
  /** Whether some statement, or one nested in it, ends the row. */
  readonly endsRow: boolean;
}

function nestingOf(statements: readonly Stmt[]): Nesting {
  let around = 0;
  let deepest = 0;
  let endsRow = false;
  for (const statement of statements) {
    if (statement.do === "null" || statement.do === "fail") endsRow = true;
    const inside = bodiesOf(statement).map(nestingOf);
    const depth = inside.length === 0 ? 0 : 1 + Math.max(...inside.map((body) => body.deepest));
    deepest = Math.max(deepest, around + depth);
    if (!inside.some((body) => body.endsRow)) continue;
    around++;
    endsRow = true;
  }
  return { deepest, endsRow };
}
