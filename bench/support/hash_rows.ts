/**
 * A digest of the rows of a file that does not depend on their order.
 *
 * @module
 */

import { DataType, type RecordBatch, type Vector } from "apache-arrow";
import { createEngine, read, select } from "../../mod.ts";

/** The columns by which results of the flights are compared: all but the date. */
export const FLIGHT_COLUMNS = [
  ...["delay", "distance", "origin", "destination", "route"],
  ...["name", "city", "name_to", "city_to", "redacted"],
] as const;

/** Returns the number of rows and the sum of their hashes over the named columns, of text or integers. */
export async function hashRows(path: string, columns: readonly string[]): Promise<string> {
  const engine = createEngine({ device: "cpu" });
  let numRows = 0;
  let sum = 0;
  const stream = read(path, { engine }).pipeThrough(select(...columns));
  for await (const batch of stream) {
    numRows += batch.numRows;
    for (const hash of hashBatch(batch, columns)) sum = (sum + hash) | 0;
  }
  return `${numRows} rows, hash ${(sum >>> 0).toString(16)}`;
}

/**
 * Returns the FNV-1a hash of each row over the bytes, or the number, of each column. A null counts as a byte that no
 * text has.
 */
function hashBatch(batch: RecordBatch, columns: readonly string[]): Int32Array {
  const hashes = new Int32Array(batch.numRows).fill(0x811c9dc5);
  for (const name of columns) {
    const column = batch.getChild(name)!;
    if (!DataType.isUtf8(column.type)) {
      addNumbers(hashes, column);
      continue;
    }
    const { valueOffsets, values, nullBitmap, nullCount } = column.data[0]!;
    for (let row = 0; row < hashes.length; row++) {
      let hash = hashes[row]!;
      if (nullCount > 0 && ((nullBitmap[row >> 3]! >> (row & 7)) & 1) === 0) {
        hash = Math.imul(hash ^ 0xff, 0x01000193);
      } else {
        const stop = valueOffsets[row + 1]!;
        for (let at = valueOffsets[row]!; at < stop; at++) {
          hash = Math.imul(hash ^ values[at]!, 0x01000193);
        }
      }
      // Marks the end of the text.
      hashes[row] = Math.imul(hash ^ 0xfe, 0x01000193);
    }
  }
  return hashes;
}

/** Adds the low 32 bits of integers to the hashes. */
function addNumbers(hashes: Int32Array, column: Vector): void {
  const { values } = column.data[0]!;
  const isWide = values instanceof BigInt64Array;
  for (let row = 0; row < hashes.length; row++) {
    const value = isWide ? Number(values[row]! & 0xffffffffn) : values[row]!;
    hashes[row] = Math.imul(hashes[row]! ^ value, 0x01000193);
  }
}
