/**
 * A probe in which every row of the batch comes out exactly once. The columns of the probe side
 * pass through, only the key has to be on the device, and the match of a row is its selection: no
 * pair has to be placed.
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
import { dropsRows, encodeSelection, type Probe } from "./key_lookup.ts";
import { RunResults } from "./results.ts";
import { encodeRun, planRun, type Source, wholeSource } from "./run.ts";

/**
 * Joins a batch of which no row can come out twice. Returns null if some row drops out, or if the
 * rows do not fit one result. Takes one readback; none if no row can drop out and the payload
 * has no text or lists.
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
  const droppedSlots = dropsRows(table.kind) === null ? 0 : 1;
  const totals = scope.own(await Totals.create(context, droppedSlots + plan.slots));
  using commands = new Commands(context, "join lookup");
  commands.clear(totals.buffer, 0, droppedSlots);
  const rows = { view: range.views[0]!, length: numRows };
  const dropped = droppedSlots === 0 ? null : totals.buffer;
  const buildRows = await encodeSelection(probe, scope, commands, rows, dropped);
  // `plan` has no sources of the probe side.
  const pairs = { probeRows: buildRows, buildRows };
  const slots = { totals: totals.buffer, slot: droppedSlots };
  const run = await encodeRun(context, scope, commands, plan, pairs, slots);
  const values = await totals.read(commands);
  table.matchesAll = dropped === null || values[0] === 0;
  if (!table.matchesAll) return null;
  const results = new RunResults(context, run, { values, numRows, isFollowed: false });
  return await results.whole(columns, 0);
}

/** Returns the payload that comes out with rows of the probe side. */
export function pairedPayload({ kind, payload }: WebGpuJoinTable): WebGpuJoinTable["payload"] {
  return kind.matchedRows === "each" ? payload : [];
}

/** Returns the paired payload as sources of the result. */
export function payloadSources(table: WebGpuJoinTable): Source[] {
  return pairedPayload(table).map((column) => wholeSource(column, "buildRows"));
}
