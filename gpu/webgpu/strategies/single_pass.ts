/**
 * The strategy for results of fixed width: one dispatch, and no wait.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { byteWidth } from "../../column/column.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  alignedBytes,
  type AlignedRange,
  type ColumnWindow,
  fixedDataBytes,
  windowLayout,
} from "../memory/device_column.ts";
import { encodeMarks } from "./lanes.ts";
import { encodePass, type KernelRun, listLongRows } from "./kernel_run.ts";
import { maxLongSteps, maxSteps, mayTakeLong, UNLIMITED_STEPS } from "../dispatch/loop_limit.ts";
import { mayFail } from "../../kernel/ir/visit.ts";
import { Scope } from "../memory/scope.ts";

/** Returns the most rows of a type whose values and validity fit one window. */
export function maxFixedRows(type: ColumnType, windowBytes: number): number {
  // Values and validity are each padded to a whole word; the flag takes another.
  const rowsOf = (bytes: number) =>
    Math.max(1, Math.floor((bytes - 12) / (byteWidth(type) + 0.25)));
  return rowsOf(windowBytes - alignedBytes(rowsOf(windowBytes)));
}

/** A window, and the flag that the kernel sets if one of its rows takes too long or fails. */
export interface SingleResult {
  readonly window: ColumnWindow;
  /**
   * The word of the window's buffer with the flag, 0 if all is well; null if no row can take too
   * long or fail.
   */
  readonly flagWord: number | null;
}

/**
 * Adds a kernel over one range: one dispatch, two more if rows may be long, and one more if lanes
 * mark them. `scope` owns what the device needs until the work is submitted.
 */
export async function encodeSingle(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  run: KernelRun,
  range: AlignedRange,
): Promise<SingleResult> {
  const { type, canBeNull, label } = run.kernel;
  const { start, length } = range;
  const dataBytes = fixedDataBytes(type, length);
  const layout = windowLayout(type, length, dataBytes, canBeNull);
  const { validityWord, offsetsWord, dataWord, words } = layout;
  const isLimited = mayTakeLong(context, run.inputs);
  const isAsked = isLimited || mayFail(run.kernel.body);
  using own = new Scope();
  const buffer = own.own(await context.pool.acquire("storage", 4 * (words + 1), label));
  commands.clear(buffer, words, 1);
  const marks = await encodeMarks(context, commands, run, range);
  if (marks !== null) scope.own(marks);
  const pass = { pass: "single", range, buffers: [buffer], marks } as const;
  const params = (most: number) => {
    const steps = isLimited ? most : UNLIMITED_STEPS;
    return [length, words, 0, steps, validityWord, offsetsWord, dataWord, 0];
  };
  const long = await listLongRows(context, commands, run, range);
  const rows = long === null ? "all" : "short";
  await encodePass(context, commands, run, { ...pass, params: params(maxSteps(context)), rows });
  if (long !== null) {
    scope.own(long.list);
    const steps = maxLongSteps(context);
    await encodePass(context, commands, run, { ...pass, params: params(steps), rows: long });
  }
  own.keep();
  const window = { start, length, dataBytes, layout, buffer };
  return { window, flagWord: isAsked ? words : null };
}
