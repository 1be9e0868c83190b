/** @module */

import type { HostColumn } from "../column/column.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { evaluateOnHost } from "./evaluate.ts";
import { HostKernels } from "./host_kernels.ts";

/** Computes a program at once, on this thread, for columns of a few rows. */
export function evaluateAtOnce(
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
): HostColumn[] {
  return evaluateOnHost(program, inputs, numRows, new HostKernels()).columns;
}
