/** Which rows the steps take that take rows by position: Python's rules, row by row. */

import type { CaseRows, CaseStep } from "./fuzz_case.ts";

/** A step that takes rows by position. */
export type PickStep = CaseStep & { readonly do: "slice" | "head" | "tail" | "at" | "take" };

const PICKS: readonly CaseStep["do"][] = ["slice", "head", "tail", "at", "take"];

/** Whether a step takes rows by position. */
export function isPick(step: CaseStep): step is PickStep {
  return PICKS.includes(step.do);
}

/** A row is asked for that does not exist. */
export class ModelMissingRow extends Error {
  /** A part of the message. */
  readonly told: string;

  constructor(row: number, numRows: number) {
    super();
    const there = `the input has ${numRows || "no"} ${numRows === 1 ? "row" : "rows"}`;
    this.told = `There is no row ${row}: ${there}`;
  }
}

/** The positions of a step's rows, in order, where there are so many. Throws a ModelMissingRow. */
export function pickedRows(step: PickStep, numRows: number): number[] {
  switch (step.do) {
    case "slice":
      return sliced([step.start, step.stop, step.step], numRows);
    case "head":
      return sliced([0, step.count, 1], numRows);
    case "tail":
      return sliced([Math.max(0, numRows - step.count), null, 1], numRows);
    case "at":
      return [position(step.row, numRows)];
    case "take":
      return step.rows.flatMap((part) =>
        typeof part === "number" ? [position(part, numRows)] : sliced(part, numRows)
      );
  }
}

/**
 * Whether a step would have to hold all rows of a stream that is read once: a slice backwards that may
 * begin at any row of the end and may end at any row of the front, and a list with a range without an
 * end, which may stand behind others.
 */
export function needsHold(step: CaseStep): boolean {
  if (step.do === "slice") return isOpen([step.start, step.stop, step.step]);
  return step.do === "take" &&
    step.rows.some((part) => typeof part !== "number" && isOpen(part, true));
}

function isOpen([start, stop, step]: CaseRows & object, isOfList = false): boolean {
  const fromFront = (start ?? 0) >= 0;
  if ((step ?? 1) > 0) return isOfList && fromFront && (stop ?? -1) < 0;
  return (start ?? -1) < 0 && (stop ?? 0) >= 0;
}

function position(row: number, numRows: number): number {
  const place = row < 0 ? row + numRows : row;
  if (place < 0 || place >= numRows) throw new ModelMissingRow(row, numRows);
  return place;
}

/** As `slice.indices` of Python says. */
function sliced([start, stop, given]: CaseRows & object, numRows: number): number[] {
  const step = given ?? 1;
  const [lowest, highest] = step > 0 ? [0, numRows] : [-1, numRows - 1];
  const place = (bound: number) =>
    bound < 0 ? Math.max(bound + numRows, lowest) : Math.min(bound, highest);
  const first = start === null ? (step > 0 ? lowest : highest) : place(start);
  const end = stop === null ? (step > 0 ? highest : lowest) : place(stop);
  const rows: number[] = [];
  for (let row = first; step > 0 ? row < end : row > end; row += step) rows.push(row);
  return rows;
}
