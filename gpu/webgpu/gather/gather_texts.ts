/**
 * Gathers rows of text columns by a selection on the device, where one pass can do it.
 *
 * @module
 */

import { Commands } from "../dispatch/commands.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { gatheredColumn, type WindowSource } from "./gather.ts";
import type { Selection } from "../memory/selection.ts";
import {
  copyGatherTotals,
  encodeTiledGather,
  fittingCapacity,
  gatherCapacity,
  NUM_GATHER_TOTALS,
  tiledBytes,
  type TiledGather,
  tiledWindow,
} from "../strategies/tiled_gather.ts";

/** A column of text, and the bytes reserved for its rows. */
interface TextJob {
  /** The index of the column. */
  readonly column: number;
  readonly source: WindowSource;
  readonly capacity: number;
}

/** Returns a job for each column whose `numRows` rows are gathered in one pass. */
export function textJobs(
  context: WebGpuContext,
  columns: readonly WebGpuColumn[],
  numRows: number,
): TextJob[] {
  return columns.flatMap(({ type, hasValidity, windows }, column) => {
    const views = windows.map((window) => ({ window, firstRow: -window.start }));
    const source = { type, hasValidity, views, label: "gather" };
    const capacity = gatherCapacity(context, source, "gather", numRows);
    return capacity === null ? [] : [{ column, source, capacity }];
  });
}

/**
 * Returns the rows of a selection for the column of each job; null for all other columns, and where
 * one pass is not enough. Takes one readback, and another one where text was longer than guessed.
 */
export async function gatherTexts(
  context: WebGpuContext,
  columns: readonly WebGpuColumn[],
  selection: Selection,
  allJobs: readonly TextJob[],
): Promise<(WebGpuColumn | null)[]> {
  let jobs = allJobs;
  const gathered: (WebGpuColumn | null)[] = columns.map(() => null);
  using made = new Scope();
  while (jobs.length > 0) {
    using scope = new Scope();
    const totals = scope.own(await Totals.create(context, NUM_GATHER_TOTALS * jobs.length));
    using commands = new Commands(context, "gather");
    const tiled: TiledGather[] = [];
    for (const [k, { source, capacity }] of jobs.entries()) {
      tiled.push(
        await encodeTiledGather(context, scope, commands, source, selection, { capacity }),
      );
      copyGatherTotals(commands, tiled[k]!, totals.buffer, NUM_GATHER_TOTALS * k);
    }
    const values = await totals.read(commands);
    using copies = new Commands(context, "gather");
    const again: TextJob[] = [];
    for (const [k, job] of jobs.entries()) {
      const { length } = selection;
      const dataBytes = tiledBytes(context, length, values, NUM_GATHER_TOTALS * k);
      if (dataBytes === null) continue;
      if (dataBytes > job.capacity) {
        const capacity = fittingCapacity(context, length, dataBytes);
        if (capacity !== null) again.push({ ...job, capacity });
        continue;
      }
      const rows = { start: 0, length, dataBytes };
      const window = await tiledWindow(context, scope, copies, tiled[k]!, rows);
      const column = gatheredColumn(context, columns[job.column]!, selection, window);
      gathered[job.column] = made.own(column);
    }
    copies.submit();
    jobs = again;
  }
  made.keep();
  return gathered;
}
