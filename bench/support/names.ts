/**
 * Texts to compute with: record batches of made-up names, the same in every run.
 *
 * @module
 */

import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";

/** Rows of a batch. */
const BATCH_ROWS = 65_536;

/** Makes the text of a row. */
type TextOf = (random: () => number) => string;

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

/** Record batches with columns of text and no nulls. */
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
  const valueOffsets = new Int32Array(length + 1);
  const texts = Array.from({ length }, (_, row) => {
    const text = textOf(random);
    valueOffsets[row + 1] = valueOffsets[row]! + text.length;
    return text;
  });
  // The words are ASCII: as many bytes as characters.
  const data = new TextEncoder().encode(texts.join(""));
  return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
}

/**
 * The same rows of text in objects of their own: nothing that was noted about a batch in an earlier round
 * (that its text is ASCII, say) helps in the next one.
 */
export function unseen(batches: readonly RecordBatch[]): RecordBatch[] {
  return batches.map(({ schema, data, numRows }) => {
    const children = data.children.map(({ valueOffsets, values, length }) =>
      makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data: values.subarray() })
    );
    const struct = makeData({ type: data.type as Struct, length: numRows, nullCount: 0, children });
    return new RecordBatch(schema, struct);
  });
}

/** Bytes of the text of one column, without offsets. */
export function textBytes(batches: readonly RecordBatch[], column: string): number {
  return batches.reduce((sum, batch) => sum + batch.getChild(column)!.data[0]!.values.length, 0);
}
