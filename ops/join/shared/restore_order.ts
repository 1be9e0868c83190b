/**
 * Restores the order of the probe side in the results of a join by partitions or chunks. The results of
 * each are a sorted run, which goes to a file, and all runs are merged.
 *
 * @module
 */

import type { Column, HostColumn } from "../../../gpu/column/column.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import { numbersOf } from "../../spill/row_numbers.ts";
import { RunFiles } from "../../spill/run_files.ts";
import type { Spill } from "../../spill/spill.ts";

/** Rows of the result. */
export interface JoinedRows {
  /**
   * `probe`: columns of the probe side, then the payload; `build`: build-only rows, with the payload and
   * then the columns that only these rows have.
   */
  readonly side: "probe" | "build";
  readonly columns: readonly Column[];
  readonly numRows: number;
}

/** Rows of the result before they are ordered. */
export interface RunRows extends JoinedRows {
  /**
   * The number of their run. Each run is sorted, and rows of one probe row come in the order of their runs.
   */
  readonly run: number;
  /** The row of the probe side, or of the build side, that each row comes from; absent for any order. */
  readonly numbers?: Float64Array;
}

/** Returns rows of a run: columns of the probe side, the last of which has their numbers, and a payload. */
export function probeRun(
  run: number,
  probed: readonly HostColumn[],
  payload: readonly HostColumn[],
): RunRows & { readonly numbers: Float64Array } {
  const numbers = numbersOf(probed.at(-1)!);
  const columns = [...probed.slice(0, -1), ...payload];
  return { side: "probe", run, columns, numRows: numbers.length, numbers };
}

/** Yields the rows of the probe side in its order, then the build-only rows in that of the build side. */
export async function* restoreOrder(
  spill: Spill,
  results: AsyncIterable<RunRows>,
): AsyncGenerator<JoinedRows, void, void> {
  const runs = { probe: new RunFiles(spill), build: new RunFiles(spill) };
  for await (const { side, run, numbers, columns, numRows } of results) {
    await turnOfOthers();
    spill.checkSignal();
    // Rows with numbers are on the host.
    runs[side].add(run, numbers!, { columns: columns as readonly HostColumn[], numRows });
  }
  for (const side of ["probe", "build"] as const) {
    for await (const { columns, numRows } of runs[side].merged()) {
      spill.checkSignal();
      yield { side, columns, numRows };
    }
  }
}
