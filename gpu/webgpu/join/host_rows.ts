/**
 * Gathers, on the host, the columns that the device does not hold, for a range of rows.
 *
 * @module
 */

import { byteWidth, type HostColumn } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { bytesBefore } from "../../column/row_bytes.ts";
import { Commands } from "../dispatch/commands.ts";
import { Staging } from "../transfer/readback.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import type { Pairs, Run, Source } from "./run.ts";

/** The selections on the host, for each side that has columns there. */
export class HostRows {
  readonly #rows: Readonly<Partial<Record<keyof Pairs, Int32Array>>>;
  readonly #numRows: number;

  private constructor(rows: Partial<Record<keyof Pairs, Int32Array>>, numRows: number) {
    this.#rows = rows;
    this.#numRows = numRows;
  }

  /**
   * Downloads the first `numRows` selected rows of each side with columns on the host: one wait.
   */
  static async read(
    context: WebGpuContext,
    { plan: { sources }, pairs }: Run,
    numRows: number,
  ): Promise<HostRows> {
    const onHost = sources.filter(({ views }) => views === null);
    const sides = [...new Set(onHost.map(({ side }) => side))];
    const staging = new Staging(context);
    for (const side of sides) staging.add(pairs[side].rows, 1, numRows);
    using commands = new Commands(context, "join rows");
    const read = await staging.read(commands);
    const rows = sides.map((side, k) => [side, new Int32Array(read[k]!)]);
    return new HostRows(Object.fromEntries(rows), numRows);
  }

  /** Returns the bytes before each row in the columns on the host, and after the last one. */
  bytesBefore(sources: readonly Source[]): Float64Array {
    const positions = new Float64Array(this.#numRows + 1);
    for (const { column, side, views } of sources) {
      if (views !== null) continue;
      const rows = this.#rows[side]!;
      for (let at = 0; at < rows.length; at++) positions[at + 1]! += rowBytes(column, rows[at]!);
    }
    for (let at = 0; at < this.#numRows; at++) positions[at + 1]! += positions[at]!;
    return positions;
  }

  /** Returns the rows [start, stop) of a column. */
  gather(column: HostColumn, side: keyof Pairs, start: number, stop: number): HostColumn {
    return gatherColumn(column, this.#rows[side]!.subarray(start, stop));
  }
}

/**
 * Returns the bytes of a row, and one for its validity; a missing row has one value of its width,
 * or four.
 */
function rowBytes(column: HostColumn, row: number): number {
  const own = row < 0 ? Math.max(4, byteWidth(column.type)) : bytesBefore(column, row + 1) -
    bytesBefore(column, row);
  return own + 1;
}
