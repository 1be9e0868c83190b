/**
 * Gathers text tile by tile, as `gather_tiles.wgsl` describes: one dispatch computes sizes, scans
 * them and copies. The result is allocated before its size is known.
 *
 * No card has run it. Prediction for an H100: a filter or a gather of a million rows or more is 1.3
 * to 2 times as fast. `tiles.ts` states what a card has to show.
 *
 * @module
 */

import gatherTilesWgsl from "./gather_tiles.wgsl" with { type: "text" };
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import { MOST_TILED_BYTES, numTiles, STATES_HEAD, tilesWgsl } from "./tiles.ts";
import { isUsedFor } from "../dispatch/strategy_options.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type ColumnWindow,
  NO_WORD,
  viewParams,
  type WindowLayout,
  windowLayout,
} from "../memory/device_column.ts";
import type { Scope } from "../memory/scope.ts";
import type { GatherSource, Selection } from "../memory/selection.ts";

/** The words of totals of a gather: see `tiledBytes`. */
export const NUM_GATHER_TOTALS = 2;

/**
 * The most bytes of a row on average; beyond them a tile would be long, so two passes gather the
 * rows.
 */
const MAX_ROW_BYTES = 1 << 14;

/** The estimated ratio between the text of selected rows and their share of the window. */
const UNEVEN_GROWTH = 1.125;

/** Rows added to the estimate, since a few selected rows may be longer than average. */
const UNEVEN_ROWS = 32;

/** A number of rows that never occurs. */
const NO_ROWS = 0xffff_ffff;

const TEXT = { kind: "string" } as const;

/** Options of a tiled gather. */
interface TiledGatherOptions {
  /** The bytes of text to allocate for the result. */
  readonly capacity: number;
  /** If exactly this many rows are selected, the pass does nothing. */
  readonly notOf?: number;
}

/** A gather that was added to the commands. */
export interface TiledGather {
  readonly states: PooledBuffer;
  readonly output: PooledBuffer;
  /** The layout for the most rows that may be selected, and for the allocated text. */
  readonly layout: WindowLayout;
  readonly capacity: number;
  readonly hasValidity: boolean;
}

/**
 * Returns the bytes of text to allocate for one pass; null if two passes gather the rows. A filter
 * selects each row at most once, and may select fewer than `numRows`.
 */
export function gatherCapacity(
  context: WebGpuContext,
  { type, views }: Pick<GatherSource, "type" | "views">,
  work: "filter" | "gather",
  numRows: number,
): number | null {
  const [view] = views;
  if (type.kind !== "string" || views.length !== 1) return null;
  const { dataBytes, length } = view!.window;
  const rowBytes = dataBytes / length;
  if (rowBytes > MAX_ROW_BYTES) return null;
  if (!isUsedFor(context.tiles, { work, rows: numRows, rowBytes })) return null;
  const share = Math.ceil(UNEVEN_GROWTH * rowBytes * (numRows + UNEVEN_ROWS));
  return fittingCapacity(context, numRows, work === "filter" ? Math.min(dataBytes, share) : share);
}

/** Returns `capacity`; null if that is too much text for one pass. */
export function fittingCapacity(
  { windowBytes }: WebGpuContext,
  numRows: number,
  capacity: number,
): number | null {
  const { words } = windowLayout(TEXT, numRows, capacity, true);
  return 4 * words > Math.min(windowBytes, MOST_TILED_BYTES) ? null : capacity;
}

/** Adds the gather of the rows of one window: one dispatch. `scope` owns both buffers. */
export async function encodeTiledGather(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { views, label, ...source }: GatherSource,
  { rows, start, length, mayMiss }: Selection,
  { capacity, notOf = NO_ROWS }: TiledGatherOptions,
): Promise<TiledGather> {
  const { tiles, pool } = context;
  const view = views[0]!;
  const workgroups = numTiles(tiles, length);
  const hasValidity = source.hasValidity || mayMiss;
  const layout = windowLayout(TEXT, length, capacity, hasValidity);
  const numStates = STATES_HEAD + workgroups;
  const states = scope.own(await pool.acquire("storage", 4 * numStates, `${label} tiles`));
  const output = scope.own(await pool.acquire("storage", 4 * layout.words, label));
  commands.clear(states, 0, numStates);
  const pipeline = await context.pipelines.get({
    label: "gather tiles",
    code: tilesWgsl(tiles) + gatherTilesWgsl,
    entry: "gather_tiles",
    storage: ["read", "read", "write", "write"],
  });
  const [validityWord, ...sourceParams] = viewParams(view);
  commands.dispatch(pipeline, {
    params: [
      ...[length, tiles.rows, layout.words, notOf],
      ...[hasValidity ? layout.validityWord : NO_WORD, layout.offsetsWord, layout.dataWord, start],
      ...[source.hasValidity ? validityWord : NO_WORD, ...sourceParams],
      ...[view.window.length, 0, 0, 0],
    ],
    storage: [view.window.buffer, rows, states, output],
    workgroups,
  });
  return { states, output, layout, capacity, hasValidity };
}

/** Adds the copy of a gather's totals, `NUM_GATHER_TOTALS` words, to a slot. */
export function copyGatherTotals(
  commands: Commands,
  { states }: TiledGather,
  totals: PooledBuffer,
  slot: number,
): void {
  commands.copy(states, 1, totals, slot, NUM_GATHER_TOTALS);
}

/** Returns the bytes of the gathered rows from the totals at a slot; null if a tile is not done. */
export function tiledBytes(
  context: WebGpuContext,
  numRows: number,
  totals: Uint32Array,
  slot: number,
): number | null {
  return totals[slot] === numTiles(context.tiles, numRows) ? totals[slot + 1]! : null;
}

/**
 * Returns the window of gathered rows that fitted. If more than half of it is empty, they are
 * copied to a buffer of their size, and `scope` still owns the other one.
 */
export async function tiledWindow(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { output, layout, hasValidity }: TiledGather,
  { start, length, dataBytes }: Pick<ColumnWindow, "start" | "length" | "dataBytes">,
): Promise<ColumnWindow> {
  const exact = windowLayout(TEXT, length, dataBytes, hasValidity);
  if (2 * exact.words > layout.words) {
    return { start, length, dataBytes, layout, buffer: scope.disown(output) };
  }
  const { label } = output.buffer;
  const buffer = await context.pool.acquire("storage", 4 * exact.words, label);
  const copy = (from: number, to: number, words: number) =>
    commands.copy(output, from, buffer, to, words);
  if (hasValidity) copy(layout.validityWord, exact.validityWord, Math.ceil(length / 32));
  copy(layout.offsetsWord, exact.offsetsWord, length + 1);
  copy(layout.dataWord, exact.dataWord, Math.ceil(dataBytes / 4));
  return { start, length, dataBytes, layout: exact, buffer };
}
