/**
 * The redaction written by hand: one loop over Arrow's buffers. It is the limit against which the compiled
 * expression is measured.
 *
 * @module
 */

import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";

const BLANK = 0x20;
const X = 0x58;

const fields = [new Field("value", new Utf8(), true)];
const schema = new Schema(fields);

/**
 * Redacts one batch of `name` and `visibility`, text without nulls: the first letter of the second
 * word, a blank, and the first word; null if there is only one word; "X X" unless the
 * visibility is "public".
 */
export function redactByHand(batch: RecordBatch): RecordBatch {
  const length = batch.numRows;
  const [name, visibility] = batch.data.children;
  const nameOffsets = name!.valueOffsets as Int32Array;
  // No result is longer than its name or than "X X".
  const room = nameOffsets[length]! - nameOffsets[0]! + 3 * length;
  const bytes = new Uint8Array(room);
  const valueOffsets = new Int32Array(length + 1);
  const nullBitmap = new Uint8Array((length + 7) >> 3).fill(0xff);
  const { size, nulls } = redactRows(
    length,
    nameOffsets,
    name!.values as Uint8Array,
    visibility!.valueOffsets as Int32Array,
    visibility!.values as Uint8Array,
    valueOffsets,
    bytes,
    nullBitmap,
  );
  const column = makeData({
    type: new Utf8(),
    length,
    nullCount: nulls,
    valueOffsets,
    data: bytes.slice(0, size),
    ...(nulls > 0 ? { nullBitmap } : {}),
  });
  const struct = makeData({ type: new Struct(fields), length, nullCount: 0, children: [column] });
  return new RecordBatch(schema, struct);
}

function redactRows(
  numRows: number,
  nameOffsets: Int32Array,
  name: Uint8Array,
  visibilityOffsets: Int32Array,
  visibility: Uint8Array,
  offsets: Int32Array,
  result: Uint8Array,
  validity: Uint8Array,
): { readonly size: number; readonly nulls: number } {
  let size = 0;
  let nulls = 0;
  for (let row = 0; row < numRows; row++) {
    if (isPublic(visibility, visibilityOffsets[row]!, visibilityOffsets[row + 1]!)) {
      const start = nameOffsets[row]!;
      const stop = nameOffsets[row + 1]!;
      let blank = start;
      while (blank < stop && name[blank] !== BLANK) blank++;
      if (blank < stop) {
        let at = blank + 1;
        if (at < stop && name[at] !== BLANK) {
          // A letter has all bytes up to the next lead byte.
          do result[size++] = name[at++]!; while (at < stop && (name[at]! & 0xc0) === 0x80);
        }
        result[size++] = BLANK;
        for (at = start; at < blank; at++) result[size++] = name[at]!;
      } else {
        validity[row >> 3]! &= ~(1 << (row & 7));
        nulls++;
      }
    } else {
      result[size] = X;
      result[size + 1] = BLANK;
      result[size + 2] = X;
      size += 3;
    }
    offsets[row + 1] = size;
  }
  return { size, nulls };
}

/** Whether a text is "public". */
function isPublic(text: Uint8Array, start: number, stop: number): boolean {
  return stop - start === 6 && text[start] === 0x70 && text[start + 1] === 0x75 &&
    text[start + 2] === 0x62 && text[start + 3] === 0x6c && text[start + 4] === 0x69 &&
    text[start + 5] === 0x63;
}
