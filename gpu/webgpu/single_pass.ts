/**
 * Results of fixed width: one dispatch, nothing to wait for.
 *
 * @module
 */

import type { ColumnType } from "../column.ts";
import { byteWidth } from "../column.ts";
import type { Commands } from "./commands.ts";
import type { WebGpuContext } from "./context.ts";
import {
  type AlignedRange,
  type ColumnWindow,
  fixedDataBytes,
  windowLayout,
} from "./device_column.ts";
import { encodePass, type KernelRun } from "./kernel_run.ts";
import { maxSteps, UNLIMITED_STEPS } from "./loop_limit.ts";
import { Scope } from "./scope.ts";

/** Rows of a type whose values and validity fit one window. */
export function maxFixedRows(type: ColumnType, windowBytes: number): number {
  // Values and validity are each padded to a whole word; the flag takes another.
  return Math.max(1, Math.floor((windowBytes - 12) / (byteWidth(type) + 0.25)));
}

/** A window, and where the kernel notes that a row of it takes too long. */
export interface SingleResult {
  readonly window: ColumnWindow;
  /** Word of the window's buffer, 0 where all is well; null where no row can take too long. */
  readonly flagWord: number | null;
}

/** Adds a kernel over one range: one dispatch. */
export async function encodeSingle(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
): Promise<SingleResult> {
  const { type, canBeNull, label } = run.kernel;
  const { start, length } = range;
  const dataBytes = fixedDataBytes(type, length);
  const layout = windowLayout(type, length, dataBytes, canBeNull);
  const { validityWord, offsetsWord, dataWord, words } = layout;
  const steps = maxSteps(context);
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", 4 * (words + 1), label));
  commands.clear(buffer, words, 1);
  const params = [length, words, 0, steps, validityWord, offsetsWord, dataWord, 0];
  await encodePass(context, commands, run, { pass: "single", range, params, buffers: [buffer] });
  scope.keep();
  const window = { start, length, dataBytes, layout, buffer };
  return { window, flagWord: steps === UNLIMITED_STEPS ? null : words };
}
