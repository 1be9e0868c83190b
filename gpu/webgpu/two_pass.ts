/**
 * Results of variable size: count, scan, store. Three dispatches for each kernel and one readback
 * for all of them together, after which every output is allocated with its exact size.
 *
 * A sum of sizes never wraps: it saturates. Rows whose text does not fit one window are cut into
 * smaller ranges and counted again, so the result has several windows.
 *
 * @module
 */

import type { PooledBuffer } from "./buffer_pool.ts";
import type { Commands } from "./commands.ts";
import type { WebGpuContext } from "./context.ts";
import {
  type AlignedRange,
  type ColumnWindow,
  RowTooLargeError,
  subRange,
  windowLayout,
} from "./device_column.ts";
import { encodePass, type KernelRun } from "./kernel_run.ts";
import { maxSteps } from "./loop_limit.ts";
import { encodeScan, numBlocks, SATURATED } from "./scan.ts";
import { Scope } from "./scope.ts";

/** A range of rows whose sizes are being counted. */
export interface SizedRange {
  readonly run: KernelRun;
  readonly range: AlignedRange;
  /** For each row the bytes before it in its block, then the block sums. */
  readonly sizes: PooledBuffer;
}

/** Rows that can be counted at once: sizes and block sums must fit one binding. */
export function maxTextRows(windowBytes: number): number {
  return Math.max(1, Math.floor(windowBytes / 4.25) - 2);
}

/** Adds the sizes pass and the scan of one range: two dispatches. */
export async function encodeSizes(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
  total: { readonly totals: PooledBuffer; readonly slot: number },
): Promise<SizedRange> {
  const rows = range.length;
  const blocks = numBlocks(rows);
  const label = `${run.kernel.label} sizes`;
  using scope = new Scope();
  const sizes = scope.own(await context.pool.acquire("storage", 4 * (rows + blocks), label));
  const params = [rows, rows, 0, maxSteps(context), 0, 0, 0, 0];
  await encodePass(context, commands, run, { pass: "sizes", range, params, buffers: [sizes] });
  await encodeScan(context, commands, { sums: sizes, firstWord: rows, blocks, ...total });
  scope.keep();
  return { run, range, sizes };
}

/**
 * The smaller ranges into which a range must be cut because its text does not fit a window; null
 * where it does. Throws a `RowTooLargeError` for a row that does not fit alone or takes too long,
 * and for text that no column could hold.
 */
export function splitTooLarge(
  { run, range }: SizedRange,
  textBytes: number,
  windowBytes: number,
): AlignedRange[] | null {
  const { type, canBeNull, label } = run.kernel;
  const bytes = 4 * windowLayout(type, range.length, textBytes, canBeNull).words;
  if (textBytes === SATURATED) {
    throw new RowTooLargeError(`${label} makes too much text of a row, or takes too long`);
  }
  if (bytes <= windowBytes) return null;
  if (range.length === 1) {
    throw new RowTooLargeError(
      `Row ${range.start} of ${label} takes ${textBytes} bytes of ${windowBytes}`,
    );
  }
  const pieces = Math.min(range.length, Math.ceil(bytes / windowBytes) + 1);
  const cut = (piece: number) => Math.floor((range.length * piece) / pieces);
  return Array.from({ length: pieces }, (_, k) => subRange(range, cut(k), cut(k + 1)));
}

/** Adds the write pass of one range, whose text takes `textBytes`: one dispatch. */
export async function encodeWrite(
  context: WebGpuContext,
  commands: Commands,
  { run, range, sizes }: SizedRange,
  textBytes: number,
): Promise<ColumnWindow> {
  const { type, canBeNull, label } = run.kernel;
  const { start, length } = range;
  const layout = windowLayout(type, length, textBytes, canBeNull);
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", 4 * layout.words, label));
  const { validityWord, offsetsWord, dataWord, words } = layout;
  // Rows that share a word of text join their parts in it, so it must start at zero.
  commands.clear(buffer, dataWord, words - dataWord);
  await encodePass(context, commands, run, {
    pass: "write",
    range,
    params: [length, length, textBytes, 0, validityWord, offsetsWord, dataWord, 0],
    buffers: [sizes, buffer],
  });
  scope.keep();
  return { start, length, dataBytes: textBytes, layout, buffer };
}
