/**
 * Evaluates expressions for all rows of a batch.
 *
 * @module
 */

import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { errorOfRow } from "../../engine/stage.ts";
import type { CompiledExprs } from "../../expr/compile_exprs.ts";
import { evaluateExprs } from "../../rows/evaluate_exprs.ts";

/**
 * Returns the values of expressions for all rows of a batch, on the host. It borrows the batch, and moves
 * it to the host where one result cannot hold all rows. `firstRow` is the number of the batch's first row,
 * for errors.
 */
export async function evaluateRows(
  context: StageContext,
  compiled: CompiledExprs,
  batch: Batch,
  firstRow: number,
): Promise<HostColumn[]> {
  if (compiled.program.outputs.length === 0) return [];
  const parts: HostColumn[][] = [];
  for (let start = 0; start < batch.numRows || parts.length === 0;) {
    if (start > 0) await batch.toHost(context.backend);
    const rest = start === 0 ? batch : batch.slice(start, batch.numRows);
    const { columns, numRows } = await evaluateExprs(context, compiled, rest)
      .catch((error) => Promise.reject(errorOfRow(error, firstRow + start)));
    try {
      parts.push(await context.backend.download(columns));
    } finally {
      columns.forEach(releaseColumn);
    }
    start += numRows;
  }
  const [first] = parts;
  if (parts.length === 1) return first!;
  return first!.map((_, index) => concatColumns(parts.map((part) => part[index]!)));
}
