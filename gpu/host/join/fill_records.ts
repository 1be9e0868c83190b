/**
 * Writes the values of columns into records.
 *
 * @module
 */

import { type HostColumn, viewAs } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import { textView } from "../../key/key_words.ts";
import type { RecordField } from "./table_places.ts";

/** The place of a column in a record, in words of 32 bits from its start. */
export interface FieldLayout extends RecordField {
  readonly inlineWords: number;
  /** The place in memory of position 0 of the column's text. */
  readonly dataAt: number;
}

/**
 * Writes the rows [start, stop) of a column, and their nulls, into records that are zeros there.
 */
export function fillField(
  words: Int32Array,
  stride: number,
  field: FieldLayout,
  column: HostColumn,
  start: number,
  stop: number,
): void {
  const { kind, nullBit, width } = field;
  const { validity, data } = column;
  const at = (start + 1) * stride + field.at;
  if (nullBit >= 0) {
    let flags = (start + 1) * stride + (nullBit >> 5);
    const shift = nullBit & 31;
    for (let row = start; row < stop; row++, flags += stride) {
      words[flags]! |= bitAt(validity!, row) << shift;
    }
  }
  if (kind === "short" || kind === "long") {
    fillText(words, stride, at, field, column, start, stop);
  } else if (kind === "bit") {
    for (let row = start, to = at; row < stop; row++, to += stride) words[to] = bitAt(data, row);
  } else if (width === 1) fillNumbers(words, stride, at, data, start, stop);
  else if (width === 2) fillNumbers(words, stride, at, viewAs(Int16Array, data), start, stop);
  else if (width === 4) fillNumbers(words, stride, at, viewAs(Int32Array, data), start, stop);
  else if (width === 8) fillPairs(words, stride, at, viewAs(Int32Array, data), start, stop);
  else fillBytes(words, stride, at, data, width, start, stop);
}

function fillNumbers(
  words: Int32Array,
  stride: number,
  at: number,
  values: Uint8Array | Int16Array | Int32Array,
  start: number,
  stop: number,
): void {
  for (let row = start, to = at; row < stop; row++, to += stride) words[to] = values[row]!;
}

function fillPairs(
  words: Int32Array,
  stride: number,
  at: number,
  values: Int32Array,
  start: number,
  stop: number,
): void {
  for (let row = start, to = at; row < stop; row++, to += stride) {
    words[to] = values[2 * row]!;
    words[to + 1] = values[2 * row + 1]!;
  }
}

function fillBytes(
  words: Int32Array,
  stride: number,
  at: number,
  data: Uint8Array,
  width: number,
  start: number,
  stop: number,
): void {
  for (let row = start, to = at; row < stop; row++, to += stride) {
    packBytes(words, to, data, row * width, width);
  }
}

function fillText(
  words: Int32Array,
  stride: number,
  at: number,
  { inlineWords, dataAt }: FieldLayout,
  column: HostColumn,
  start: number,
  stop: number,
): void {
  const { offsets, data, view } = textView(column);
  // The last place from which whole words can be read without leaving the data.
  const lastStart = data.length - 4 * inlineWords;
  for (let row = start, to = at; row < stop; row++, to += stride) {
    const from = offsets[row]!;
    const size = offsets[row + 1]! - from;
    words[to] = size;
    if (size > 4 * inlineWords) {
      words[to + 1] = dataAt + from;
    } else if (from > lastStart) {
      packBytes(words, to + 1, data, from, size);
    } else {
      for (let word = 0; word < inlineWords; word++) {
        // The bits of this word that are text.
        const bits = 8 * Math.min(Math.max(size - 4 * word, 0), 4);
        const mask = bits === 32 ? -1 : (1 << bits) - 1;
        words[to + 1 + word] = view.getInt32(from + 4 * word, true) & mask;
      }
    }
  }
}

/** Writes bytes into words of zeros. */
function packBytes(
  words: Int32Array,
  at: number,
  data: Uint8Array,
  from: number,
  size: number,
): void {
  for (let byte = 0; byte < size; byte++) {
    words[at + (byte >> 2)]! |= data[from + byte]! << (8 * (byte & 3));
  }
}
