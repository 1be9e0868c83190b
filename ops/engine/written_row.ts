/**
 * Translates the row of an error back to the plan as the user wrote it.
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
 * Returns the row of a step's input in the plan as the user wrote it, for a row of the input that
 * the step really got: slices that were written after the step may have run before it.
 * `index` is the position of the step among those that run. Undefined if the row cannot be
 * determined.
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

/** Returns the user's steps that a step stands for. */
function numbersOf({ step, merged = [] }: Step): readonly number[] {
  return [step, ...merged];
}

/** Whether rows have the same positions whatever their number. */
function countsFromFront(pick: RowPick): boolean {
  return pick.kind === "slice" && pick.step > 0 && pick.last === Infinity && pick.drop === 0;
}

/** Returns the position of a row of runs; undefined if they have fewer rows. */
function rowAt(runs: readonly RowRun[], row: number): number | undefined {
  let before = 0;
  for (const { start, step, count } of runs) {
    if (row < before + count) return start + step * (row - before);
    before += count;
  }
  return undefined;
}
