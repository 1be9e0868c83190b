/**
 * Emits the unmatched build rows of a join, after all batches were probed; or the matched ones, if
 * the kind of join wants these.
 *
 * @module
 */

import joinLastWgsl from "./join_last.wgsl" with { type: "text" };
import type { ResultLimits, ResultRows } from "../../backend.ts";
import { nullColumn } from "../../column/column.ts";
import { Commands } from "../dispatch/commands.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import { selectionWords } from "../gather/row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import type { Notes, WebGpuJoinTable } from "./join_table.ts";
import { RunResults } from "./results.ts";
import { encodeRun, planRun, wholeSource } from "./run.ts";

/** The rows of one workgroup of `join_last.wgsl`. */
const BLOCK_ROWS = 1_024;

/**
 * Yields the rows of the build side whose key was found, or the others, as the kind of join wants,
 * in build order: the payload, then `buildOnlyPayload`. Yields at least one result if the kind has
 * such rows. Takes one readback.
 */
export async function* lastRowsOnDevice(
  context: WebGpuContext,
  table: WebGpuJoinTable,
  limits: ResultLimits,
): AsyncGenerator<ResultRows> {
  const { notes, payload, buildOnlyPayload, numRows } = table;
  if (notes === null) return;
  using scope = new Scope();
  const columns = [...payload, ...buildOnlyPayload];
  const sources = columns.map((column) => wholeSource(column, "buildRows"));
  const most = Math.max(1, Math.floor(limits.rows));
  const plan = planRun(sources, Math.max(1, numRows), { ...limits, rows: most });
  const totals = scope.own(await Totals.create(context, 1 + plan.slots));
  using commands = new Commands(context, "join last rows");
  const selection = await encodeSelection(context, scope, commands, table, notes, totals.buffer);
  const pairs = { probeRows: selection, buildRows: selection };
  const slots = { totals: totals.buffer, slot: 1 };
  const run = await encodeRun(context, scope, commands, plan, pairs, slots);
  const values = await totals.read(commands);
  const numLast = numRows === 0 ? 0 : values[0]!;
  if (sources.length === 0 || numLast === 0) {
    yield { numRows: numLast, columns: columns.map(({ type }) => nullColumn(type, 0)) };
    return;
  }
  yield* new RunResults(context, run, { values, numRows: numLast, isFollowed: false }).all();
}

/** Adds the selection of the rows to `commands`; word 0 of `totals` receives their number. */
async function encodeSelection(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { kind, numRows }: WebGpuJoinTable,
  { numbers, noted }: Notes,
  totals: PooledBuffer,
): Promise<Selection> {
  const acquire = async (words: number, label: string) =>
    scope.own(await context.pool.acquire("storage", 4 * words, label));
  const blocks = Math.ceil(numRows / BLOCK_ROWS);
  const sums = await acquire(blocks, "join last sums");
  const rows = await acquire(selectionWords(numRows), "join last rows");
  const dispatch = {
    params: [numRows, blocks, kind.buildOnlyRows === "matched" ? 1 : 0, 0],
    storage: [numbers, noted, sums, rows],
    workgroups: blocks,
  };
  const pipeline = (entry: "count_last" | "select_last") =>
    context.pipelines.get({
      label: "join last rows",
      code: BLOCK_SCAN_WGSL + joinLastWgsl,
      entry,
      storage: ["read", "read", "write", "write"],
    });
  commands.dispatch(await pipeline("count_last"), dispatch);
  await encodeScan(context, commands, { sums, firstWord: 0, blocks, totals, slot: 0 });
  commands.dispatch(await pipeline("select_last"), dispatch);
  return { rows, start: 0, length: Math.max(1, numRows), mayMiss: false };
}
