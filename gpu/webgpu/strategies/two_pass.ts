/**
 * Two passes, the usual strategy for results of variable size: a sizes pass, an exclusive scan, and
 * a write pass. They take three dispatches for each kernel and one readback for all kernels of a
 * round, after which every output is allocated with its exact size. Lists of text have two sizes,
 * items and bytes, and take one more scan.
 *
 * If the code of the kernel limits its text to a few bytes, the output is allocated with that limit
 * and there is no wait: see `sureBytes`.
 *
 * A sum of sizes saturates instead of wrapping. Rows whose result exceeds one window are cut into
 * smaller ranges and counted again, so the result has several windows.
 *
 * No card has run them. Prediction for an H100: redact of 5 million rows takes 0.35 to 0.5 ms and
 * moves 390 MB. They stay in any case, since every other strategy covers only a part of their work.
 *
 * @module
 */

import { type ColumnType, isTextList } from "../../column/column.ts";
import { boundOf } from "../../kernel/emit/wgsl/print/text_bound.ts";
import { canTile } from "../../kernel/emit/wgsl/tiles/tiles.ts";
import { mayFail } from "../../kernel/ir/visit.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  type ColumnWindow,
  fixedDataBytes,
  subRange,
  type WindowLayout,
  windowLayout,
} from "../memory/device_column.ts";
import { encodePass, type KernelRun, listLongRows } from "./kernel_run.ts";
import { encodeMarks } from "./lanes.ts";
import type { LongRows } from "./long_rows.ts";
import { maxLongSteps, maxSteps, mayTakeLong, UNLIMITED_STEPS } from "../dispatch/loop_limit.ts";
import { encodeScan, numBlocks, SATURATED } from "../dispatch/scan.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";

/** A range of rows, and the buffers in which its sizes are counted. */
export interface SizedRange {
  readonly run: KernelRun;
  readonly range: AlignedRange;
  /** The bytes before each row in its block, then the block sums; the same for items. */
  readonly sizes: PooledBuffer;
  readonly long: LongRows | null;
  /** The marks that lanes left for the rows. */
  readonly marks: PooledBuffer | null;
}

/** Makes a scope the owner of the buffers of a range until its work is submitted. */
export function ownSized(scope: Scope, counted: SizedRange): SizedRange {
  scope.own(counted.sizes);
  if (counted.long !== null) scope.own(counted.long.list);
  if (counted.marks !== null) scope.own(counted.marks);
  return counted;
}

/** The size of the results of all rows of a range. */
interface ResultSize {
  readonly dataBytes: number;
  /** The number of list items. */
  readonly numItems: number;
  /** The number of texts longer than `longRowBytes`. */
  readonly numLongRows: number;
}

/** Returns the number of sizes of a row: the bytes of text, the items of a list, or both. */
function numSizes(type: ColumnType): number {
  return isTextList(type) ? 2 : 1;
}

/**
 * Returns the number of totals of the rows of a type: their sizes, and for text the number of long
 * rows.
 */
export function numTotals(type: ColumnType): number {
  return type.kind === "string" ? 2 : numSizes(type);
}

/** Reads the size of a result from the `numTotals` totals at a slot. */
export function resultSize(type: ColumnType, totals: Uint32Array, slot: number): ResultSize {
  const [first, second] = [totals[slot]!, totals[slot + 1] ?? 0];
  if (type.kind !== "list") return { dataBytes: first, numItems: 0, numLongRows: second };
  if (isTextList(type)) return { dataBytes: first, numItems: second, numLongRows: 0 };
  const dataBytes = fixedDataBytes(type.item, first);
  return { dataBytes, numItems: first, numLongRows: 0 };
}

/** Returns the most rows that can be counted at once: sizes and block sums must fit one binding. */
export function maxSizedRows(type: ColumnType, windowBytes: number): number {
  return Math.max(1, Math.floor(windowBytes / (4.25 * numSizes(type))) - 2);
}

/**
 * Returns the limit that the code of the kernel sets on the text of a range; null if it is unknown
 * or large, or if a row may take too long or fail.
 */
export function sureBytes(
  context: WebGpuContext,
  { kernel, inputs }: Pick<KernelRun, "kernel" | "inputs">,
  { length, views }: AlignedRange,
): number | null {
  if (!canTile(kernel) || mayTakeLong(context, inputs) || mayFail(kernel.body)) return null;
  const { row, columns, isGuess } = boundOf(kernel.body);
  if (isGuess) return null;
  let bytes = length * row;
  for (const [column, times] of columns) {
    if (inputs[column]!.type.kind !== "string") return null;
    bytes += times * views[column]!.window.dataBytes;
  }
  const { words } = windowLayout(kernel.type, length, bytes, kernel.canBeNull);
  return bytes <= context.sureBytes && 4 * words <= context.windowBytes ? bytes : null;
}

/**
 * Adds all passes of one range whose text has at most `dataBytes` bytes: three dispatches, no
 * readback. `scope` owns what the device needs until the work is submitted.
 */
export async function encodeSure(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
  dataBytes: number,
): Promise<ColumnWindow> {
  const totals = scope.own(await Totals.create(context, numTotals(run.kernel.type)));
  const total = { totals: totals.buffer, slot: 0, isAsked: false };
  const counted = ownSized(scope, await encodeSizes(context, commands, run, range, total));
  const size = { dataBytes, numItems: 0, numLongRows: 0 };
  const window = await encodeWrite(context, commands, counted, size);
  commands.copy(totals.buffer, 0, window.buffer, window.layout.offsetsWord + range.length, 1);
  return window;
}

/** The slot of the totals of a range, and whether a row that takes too long counts as endless. */
interface RangeTotals {
  readonly totals: PooledBuffer;
  readonly slot: number;
  readonly isAsked?: boolean;
}

/**
 * Adds the sizes pass and the scans of one range: two or three dispatches, two more if rows may be
 * long, and one more if lanes mark them.
 */
export async function encodeSizes(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
  { totals, slot, isAsked = true }: RangeTotals,
): Promise<SizedRange> {
  const rows = range.length;
  const blocks = numBlocks(rows);
  const label = `${run.kernel.label} sizes`;
  const each = rows + blocks;
  const { type } = run.kernel;
  const count = numSizes(type);
  const counts = type.kind === "string";
  using scope = new Scope();
  const words = count * each + (counts ? blocks : 0);
  const sizes = scope.own(await context.pool.acquire("storage", 4 * words, label));
  const long = await listLongRows(context, commands, run, range);
  if (long !== null) scope.own(long.list);
  const marks = await encodeMarks(context, commands, run, range);
  if (marks !== null) scope.own(marks);
  const pass = { pass: "sizes", range, buffers: [sizes], marks } as const;
  const params = (steps: number) => [rows, rows, 0, steps, context.longRowBytes, 0, 0, 0];
  if (long !== null) {
    const steps = maxLongSteps(context);
    await encodePass(context, commands, run, { ...pass, params: params(steps), rows: long });
  }
  const others = {
    rows: long === null ? "all" : "short",
    params: params(isAsked ? maxSteps(context) : UNLIMITED_STEPS),
  } as const;
  await encodePass(context, commands, run, { ...pass, ...others });
  for (let k = 0; k < count; k++) {
    const sums = { sums: sizes, firstWord: k * each + rows, blocks };
    await encodeScan(context, commands, { ...sums, totals, slot: slot + k, counts });
  }
  scope.keep();
  return { run, range, sizes, long, marks };
}

/**
 * Returns the range if its result fits a window, else the smaller ranges to cut it into. Returns
 * none if cutting does not help: a single row does not fit or takes too long, or no column could
 * hold the result.
 */
export function rangesThatFit(
  { run, range }: SizedRange,
  size: ResultSize,
  windowBytes: number,
): AlignedRange[] {
  if (size.dataBytes === SATURATED || size.numItems === SATURATED) return [];
  const bytes = 4 * resultLayout(run, range, size).words;
  if (bytes <= windowBytes) return [range];
  if (range.length === 1) return [];
  const numParts = Math.min(range.length, Math.ceil(bytes / windowBytes) + 1);
  const cut = (part: number) => Math.floor((range.length * part) / numParts);
  return Array.from({ length: numParts }, (_, k) => subRange(range, cut(k), cut(k + 1)));
}

function resultLayout(
  { kernel }: KernelRun,
  { length }: AlignedRange,
  { dataBytes, numItems }: ResultSize,
): WindowLayout {
  const items = { length: numItems, hasValidity: false };
  return windowLayout(kernel.type, length, dataBytes, kernel.canBeNull, items);
}

/**
 * Adds the write pass of one range, whose result has a known size: one dispatch, and another for
 * long rows.
 */
export async function encodeWrite(
  context: WebGpuContext,
  commands: Commands,
  { run, range, sizes, long, marks }: SizedRange,
  size: ResultSize,
): Promise<ColumnWindow> {
  const { type, label } = run.kernel;
  const { start, length } = range;
  const { dataBytes, numItems } = size;
  const layout = resultLayout(run, range, size);
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", 4 * layout.words, label));
  const { validityWord, offsetsWord, itemOffsetsWord, dataWord, words } = layout;
  const total = type.kind === "list" && !isTextList(type) ? numItems : dataBytes;
  // Rows that share a word of text combine their parts in it, so it must start as zero.
  commands.clear(buffer, dataWord, words - dataWord);
  const params = [
    ...[length, length, total, numItems],
    ...[validityWord, offsetsWord, dataWord, itemOffsetsWord],
  ];
  const pass = { pass: "write", range, params, buffers: [sizes, buffer], marks } as const;
  await encodePass(context, commands, run, { ...pass, rows: long === null ? "all" : "short" });
  if (long !== null) await encodePass(context, commands, run, { ...pass, rows: long });
  scope.keep();
  return { start, length, dataBytes, numItems, layout, buffer };
}
