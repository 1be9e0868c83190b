/**
 * Text in Arrow's view layout as offsets and bytes.
 *
 * @module
 */

import type { Data } from "apache-arrow";
import type { Offsets } from "../../gpu/column/column.ts";
import { newOffsets } from "../../gpu/column/offsets.ts";

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * Copies the text of a Utf8View or BinaryView column into one buffer. A view is 16 bytes: the
 * length, then either up to 12 bytes of text or a prefix, the number of a buffer and a position in
 * it. Null rows are empty.
 */
export function textOfViews(data: Data): { offsets: Offsets; data: Uint8Array } {
  const views: Uint8Array = data.values;
  const words = new DataView(views.buffer, views.byteOffset, data.length * VIEW_BYTES);
  const sizeOf = (row: number) => data.getValid(row) ? words.getInt32(row * VIEW_BYTES, true) : 0;
  let total = 0;
  for (let row = 0; row < data.length; row++) total += sizeOf(row);
  const offsets = newOffsets(data.length, total);
  for (let row = 0; row < data.length; row++) offsets[row + 1] = offsets[row]! + sizeOf(row);
  const text = new Uint8Array(total);
  for (let row = 0; row < data.length; row++) {
    const start = offsets[row]!;
    const length = offsets[row + 1]! - start;
    if (length === 0) continue;
    const at = row * VIEW_BYTES;
    if (length <= INLINE_BYTES) {
      text.set(views.subarray(at + 4, at + 4 + length), start);
    } else {
      const from = words.getInt32(at + 12, true);
      const buffer = data.variadicBuffers[words.getInt32(at + 8, true)]!;
      text.set(buffer.subarray(from, from + length), start);
    }
  }
  return { offsets, data: text };
}
