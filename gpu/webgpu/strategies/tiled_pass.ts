/**
 * Computes the text of kernels tile by tile, as `gpu/kernel/emit/wgsl/tiles/tiles.ts` describes:
 * one dispatch, then one readback. The result is allocated before its size is known, with the limit
 * that the kernel's code sets or with an estimate. If that is too small, the pass runs again with
 * the size that it found. `tiles.ts` states what a card has to show.
 *
 * @module
 */

import { boundOf } from "../../kernel/emit/wgsl/print/text_bound.ts";
import { canTile } from "../../kernel/emit/wgsl/tiles/tiles.ts";
import { textWork } from "../../kernel/emit/wgsl/strategy_rules.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  type ColumnWindow,
  type WindowLayout,
  windowLayout,
} from "../memory/device_column.ts";
import { encodePass, type KernelRun } from "./kernel_run.ts";
import { maxSteps } from "../dispatch/loop_limit.ts";
import { Scope } from "../memory/scope.ts";
import { MOST_TILED_BYTES, numTiles, STATES_HEAD } from "./tiles.ts";
import { isUsedFor, mayUse } from "../dispatch/strategy_options.ts";

/**
 * The most bytes of text a row on average; beyond them a tile would have many windows, so two
 * passes compute it.
 */
const MAX_ROW_BYTES = 256;

/** The estimated ratio between the text that a loop appends and the text that it reads. */
const LOOP_GROWTH = 1.125;

/** The words of totals of a range: see `tiledResult`. */
export const NUM_TILED_TOTALS = 3;

/** A range of rows whose pass was added to the commands. */
export interface TiledRange {
  readonly run: KernelRun;
  readonly range: AlignedRange;
  readonly states: PooledBuffer;
  readonly output: PooledBuffer;
  /** The bytes of text allocated for the output. */
  readonly capacity: number;
}

/** The result of one pass. */
interface TiledResult {
  readonly dataBytes: number;
  /** The number of texts longer than `longRowBytes`. */
  readonly numLongRows: number;
}

/**
 * Returns the bytes of text to allocate for one pass over a range; null if two passes compute it.
 */
export function tiledCapacity(
  context: WebGpuContext,
  { kernel, inputs }: Pick<KernelRun, "kernel" | "inputs">,
  range: AlignedRange,
): number | null {
  if (!mayUse(context.tiles) || !canTile(kernel)) return null;
  if (inputs.some(({ type, numLongRows }) => type.kind === "list" || numLongRows > 0)) return null;
  const { row, columns, loops } = boundOf(kernel.body);
  // Each range is assumed to have its share of the text of the window.
  const textBytes = range.views.map(({ window }, k) =>
    inputs[k]!.type.kind === "string"
      ? Math.ceil(window.dataBytes * range.length / window.length)
      : 0
  );
  const read = textBytes.reduce((sum, bytes) => sum + bytes, 0);
  const made = textBytes.reduce((sum, bytes, k) => sum + bytes * (columns.get(k) ?? 0), 0);
  const capacity = made + range.length * row +
    (loops ? Math.ceil(LOOP_GROWTH * read) + range.length : 0);
  const rowBytes = Math.max(read, capacity) / range.length;
  if (rowBytes > MAX_ROW_BYTES) return null;
  const size = { work: textWork(kernel), rows: range.length, rowBytes };
  if (!isUsedFor(context.tiles, size)) return null;
  return fittingCapacity(context, kernel.canBeNull, range, capacity);
}

/** Returns `capacity`; null if the result would be too large for one pass. */
export function fittingCapacity(
  { windowBytes }: WebGpuContext,
  canBeNull: boolean,
  { length }: AlignedRange,
  capacity: number,
): number | null {
  const { words } = windowLayout({ kind: "string" }, length, capacity, canBeNull);
  return 4 * words > Math.min(windowBytes, MOST_TILED_BYTES) ? null : capacity;
}

/** Adds the pass over one range: one dispatch. The caller owns both buffers. */
export async function encodeTiles(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
  capacity: number,
): Promise<TiledRange> {
  const { label } = run.kernel;
  const { length } = range;
  const numStates = STATES_HEAD + numTiles(context.tiles, length);
  const { validityWord, offsetsWord, dataWord, words } = layoutOf(run, range, capacity);
  using scope = new Scope();
  const states = scope.own(await context.pool.acquire("storage", 4 * numStates, `${label} tiles`));
  const output = scope.own(await context.pool.acquire("storage", 4 * words, label));
  commands.clear(states, 0, numStates);
  const params = [
    ...[length, context.tiles.rows, words, maxSteps(context)],
    ...[validityWord, offsetsWord, dataWord, context.longRowBytes],
  ];
  const buffers = [states, output];
  await encodePass(context, commands, run, { pass: "tiles", range, params, buffers, rows: "all" });
  scope.keep();
  return { run, range, states, output, capacity };
}

/** Adds the copies of a range's totals, `NUM_TILED_TOTALS` words, to a slot. */
export function copyTiledTotals(
  context: WebGpuContext,
  commands: Commands,
  { range, states }: TiledRange,
  totals: PooledBuffer,
  slot: number,
): void {
  const last = STATES_HEAD + numTiles(context.tiles, range.length) - 1;
  commands.copy(states, 1, totals, slot, 2);
  commands.copy(states, last, totals, slot + 2, 1);
}

/** Reads a result from the totals at a slot; null if some tile is not done. */
export function tiledResult(
  context: WebGpuContext,
  { range }: TiledRange,
  totals: Uint32Array,
  slot: number,
): TiledResult | null {
  const [numDone, numLongRows, last] = totals.subarray(slot, slot + NUM_TILED_TOTALS);
  if (numDone !== numTiles(context.tiles, range.length)) return null;
  return { dataBytes: last! >>> 2, numLongRows: numLongRows! };
}

/** Returns the window of a result that fitted. */
export function tiledWindow(
  { run, range, output }: TiledRange,
  { dataBytes }: TiledResult,
): ColumnWindow {
  const { start, length } = range;
  return { start, length, dataBytes, layout: layoutOf(run, range, dataBytes), buffer: output };
}

function layoutOf({ kernel }: KernelRun, { length }: AlignedRange, bytes: number): WindowLayout {
  return windowLayout(kernel.type, length, bytes, kernel.canBeNull);
}
