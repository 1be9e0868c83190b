/**
 * Offsets of 64 bits in words.
 *
 * @module
 */

import type { WideText } from "../mod.ts";
import { formatCount } from "./quantities.ts";
import { showControls } from "./show_controls.ts";

/** Which column had them in how many of the batches that there were, and with how much text. */
export function describeWideText({ column, batches, bytes }: WideText, numBatches: number): string {
  const unit = numBatches === 1 ? "batch" : "batches";
  const ofAll = `${formatCount(batches)} of ${formatCount(numBatches)} ${unit}`;
  return `${showControls(column)}: 64-bit offsets in ${ofAll}, at most ${formatCount(bytes)} bytes`;
}

/** Why they had them. */
export function wideTextRule(threshold: number): string {
  const bytes = `${formatCount(threshold)} ${threshold === 1 ? "byte" : "bytes"}`;
  return `64-bit where a column has ${bytes} of text or more in a batch, else 32-bit`;
}
