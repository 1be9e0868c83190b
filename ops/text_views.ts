/**
 * Text in Arrow's view layout as offsets and bytes.
 *
 * @module
 */

import type { Data } from "apache-arrow";
import { OverflowError } from "../gpu/errors.ts";

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;
const MAX_TEXT_BYTES = 2 ** 31 - 1;

/**
 * Copies the text of a Utf8View or BinaryView column into one buffer. A view is 16 bytes: the
 * length, then either up to 12 bytes of text or a prefix, the number of a buffer and a position in
 * it. Null rows are empty.
 */
export function textOfViews(data: Data): { offsets: Int32Array; data: Uint8Array } {
  const views: Uint8Array = data.values;
  const words = new DataView(views.buffer, views.byteOffset, data.length * VIEW_BYTES);
  const offsets = new Int32Array(data.length + 1);
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    if (data.getValid(row)) total += words.getInt32(row * VIEW_BYTES, true);
    if (total > MAX_TEXT_BYTES) {
      throw new OverflowError("Text of one batch exceeds 2147483647 bytes", row, total);
    }
    offsets[row + 1] = total;
  }
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
