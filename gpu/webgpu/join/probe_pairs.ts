/**
 * The pairs of rows that one range of a probe batch joins to.
 *
 * Look up and count, scan: then the number of pairs is known, and any run of them can be emitted as
 * two selections, one a side.
 *
 * @module
 */

import joinEmitWgsl from "./join_emit.wgsl" with { type: "text" };
import joinHashWgsl from "./join_hash.wgsl" with { type: "text" };
import joinProbeWgsl from "./join_probe.wgsl" with { type: "text" };
import { payloadMayMiss } from "../../join_kind.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { viewParams, type WebGpuColumn, type WindowView } from "../memory/device_column.ts";
import { selectionWords } from "../gather/row_sizes.ts";
import type { WebGpuJoinTable } from "./join_table.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import type { Pairs } from "./run.ts";

/** What a range is probed with. */
export interface Probe {
  readonly context: WebGpuContext;
  readonly table: WebGpuJoinTable;
  /** Whether a row has one pair at most: then its place is known as soon as its match is. */
  readonly onePair: boolean;
  readonly key: WebGpuColumn;
}

/** Rows that were looked up. */
export interface Lookup {
  readonly length: number;
  /** One word a row: number of its key + 1, or 0. */
  readonly matches: PooledBuffer;
  /** One word a row and one more: pairs before it in its block; one word a block: before it. */
  readonly starts: PooledBuffer;
}

/** Blocks of 1,024 rows, with the one behind the last. */
function numBlocks(length: number): number {
  return Math.ceil((length + 1) / 1_024);
}

/** Adds the lookup of a range to `commands`; `slot` of `totals` receives the number of pairs. */
export async function encodeLookup(
  probe: Probe,
  scope: Scope,
  commands: Commands,
  range: { readonly view: WindowView; readonly length: number },
  totals: PooledBuffer,
  slot: number,
): Promise<Lookup> {
  const { context, table, key } = probe;
  const { view, length } = range;
  const blocks = numBlocks(length);
  // The row behind the last one counts: before it are all pairs.
  const blocksWord = length + 1;
  const acquire = async (words: number, label: string) =>
    scope.own(await context.pool.acquire("storage", 4 * words, label));
  const matches = await acquire(length, "join matches");
  const starts = await acquire(blocksWord + blocks, "join starts");
  const dispatch = {
    params: lookupParams(probe, view, length),
    storage: [view.window.buffer, table.buffer, matches, starts],
    workgroups: blocks,
  };
  const entry = key.type.kind === "string" ? "lookup_text" : "lookup_int";
  const pipeline = await context.pipelines.get({
    label: "join lookup",
    code: BLOCK_SCAN_WGSL + joinHashWgsl + joinProbeWgsl,
    entry,
    storage: ["read", "read", "write", "write"],
  });
  commands.dispatch(pipeline, dispatch);
  const scan = { sums: starts, firstWord: blocksWord, blocks, totals, slot };
  await encodeScan(context, commands, scan);
  return { length, matches, starts };
}

function lookupParams({ table, key }: Probe, view: WindowView, length: number): number[] {
  const { slotMask, keyStartsWord, rowsWord, keysWord, textWord } = table.index;
  const { keyType } = table;
  const int = key.type.kind === "int" ? key.type : { bits: 0, signed: false };
  return [
    ...viewParams(view),
    ...[length, key.hasValidity ? 1 : 0, slotMask, numBlocks(length)],
    ...[keyStartsWord, rowsWord, keysWord, textWord],
    ...[int.bits / 8, int.signed ? 1 : 0, keyType.kind === "int" ? keyType.bits / 32 : 0],
    table.kind.unmatchedRows,
  ];
}

/** Adds to `commands` what makes `length` pairs from `first` on, or fewer if there are fewer. */
export async function encodePairs(
  { context, table, onePair }: Probe,
  scope: Scope,
  commands: Commands,
  lookup: Lookup,
  first: number,
  length: number,
): Promise<Pairs> {
  const acquire = async (label: string) =>
    scope.own(await context.pool.acquire("storage", 4 * selectionWords(length), label));
  const probeRows = await acquire("join probe rows");
  const buildRows = await acquire("join build rows");
  const { keyStartsWord, rowsWord } = table.index;
  const pipeline = await context.pipelines.get({
    label: "join emit",
    code: BLOCK_SCAN_WGSL + joinEmitWgsl,
    entry: onePair ? "emit_rows" : "emit_pairs",
    storage: ["read", "read", "read", "write", "write"],
  });
  commands.dispatch(pipeline, {
    params: [lookup.length, first, length, table.kind.unmatchedRows, keyStartsWord, rowsWord, 0, 0],
    storage: [lookup.matches, lookup.starts, table.buffer, probeRows, buildRows],
    workgroups: Math.ceil((onePair ? lookup.length : length) / 256),
  });
  const rows = { start: 0, length };
  return {
    probeRows: { ...rows, rows: probeRows, mayMiss: false },
    buildRows: { ...rows, rows: buildRows, mayMiss: payloadMayMiss(table.kind) },
  };
}
