/**
 * Runs of rows: positions at equal distances.
 *
 * @module
 */

/** The rows start, start + step, and so on: `count` rows, by positions from the front. */
export interface RowRun {
  /** The position of the first row. */
  readonly start: number;
  /** Not 0; negative: backwards. */
  readonly step: number;
  /** The number of rows. */
  readonly count: number;
}

/** Returns the last row of a run that has rows. */
export function lastRow({ start, step, count }: RowRun): number {
  return start + step * (count - 1);
}

/** Returns the number of rows of runs. */
export function numRowsOf(runs: readonly RowRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

/** Writes the position of each row of runs into a target, which has as many places, and returns it. */
export function positionsOf<Positions extends Int32Array | Float64Array>(
  runs: readonly RowRun[],
  target: Positions,
): Positions {
  let at = 0;
  for (const { start, step, count } of runs) {
    for (let index = 0; index < count; index++) target[at++] = start + step * index;
  }
  return target;
}

/** Adds a run, by extending the last one if that continues in the same step. Ignores a run without rows. */
export function addRun(runs: RowRun[], run: RowRun): void {
  if (run.count === 0) return;
  const last = runs.at(-1);
  if (last !== undefined) {
    const step = run.start - lastRow(last);
    const goesOn = last.count === 1
      ? Math.abs(step) === 1 || step === run.step
      : step === last.step;
    if (goesOn && (run.count === 1 || run.step === step)) {
      runs[runs.length - 1] = { start: last.start, step, count: last.count + run.count };
      return;
    }
  }
  runs.push(run);
}
