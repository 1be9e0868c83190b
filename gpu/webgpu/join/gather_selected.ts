/**
 * Gathers columns on the device by a selection from the host.
 *
 * @module
 */

import { Commands } from "../dispatch/commands.ts";
import { gatherTexts, textJobs } from "../gather/gather_texts.ts";
import { maxSelectedRows, selectionWords } from "../gather/row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import { type ColumnWindow, WebGpuColumn } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import { writeBytes } from "../transfer/upload.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { RunResults } from "./results.ts";
import { encodeRun, maxRunRows, planRun, wholeSource } from "./run.ts";

/** No limits: a result has as many rows as fit a window. */
const NO_LIMITS = { rows: Infinity, bytes: Infinity };

/**
 * Returns the rows of `selection` in each of the columns, none of which is empty; -1 selects null.
 * Each range of selected rows takes one readback if some column has text or lists, and another one
 * if one pass gathers some of the text.
 */
export async function gatherSelected(
  context: WebGpuContext,
  columns: readonly WebGpuColumn[],
  selection: Int32Array,
): Promise<WebGpuColumn[]> {
  const mayMiss = selection.some((row) => row < 0);
  using made = new Scope();
  const texts = await gatherInOnePass(context, made, columns, selection, mayMiss);
  const others = columns.filter((_, k) => texts[k] === null);
  const rest = (await gatherInRuns(context, others, selection, mayMiss)).values();
  made.keep();
  return texts.map((column) => column ?? rest.next().value!);
}

/** Returns the columns that one pass can gather, which `made` owns; null for the others. */
async function gatherInOnePass(
  context: WebGpuContext,
  made: Scope,
  columns: readonly WebGpuColumn[],
  selection: Int32Array,
  mayMiss: boolean,
): Promise<(WebGpuColumn | null)[]> {
  const { length } = selection;
  const jobs = textJobs(context, columns, length);
  if (jobs.length === 0 || length > maxSelectedRows(context.windowBytes)) {
    return columns.map(() => null);
  }
  using scope = new Scope();
  const selected = await uploadSelection(context, scope, selection, mayMiss);
  const texts = await gatherTexts(context, columns, selected, jobs);
  for (const column of texts) if (column !== null) made.own(column);
  return texts;
}

async function gatherInRuns(
  context: WebGpuContext,
  columns: readonly WebGpuColumn[],
  selection: Int32Array,
  mayMiss: boolean,
): Promise<WebGpuColumn[]> {
  if (columns.length === 0) return [];
  using made = new Scope();
  const parts: WebGpuColumn[][] = columns.map(() => []);
  const sources = columns.map((column) => wholeSource(column, "probeRows"));
  const most = maxRunRows(context, sources);
  for (let start = 0; start < selection.length;) {
    using scope = new Scope();
    const rows = selection.subarray(start, start + most);
    const selected = await uploadSelection(context, scope, rows, mayMiss);
    const plan = planRun(sources, rows.length, NO_LIMITS);
    const totals = scope.own(await Totals.create(context, plan.slots));
    using commands = new Commands(context, "gather sizes");
    const pairs = { probeRows: selected, buildRows: selected };
    const slots = { totals: totals.buffer, slot: 0 };
    const run = await encodeRun(context, scope, commands, plan, pairs, slots);
    const values = await totals.read(commands);
    const isFollowed = start + rows.length < selection.length;
    const results = new RunResults(context, run, { values, numRows: rows.length, isFollowed })
      .all();
    for (;;) {
      const next = await results.next();
      if (next.done === true) {
        start += next.value;
        break;
      }
      // Columns on the device stay there.
      const gathered = next.value.columns as readonly WebGpuColumn[];
      gathered.forEach((column, k) => parts[k]!.push(made.own(column)));
    }
  }
  made.keep();
  return parts.map(inOne);
}

async function uploadSelection(
  context: WebGpuContext,
  scope: Scope,
  rows: Int32Array,
  mayMiss: boolean,
): Promise<Selection> {
  const { length } = rows;
  const bytes = 4 * selectionWords(length);
  const buffer = scope.own(await context.pool.acquire("storage", bytes, "selection"));
  writeBytes(context, buffer, 0, new Uint8Array(Uint32Array.of(length).buffer));
  writeBytes(context, buffer, 1, bytesOf(rows));
  return { rows: buffer, start: 0, length, mayMiss };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Joins the windows of parts into one column, which owns them. */
function inOne(parts: readonly WebGpuColumn[]): WebGpuColumn {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first!;
  const windows: ColumnWindow[] = [];
  let start = 0;
  let numLongRows = 0;
  for (const part of parts) {
    for (const window of part.windows) windows.push({ ...window, start: start + window.start });
    start += part.length;
    numLongRows += part.numLongRows;
  }
  const { type, hasValidity, ascii, isUtf8 } = first;
  return new WebGpuColumn({ type, hasValidity, ascii, isUtf8, numLongRows, windows });
}
