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
import { Scope } from "./scope.ts";

/** Rows of a type whose values and validity fit one window. */
export function maxFixedRows(type: ColumnType, windowBytes: number): number {
  // Values and validity are each padded to a whole word.
  return Math.max(1, Math.floor((windowBytes - 8) / (byteWidth(type) + 0.25)));
}

/** Adds a kernel over one range: one dispatch. */
export async function encodeSingle(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
): Promise<ColumnWindow> {
  const { type, canBeNull, label } = run.kernel;
  const { start, length } = range;
  const dataBytes = fixedDataBytes(type, length);
  const layout = windowLayout(type, length, dataBytes, canBeNull);
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", 4 * layout.words, label));
  const { validityWord, offsetsWord, dataWord } = layout;
  const params = [length, 0, 0, 0, validityWord, offsetsWord, dataWord, 0];
  await encodePass(context, commands, run, { pass: "single", range, params, buffers: [buffer] });
  scope.keep();
  return { start, length, dataBytes, layout, buffer };
}
