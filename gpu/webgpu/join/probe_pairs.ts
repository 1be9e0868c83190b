/**
 * The pairs of rows that one range of a probe batch joins to. After lookup, count and scan the
 * number of pairs is known, and any range of them can be emitted as two selections, one for each
 * side.
 *
 * @module
 */

import joinEmitWgsl from "./join_emit.wgsl" with { type: "text" };
import joinPairsWgsl from "./join_pairs.wgsl" with { type: "text" };
import joinPlaceWgsl from "./join_place.wgsl" with { type: "text" };
import { type JoinKind, payloadMayMiss } from "../../join_kind.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import { selectionWords } from "../gather/row_sizes.ts";
import type { WebGpuJoinTable } from "./join_table.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import { encodeMatches, type KeyRange, type Probe } from "./key_lookup.ts";
import type { Pairs } from "./run.ts";

/** Rows that were looked up. */
export interface Lookup {
  readonly length: number;
  /** For each row, the number of its key + 1, or 0. */
  readonly matches: PooledBuffer;
  /** For each row, and after the last one, the pairs before it in its block. */
  readonly starts: PooledBuffer;
  /** For each block, the pairs before it. */
  readonly sums: PooledBuffer;
}

/** Returns the number of blocks of 1,024 rows, with one row after the last. */
function numBlocks(length: number): number {
  return Math.ceil((length + 1) / 1_024);
}

/**
 * Adds the lookup of a range to `commands`; `slot` of `totals` receives the number of pairs. It
 * notes keys if the table has notes.
 */
export async function encodeLookup(
  probe: Probe,
  scope: Scope,
  commands: Commands,
  range: KeyRange,
  totals: PooledBuffer,
  slot: number,
): Promise<Lookup> {
  const { context, table } = probe;
  const { length } = range;
  const matches = await encodeMatches(probe, scope, commands, range);
  // The row after the last one has a place, too: the number of all pairs.
  const blocks = numBlocks(length);
  const starts = scope.own(await context.pool.acquire("storage", 4 * (length + 1), "join starts"));
  const sums = scope.own(await context.pool.acquire("storage", 4 * blocks, "join sums"));
  const pipeline = await context.pipelines.get({
    label: "join place",
    code: BLOCK_SCAN_WGSL + joinPairsWgsl + joinPlaceWgsl,
    entry: "place_pairs",
    storage: ["read", "read", "write", "write"],
  });
  commands.dispatch(pipeline, {
    params: [length, blocks, 0, 0, ...pairParams(table)],
    storage: [matches, table.index.groups?.keyStarts ?? matches, starts, sums],
    workgroups: blocks,
  });
  await encodeScan(context, commands, { sums, firstWord: 0, blocks, totals, slot });
  return { length, matches, starts, sums };
}

const MATCHED_ROWS: Readonly<Record<JoinKind["matchedRows"], number>> = {
  never: 0,
  once: 1,
  each: 2,
};

/** Returns the parameters with which kernels count the pairs of a row, as in `join_pairs.wgsl`. */
function pairParams({ kind, isUnique }: WebGpuJoinTable): [number, number, number, number] {
  return [kind.unmatchedRows, MATCHED_ROWS[kind.matchedRows], isUnique ? 1 : 0, 0];
}

/** Adds the dispatch that emits `length` pairs from `first` on, or fewer if there are fewer. */
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
  const pipeline = await context.pipelines.get({
    label: "join emit",
    code: BLOCK_SCAN_WGSL + joinPairsWgsl + joinEmitWgsl,
    entry: onePair ? "emit_rows" : "emit_pairs",
    storage: ["read", "read", "read", "read", "read", "write", "write"],
  });
  const { matches, starts, sums } = lookup;
  const { groups } = table.index;
  commands.dispatch(pipeline, {
    params: [lookup.length, first, length, 0, ...pairParams(table)],
    storage: [
      ...[matches, starts, sums, groups?.keyStarts ?? matches, groups?.keyRows ?? matches],
      ...[probeRows, buildRows],
    ],
    workgroups: Math.ceil((onePair ? lookup.length : length) / 256),
  });
  const rows = { start: 0, length };
  return {
    probeRows: { ...rows, rows: probeRows, mayMiss: false },
    buildRows: { ...rows, rows: buildRows, mayMiss: payloadMayMiss(table.kind) },
  };
}
