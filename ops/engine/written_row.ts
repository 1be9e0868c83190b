/**
 * Finds the row of the source that an error of a later step is about.
 *
 * @module
 */

import { resolveRows, type RowPick } from "../../streams/rows/row_request.ts";
import { numRowsOf, type RowRun } from "../../streams/rows/row_run.ts";
import type { Step } from "./node.ts";
import type { Prepared } from "./prepare.ts";

/** More rows than any source has. */
const MANY = 2 ** 52;

/**
 * The row of a step's input as the user wrote the plan, for a row of the input that it got: slices
 * that were written behind the step may run in front of it. `index` is that of the step among those
 * that run; undefined if nobody knows the row.
 */
export async function writtenRow(
  row: number,
  index: number,
  { written, rows, steps }: Prepared,
  countRows: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const { step } = steps[index]!;
  const ran = new Set([...rows?.steps ?? [], ...steps.slice(0, index)].flatMap(numbersOf));
  const picksOf = (isWanted: (other: number) => boolean) =>
    written.flatMap((other) => {
      const pick = other.node.kind.rewrites?.picks?.(other.node);
      return pick !== undefined && ran.has(other.step) && isWanted(other.step) ? [pick] : [];
    });
  const [first, ...others] = picksOf((other) => other > step);
  if (first === undefined) return row;
  if ([first, ...others].every(countsFromFront)) {
    return rowAt(resolveRows([first, ...others], MANY), row);
  }
  const isOfSource = steps.slice(0, index).every(({ node }) => node.kind.rows === "same");
  const all = isOfSource ? await countRows().catch(() => undefined) : undefined;
  if (all === undefined) return undefined;
  const [before, ...later] = picksOf((other) => other < step);
  const numRows = before === undefined ? all : numRowsOf(resolveRows([before, ...later], all));
  return rowAt(resolveRows([first, ...others], numRows), row);
}

/** The steps of the user that a step stands for. */
function numbersOf({ step, merged = [] }: Step): readonly number[] {
  return [step, ...merged];
}

/** Whether rows have the same positions whatever their number. */
function countsFromFront(pick: RowPick): boolean {
  return pick.kind === "slice" && pick.step > 0 && pick.last === Infinity && pick.drop === 0;
}

/** The position that a row of runs has. */
function rowAt(runs: readonly RowRun[], row: number): number | undefined {
  let before = 0;
  for (const { start, step, count } of runs) {
    if (row < before + count) return start + step * (row - before);
    before += count;
  }
  return undefined;
}
