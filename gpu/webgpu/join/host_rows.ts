/**
 * The part of a run of rows that the host gathers: of columns that the device does not hold.
 *
 * @module
 */

import { byteWidth, type HostColumn } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { bytesBefore } from "../../column/row_bytes.ts";
import { Commands } from "../dispatch/commands.ts";
import { Staging } from "../transfer/readback.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { Pairs, Run, Source } from "./run.ts";

/** The selections of a run on the host. */
export class HostRows {
  readonly #rows: Readonly<Record<keyof Pairs, Int32Array>>;
  readonly #numRows: number;

  private constructor(rows: Record<keyof Pairs, Int32Array>, numRows: number) {
    this.#rows = rows;
    this.#numRows = numRows;
  }

  /** Downloads the first `numRows` rows of both selections: one wait. */
  static async read(context: WebGpuContext, { pairs }: Run, numRows: number): Promise<HostRows> {
    const { probeRows, buildRows } = pairs;
    const staging = new Staging(context);
    staging.add(probeRows.rows, 1, numRows);
    staging.add(buildRows.rows, 1, numRows);
    using commands = new Commands(context, "join rows");
    const [probe, build] = await staging.read(commands);
    const rows = { probeRows: new Int32Array(probe!), buildRows: new Int32Array(build!) };
    return new HostRows(rows, numRows);
  }

  /** Bytes before each row in those of the columns that are on the host, and before the end. */
  bytesBefore(sources: readonly Source[]): Float64Array {
    const positions = new Float64Array(this.#numRows + 1);
    for (const { column, side, views } of sources) {
      if (views !== null) continue;
      const rows = this.#rows[side];
      for (let at = 0; at < rows.length; at++) positions[at + 1]! += rowBytes(column, rows[at]!);
    }
    for (let at = 0; at < this.#numRows; at++) positions[at + 1]! += positions[at]!;
    return positions;
  }

  /** The rows [start, stop) of a column. */
  gather(column: HostColumn, side: keyof Pairs, start: number, stop: number): HostColumn {
    return gatherColumn(column, this.#rows[side].subarray(start, stop));
  }
}

/** Bytes of a row with its bit of validity; those of a missing row are few. */
function rowBytes(column: HostColumn, row: number): number {
  const own = row < 0 ? Math.max(4, byteWidth(column.type)) : bytesBefore(column, row + 1) -
    bytesBefore(column, row);
  return own + 1;
}
