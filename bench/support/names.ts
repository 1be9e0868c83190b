/**
 * Makes record batches of made-up names, the same in every run.
 *
 * @module
 */

import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";

/** Rows of a batch. */
const BATCH_ROWS = 65_536;

/** Makes the text of a row, or null. */
export type TextOf = (random: () => number) => string | null;

/** Returns a source of 32-bit numbers: xorshift, so that every run has the same texts. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Makes up words of 3 to 9 letters with an initial capital. */
export function words(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const letter = () => String.fromCharCode(0x61 + random() % 26);
  return Array.from({ length: count }, () => {
    const small = Array.from({ length: 2 + random() % 7 }, letter).join("");
    return letter().toUpperCase() + small;
  });
}

/** Makes record batches with columns of text. */
export function textBatches(
  numRows: number,
  columns: Readonly<Record<string, TextOf>>,
): RecordBatch[] {
  const random = randomNumbers(1);
  const fields = Object.keys(columns).map((name) => new Field(name, new Utf8(), true));
  const schema = new Schema(fields);
  const batches: RecordBatch[] = [];
  for (let start = 0; start < numRows; start += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, numRows - start);
    const children = Object.values(columns).map((text) => textColumn(length, text, random));
    const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
    batches.push(new RecordBatch(schema, data));
  }
  return batches;
}

function textColumn(length: number, textOf: TextOf, random: () => number) {
  const encoder = new TextEncoder();
  const valueOffsets = new Int32Array(length + 1);
  const nullBitmap = new Uint8Array((length + 7) >> 3).fill(0xff);
  let nullCount = 0;
  let bytes = new Uint8Array(16 * length);
  let size = 0;
  for (let row = 0; row < length; row++) {
    const text = textOf(random);
    if (text === null) {
      nullBitmap[row >> 3]! &= ~(1 << (row & 7));
      nullCount++;
    } else {
      // UTF-8 takes at most three bytes for each UTF-16 unit.
      const room = size + 3 * text.length;
      if (room > bytes.length) bytes = grown(bytes, size, room);
      size += encoder.encodeInto(text, bytes.subarray(size)).written;
    }
    valueOffsets[row + 1] = size;
  }
  const nulls = nullCount > 0 ? { nullBitmap } : {};
  const data = bytes.slice(0, size);
  return makeData({ type: new Utf8(), length, nullCount, valueOffsets, data, ...nulls });
}

function grown(bytes: Uint8Array, size: number, room: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(room, 2 * bytes.length));
  larger.set(bytes.subarray(0, size));
  return larger;
}

/**
 * Returns the same rows of text in new objects, so that nothing remembered about a batch (that its text is ASCII,
 * say) helps in the next round.
 */
export function unseen(batches: readonly RecordBatch[]): RecordBatch[] {
  return batches.map(({ schema, data, numRows }) => {
    const children = data.children.map(
      ({ valueOffsets, values, length, nullCount, nullBitmap }) => {
        const nulls = nullCount > 0 ? { nullBitmap } : {};
        const data = values.subarray();
        return makeData({ type: new Utf8(), length, nullCount, valueOffsets, data, ...nulls });
      },
    );
    const struct = makeData({ type: data.type as Struct, length: numRows, nullCount: 0, children });
    return new RecordBatch(schema, struct);
  });
}

/** Returns the bytes of the text of one column, without offsets. */
export function textBytes(batches: readonly RecordBatch[], column: string): number {
  return batches.reduce((sum, batch) => sum + batch.getChild(column)!.data[0]!.values.length, 0);
}
