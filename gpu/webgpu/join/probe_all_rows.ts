/**
 * A probe in which every row of the batch comes out exactly once. Then the columns of the probe
 * side pass through, and only the key has to be on the device.
 *
 * @module
 */

import type { ResultRows } from "../../backend.ts";
import type { Column } from "../../column/column.ts";
import { Commands } from "../dispatch/commands.ts";
import { alignWindows } from "../memory/device_column.ts";
import { maxSelectedRows } from "../gather/gather.ts";
import type { WebGpuJoinTable } from "./join_table.ts";
import { chunkSlots, encodeChunk, gatherChunk, type Source } from "./probe_chunk.ts";
import { encodeLookup, type Probe } from "./probe_pairs.ts";
import { Totals } from "../transfer/readback.ts";
import { Scope } from "../memory/scope.ts";

/**
 * Joins a batch to a table without duplicates; null if some row has no match and drops out, or the
 * result does not fit a window. One readback.
 */
export async function probeAllRows(
  probe: Probe,
  columns: readonly Column[],
  numRows: number,
): Promise<ResultRows | null> {
  const { context, table, key } = probe;
  const [range, ...more] = alignWindows([key], numRows, maxSelectedRows(context.windowBytes));
  if (range === undefined || more.length > 0) return null;
  using scope = new Scope();
  const sources = payloadSources(table);
  const totals = scope.own(await Totals.create(context, 1 + chunkSlots(sources)));
  using commands = new Commands(context, "join lookup");
  const rows = { view: range.views[0]!, length: numRows };
  const lookup = await encodeLookup(probe, scope, commands, rows, totals.buffer, 0);
  const request = { lookup, sources, first: 0, length: numRows };
  const slots = { totals: totals.buffer, firstSlot: 1 };
  const chunk = await encodeChunk(probe, scope, commands, request, slots);
  const values = await totals.read(commands);
  table.matchesAll = values[0] === numRows;
  return table.matchesAll ? await gatherChunk(context, chunk, values, numRows, columns, 0) : null;
}

/** The columns of the result that come from the build side. */
export function payloadSources({ payload }: WebGpuJoinTable): Source[] {
  return payload.map((column): Source =>
    column.place === "host"
      ? { column, side: "buildRows", view: null }
      : { column, side: "buildRows", view: { window: column.windows[0]!, firstRow: 0 } }
  );
}
