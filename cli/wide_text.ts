/**
 * Offsets of 64 bits in words.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { Engine, RunStats, WideText } from "../mod.ts";
import { formatCount } from "./quantities.ts";
import { showControls } from "../streams/show_controls.ts";

/** A column, in how many of the batches it had them, and with how much text. */
export function describeWideText(text: WideText, numBatches: number): string {
  return `${showControls(text.column)}: ${inBatches(text, numBatches)}`;
}

/** The offsets that the text of a column had in the batches that a run gave. */
export function describeOffsets(column: string, { wideText, batchesOut }: RunStats): string {
  const wide = wideText.find((text) => text.column === column);
  return wide === undefined ? "32-bit offsets in every batch" : inBatches(wide, batchesOut);
}

function inBatches({ batches, bytes }: WideText, numBatches: number): string {
  const unit = numBatches === 1 ? "batch" : "batches";
  const ofAll = `${formatCount(batches)} of ${formatCount(numBatches)} ${unit}`;
  return `64-bit offsets in ${ofAll}, at most ${formatCount(bytes)} bytes`;
}

/** When text gets them. */
export function wideTextRule({ threshold, enabled }: Engine["offsets"]): string {
  const bytes = `${formatCount(threshold)} ${threshold === 1 ? "byte" : "bytes"}`;
  return enabled
    ? `64-bit where a column has ${bytes} of text or more in a batch, else 32-bit`
    : `32-bit; an operator that makes ${bytes} of text or more in a column of a batch fails`;
}

/** Whether a type is that of text or of bytes, or has it inside. */
export function hasText(type: DataType): boolean {
  const { children } = type;
  return /^(Utf8|Binary)$/.test(String(type)) ||
    (children ?? []).some((field) => hasText(field.type));
}
