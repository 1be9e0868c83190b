/**
 * Formats counts of rows, times and the widths of offsets.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import { formatCount } from "../../base/quantities.ts";
import { showControls } from "../../base/show_controls.ts";
import type { Engine, RunStats, WideText } from "../../mod.ts";

/** Formats a count of rows: `1 row`, `2 rows`. */
export function formatRows(numRows: number): string {
  return `${formatCount(numRows)} ${numRows === 1 ? "row" : "rows"}`;
}

/** Formats milliseconds with three figures: `0.42 ms`, `42.0 ms`, `4.20 s`. */
export function formatElapsed(elapsedMs: number): string {
  const [value, unit] = elapsedMs < 1000 ? [elapsedMs, "ms"] : [elapsedMs / 1000, "s"];
  return `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
}

/** Formats a duration: `4.2 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(elapsedMs: number): string {
  const seconds = elapsedMs / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** Describes the batches in which a column had 64-bit offsets, and the most text that one had. */
export function describeWideText(text: WideText, numBatches: number): string {
  return `${showControls(text.column)}: ${inBatches(text, numBatches)}`;
}

/** Describes the widths of a column's offsets in the output batches of a run. */
export function describeOffsets(column: string, { wideText, batchesOut }: RunStats): string {
  const wide = wideText.find((text) => text.column === column);
  return wide === undefined ? "32-bit offsets in every batch" : inBatches(wide, batchesOut);
}

function inBatches({ batches, bytes }: WideText, numBatches: number): string {
  const unit = numBatches === 1 ? "batch" : "batches";
  const ofAll = `${formatCount(batches)} of ${formatCount(numBatches)} ${unit}`;
  return `64-bit offsets in ${ofAll}, at most ${formatCount(bytes)} bytes`;
}

/** Describes the rule by which text gets 64-bit offsets. */
export function wideTextRule({ threshold, enabled }: Engine["offsets"]): string {
  const bytes = `${formatCount(threshold)} ${threshold === 1 ? "byte" : "bytes"}`;
  return enabled
    ? `64-bit where a column has ${bytes} of text or more in a batch, else 32-bit`
    : `32-bit; an operator that makes ${bytes} of text or more in a column of a batch fails`;
}

/** Whether a type is text or bytes, or contains them. */
export function hasText(type: DataType): boolean {
  const { children } = type;
  return /^(Utf8|Binary)$/.test(String(type)) ||
    (children ?? []).some((field) => hasText(field.type));
}
