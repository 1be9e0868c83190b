/**
 * Looks up the keys of a range in the table of a join. A lookup stores the key that each row
 * matches, or the build row that each row selects, or only notes which keys were found.
 *
 * @module
 */

import joinKeysWgsl from "./join_keys.wgsl" with { type: "text" };
import joinLookupWgsl from "./join_lookup.wgsl" with { type: "text" };
import { type JoinKind, payloadMayMiss } from "../../join_kind.ts";
import type { Commands } from "../dispatch/commands.ts";
import { selectionWords } from "../gather/row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { WebGpuColumn, WindowView } from "../memory/device_column.ts";
import type { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { keyParams } from "./device_index.ts";
import type { WebGpuJoinTable } from "./join_table.ts";

/** The batch and the table of a probe. */
export interface Probe {
  readonly context: WebGpuContext;
  readonly table: WebGpuJoinTable;
  /** Whether a row has at most one pair: then its match determines its place. */
  readonly onePair: boolean;
  readonly key: WebGpuColumn;
}

/** The rows to look up. */
export interface KeyRange {
  readonly view: WindowView;
  readonly length: number;
}

/** Adds lookups to `commands` that store, for each row, the number of its key + 1, or 0. */
export async function encodeMatches(
  probe: Probe,
  scope: Scope,
  commands: Commands,
  range: KeyRange,
): Promise<PooledBuffer> {
  const bytes = 4 * range.length;
  const target = scope.own(await probe.context.pool.acquire("storage", bytes, "join matches"));
  await encodeLookups(probe, commands, range, { stores: "matches", target, dropped: null });
  return target;
}

/**
 * Returns which rows of a probe batch do not come out: those with a match, those without one, or
 * none.
 */
export function dropsRows(
  { matchedRows, unmatchedRows }: JoinKind,
): "matched" | "unmatched" | null {
  if (matchedRows === "never") return "matched";
  return unmatchedRows === 0 ? "unmatched" : null;
}

/**
 * Adds lookups to `commands` that select a row of the build side for each row, where no row has
 * more than one pair; they select nothing where no column of the build side comes out. The first
 * word of `dropped`, which was 0, becomes 1 if some row does not come out. `dropped` is null if
 * the kind of join drops no rows.
 */
export async function encodeSelection(
  probe: Probe,
  scope: Scope,
  commands: Commands,
  range: KeyRange,
  dropped: PooledBuffer | null,
): Promise<Selection> {
  const { context: { pool }, table: { kind } } = probe;
  const selects = kind.matchedRows === "each";
  const words = selects ? selectionWords(range.length) : 1;
  const rows = scope.own(await pool.acquire("storage", 4 * words, "join build rows"));
  const stores = selects ? "selection" : "nothing";
  await encodeLookups(probe, commands, range, { stores, target: rows, dropped });
  return { rows, start: 0, length: range.length, mayMiss: payloadMayMiss(kind) };
}

/** Adds lookups to `commands` that only note the keys that they find. */
export async function encodeNotes(
  probe: Probe,
  commands: Commands,
  range: KeyRange,
): Promise<void> {
  await encodeLookups(probe, commands, range, { stores: "nothing", target: null, dropped: null });
}

/** The codes of `join_lookup.wgsl` for what it stores. */
const STORES = { nothing: 0, matches: 1, selection: 2 } as const;

/** The codes of `join_lookup.wgsl` for the rows that do not come out. */
const DROPS = { unmatched: 0, matched: 1, none: 2 } as const;

/** What a lookup stores besides its notes, and where. */
interface LookupTargets {
  readonly stores: keyof typeof STORES;
  readonly target: PooledBuffer | null;
  readonly dropped: PooledBuffer | null;
}

/** Adds a lookup to `commands` for each part of the table. It notes keys if the table has notes. */
async function encodeLookups(
  { context, table, key }: Probe,
  commands: Commands,
  { view, length }: KeyRange,
  { stores, target, dropped }: LookupTargets,
): Promise<void> {
  const pipeline = await context.pipelines.get({
    label: "join lookup",
    code: joinKeysWgsl + joinLookupWgsl,
    entry: key.type.kind === "string" ? "lookup_text" : "lookup_int",
    storage: ["read", "read", "read", "write", "write", "write"],
  });
  // WebGPU wants a buffer even for a binding that is not used, and no buffer twice for writing.
  const unused = async () => commands.own(await context.pool.acquire("storage", 4, "join lookup"));
  const { index: { parts, keyType, seed, nullNumber }, notes } = table;
  const written = [
    ...[target ?? await unused(), dropped ?? await unused()],
    notes?.noted ?? await unused(),
  ];
  const drops = dropped === null ? DROPS.none : DROPS[dropsRows(table.kind) ?? "none"];
  for (const [k, { slots, numSlots, numSteps, text }] of parts.entries()) {
    const known = text?.windows[0];
    commands.dispatch(pipeline, {
      params: [
        ...keyParams(key, view, length, keyType, numSlots, seed),
        ...[numSteps, k, parts.length, nullNumber],
        ...[known?.layout.dataWord ?? 0, STORES[stores], drops, notes === null ? 0 : 1],
      ],
      storage: [view.window.buffer, slots, known?.buffer ?? slots, ...written],
      workgroups: Math.ceil(length / 256),
    });
  }
}
