/**
 * Texts to compute with: record batches of made-up names, the same in every run.
 *
 * @module
 */

import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";

/** Rows of a batch. */
const BATCH_ROWS = 65_536;

/** Makes the text of a row; null is a null. */
export type TextOf = (random: () => number) => string | null;

/** A source of numbers of 32 bits: xorshift, so that every run sees the same texts. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Made-up words of 3 to 9 letters, the first a capital. */
export function words(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const letter = () => String.fromCharCode(0x61 + random() % 26);
  return Array.from({ length: count }, () => {
    const small = Array.from({ length: 2 + random() % 7 }, letter).join("");
    return letter().toUpperCase() + small;
  });
}

/** Record batches with columns of text. */
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
      // UTF-8 takes three bytes at most for each unit of a string.
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
 * The same rows of text in objects of their own: nothing that was noted about a batch in an earlier round
 * (that its text is ASCII, say) helps in the next one.
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

/** Bytes of the text of one column, without offsets. */
export function textBytes(batches: readonly RecordBatch[], column: string): number {
  return batches.reduce((sum, batch) => sum + batch.getChild(column)!.data[0]!.values.length, 0);
}
