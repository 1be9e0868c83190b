/**
 * A probe in which every row of the batch comes out exactly once. Then the columns of the probe
 * side pass through, and only the key has to be on the device.
 *
 * @module
 */

import type { ResultLimits, ResultRows } from "../../backend.ts";
import type { Column } from "../../column/column.ts";
import { Commands } from "../dispatch/commands.ts";
import { maxSelectedRows } from "../gather/row_sizes.ts";
import { alignWindows } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuJoinTable } from "./join_table.ts";
import { encodeLookup, encodePairs, type Probe } from "./probe_pairs.ts";
import { RunResults } from "./results.ts";
import { encodeRun, planRun, type Source, wholeSource } from "./run.ts";

/**
 * Joins a batch of which no row can come out twice; null if some row drops out, or the rows do not fit
 * one result. One readback.
 */
export async function probeAllRows(
  probe: Probe,
  columns: readonly Column[],
  numRows: number,
  limits: ResultLimits,
): Promise<ResultRows | null> {
  const { context, table, key } = probe;
  const [range, ...more] = alignWindows([key], numRows, maxSelectedRows(context.windowBytes));
  if (range === undefined || more.length > 0) return null;
  using scope = new Scope();
  const plan = planRun(payloadSources(table), numRows, limits);
  const totals = scope.own(await Totals.create(context, 1 + plan.slots));
  using commands = new Commands(context, "join lookup");
  const rows = { view: range.views[0]!, length: numRows };
  const lookup = await encodeLookup(probe, scope, commands, rows, totals.buffer, 0);
  const pairs = await encodePairs(probe, scope, commands, lookup, 0, numRows);
  const slots = { totals: totals.buffer, slot: 1 };
  const run = await encodeRun(context, scope, commands, plan, pairs, slots);
  const values = await totals.read(commands);
  table.matchesAll = values[0] === numRows;
  if (!table.matchesAll) return null;
  const results = new RunResults(context, run, { values, numRows, isFollowed: false });
  return await results.whole(columns, 0);
}

/** The columns of the build side that rows of the probe side come out with. */
export function pairedPayload({ kind, payload }: WebGpuJoinTable): WebGpuJoinTable["payload"] {
  return kind.matchedRows === "each" ? payload : [];
}

/** The same as sources of the result. */
export function payloadSources(table: WebGpuJoinTable): Source[] {
  return pairedPayload(table).map((column) => wholeSource(column, "buildRows"));
}
