/**
 * Digests of columns, to compare results. Every row counts, in order.
 *
 * @module
 */

import { DataType, type RecordBatch, type Vector } from "apache-arrow";
import { createEngine, read, toTable } from "../../mod.ts";

/**
 * Returns the number of rows and nulls, and a hash of the texts of all rows, or of those that `isCompared` accepts.
 * Values of other types count as their text.
 */
export function digestText(
  batches: readonly RecordBatch[],
  column: string,
  isCompared: (row: number) => boolean = () => true,
): string {
  let numRows = 0;
  let nulls = 0;
  let hash = 0x811c9dc5;
  for (const batch of batches) {
    const vector = batch.getChild(column)!;
    const textOf = textReader(vector);
    for (let row = 0; row < batch.numRows; row++, numRows++) {
      if (!isCompared(numRows)) continue;
      const text = textOf(row);
      if (text === null) nulls++;
      hash = hashText(text, hash);
    }
  }
  return `${numRows} rows, ${nulls} nulls, hash ${(hash >>> 0).toString(16)}`;
}

/** Returns the digest of a column of a file that a peer wrote. */
export async function digestFile(
  path: string,
  column: string,
  isCompared?: (row: number) => boolean,
): Promise<string> {
  const engine = createEngine({ device: "cpu", threads: 1 });
  const { batches } = await toTable(read(path, { engine }));
  await engine.close();
  return digestText(batches, column, isCompared);
}

/** Continues an FNV-1a hash; a null and the end of a text count as bytes that no UTF-8 has. */
function hashText(text: Uint8Array | null, hash: number): number {
  if (text === null) return Math.imul(hash ^ 0xff, 0x01000193);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text[at]!, 0x01000193);
  return Math.imul(hash ^ 0xfe, 0x01000193);
}

/** Returns a function that returns the bytes of the text of a row. */
function textReader(vector: Vector): (row: number) => Uint8Array | null {
  if (DataType.isUtf8(vector.type) || DataType.isLargeUtf8(vector.type)) {
    const { valueOffsets, values } = vector.data[0]!;
    const hasNulls = vector.nullCount > 0;
    return (row) =>
      hasNulls && !vector.isValid(row)
        ? null
        : values.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  }
  const encoder = new TextEncoder();
  return (row) => {
    const value: unknown = vector.get(row);
    return value === null ? null : encoder.encode(String(value));
  };
}
