/**
 * The executor that runs JavaScript, which exists for every kernel that computes row by row.
 *
 * @module
 */

import type { Executor } from "./executor.ts";
import { rowsFor, runRows } from "./run_rows.ts";

/** Runs the kernels that no other executor takes. */
export const javascript: Executor = {
  fits: (kernel, batch) => rowsFor(kernel, batch) !== null,
  run: (kernel, batch) => runRows(kernel, batch, false),
};
