/**
 * Decides on the rows of a pick from a stream of unknown length, in the order of the pick, as rows
 * come.
 *
 * @module
 */

import type { RowPick } from "../../streams/rows/row_request.ts";
import { addRun, lastRow, type RowRun } from "../../streams/rows/row_run.ts";
import { isEmptySlice } from "../../streams/rows/row_slice.ts";
import { PositionsMachine } from "./positions_machine.ts";
import { SliceMachine } from "./slice_machine.ts";

/** The decision after some rows have come. Positions count from the first row of the stream. */
interface TakeStep {
  /** The rows that come out now, in this order. */
  readonly ready: readonly RowRun[];
  /** The rows to keep, among those that have just come, until `keepsPins` is false; ascending. */
  readonly pins: readonly RowRun[];
  /** Whether pinned rows may still come out. */
  readonly keepsPins: boolean;
  /** The number of last rows that may also still come out. */
  readonly lastRows: number;
  /** Whether all rows have come out, so that reading may stop. */
  readonly done: boolean;
}

/**
 * Decides from the number of rows seen so far which rows are certain and which must be kept. The
 * parts of a list come out in its order, each as soon as those before it are complete. Parts that
 * count from the end share the last rows; rows that come too early are pinned. It has no rows
 * itself.
 */
export class TakeMachine {
  readonly #parts: readonly (SliceMachine | PositionsMachine)[];
  /** The first part that is not complete. */
  #current = 0;
  #seen = 0;
  /** The last part for which rows are pinned. */
  #lastPinned = -1;

  constructor(pick: RowPick) {
    this.#parts = partsOf(pick);
  }

  /** Decides after `numRows` more rows have come. */
  push(numRows: number): TakeStep {
    const start = this.#seen;
    const seen = this.#seen += numRows;
    const ready: RowRun[] = [];
    for (; this.#current < this.#parts.length; this.#current++) {
      const part = this.#parts[this.#current]!;
      for (const run of part.push(seen)) ready.push(run);
      if (!part.isComplete) break;
    }
    const pins: RowRun[] = [];
    let lastRows = 0;
    for (let index = this.#current; index < this.#parts.length; index++) {
      const part = this.#parts[index]!;
      lastRows = Math.max(lastRows, part.lastRows(seen));
      const pinned = part.pins(start, seen, index > this.#current);
      if (pinned.length > 0) this.#lastPinned = Math.max(this.#lastPinned, index);
      for (const run of pinned) pins.push(run);
    }
    return {
      ready,
      pins: disjoint(pins),
      keepsPins: this.#keepsPins,
      lastRows,
      done: this.#current === this.#parts.length,
    };
  }

  get #keepsPins(): boolean {
    if (this.#lastPinned !== this.#current) return this.#lastPinned > this.#current;
    // A slice that streams has already returned the rows that were pinned while it waited.
    const part = this.#parts[this.#current];
    return !(part instanceof SliceMachine && part.streams);
  }

  /**
   * Returns the rows that were still open, once the stream has ended. Throws a MissingRowError if
   * one does not exist.
   */
  end(): readonly RowRun[] {
    const open = this.#parts.slice(this.#current);
    this.#current = this.#parts.length;
    return open.flatMap((part) => part.end(this.#seen));
  }
}

/** Returns the parts of a pick; consecutive single rows of a list are one part. */
function partsOf(pick: RowPick): (SliceMachine | PositionsMachine)[] {
  if (pick.kind === "slice") return isEmptySlice(pick) ? [] : [new SliceMachine(pick)];
  const parts: (SliceMachine | PositionsMachine)[] = [];
  let rows: number[] = [];
  const closeRows = () => {
    if (rows.length > 0) parts.push(new PositionsMachine(rows));
    rows = [];
  };
  for (const part of pick.parts) {
    if (typeof part === "number") rows.push(part);
    else if (!isEmptySlice(part)) {
      closeRows();
      parts.push(new SliceMachine(part));
    }
  }
  closeRows();
  return parts;
}

/** Returns the rows of ascending runs, each once and in order. */
function disjoint(runs: readonly RowRun[]): readonly RowRun[] {
  const sorted = runs.toSorted((left, right) => left.start - right.start);
  const apart = sorted.every((run, index) =>
    index === 0 || run.start > lastRow(sorted[index - 1]!)
  );
  if (apart) return sorted;
  const rows = [...new Set(sorted.flatMap(rowsOf))].sort((left, right) => left - right);
  const single: RowRun[] = [];
  for (const start of rows) addRun(single, { start, step: 1, count: 1 });
  return single;
}

function rowsOf({ start, step, count }: RowRun): number[] {
  return Array.from({ length: count }, (_, index) => start + step * index);
}
