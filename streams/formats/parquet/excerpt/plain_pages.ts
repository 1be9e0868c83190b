/**
 * Writes the pages of an excerpt.
 *
 * @module
 */

import { GrowingBytes } from "../../../bytes/growing_bytes.ts";
import { codecs, type ColumnChunk, encoding, pageHeader, pageType } from "../metadata/metadata.ts";
import { writeThrift } from "../metadata/thrift.ts";
import type { ColumnRows } from "./column_rows.ts";

/** Writes the pages of a row group: one for each column, with plain encoding and uncompressed. */
export class PlainPages {
  readonly #bytes = new GrowingBytes();

  /** The bytes of all pages so far. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.bytes;
  }

  /**
   * Adds a column, and returns its metadata: those of `chunk` with new offsets, sizes and counts.
   */
  add(chunk: ColumnChunk, { values, validity }: ColumnRows, numRows: number): ColumnChunk {
    const start = this.#bytes.length;
    const levels = validity === undefined ? new Uint8Array(0) : levelsOf(validity);
    const size = levels.length + values.length;
    const header = {
      type: pageType.data,
      uncompressedBytes: size,
      compressedBytes: size,
      dataPage: {
        numValues: numRows,
        encoding: encoding.plain,
        definitionEncoding: encoding.hybrid,
        repetitionEncoding: encoding.hybrid,
      },
    };
    for (const part of [writeThrift(header, pageHeader), levels, values]) this.#bytes.append(part);
    return described(chunk, { start, stop: this.#bytes.length, numRows });
  }

  /** Returns the metadata of a column without pages, which is never read. */
  absent(chunk: ColumnChunk, numRows: number): ColumnChunk {
    return described(chunk, { start: 0, stop: 0, numRows });
  }
}

function described(
  { metadata }: ColumnChunk,
  { start, stop, numRows }: {
    readonly start: number;
    readonly stop: number;
    readonly numRows: number;
  },
): ColumnChunk {
  return {
    fileOffset: start,
    metadata: {
      ...metadata,
      encodings: [encoding.plain, encoding.hybrid],
      codec: codecs.none,
      numValues: numRows,
      uncompressedBytes: stop - start,
      compressedBytes: stop - start,
      dataPageOffset: start,
      dictionaryPageOffset: undefined,
    },
  };
}

/** Encodes definition levels of one bit: their length, then one run of packed integers. */
function levelsOf(validity: Uint8Array): Uint8Array {
  const header: number[] = [];
  let rest = 2 * validity.length + 1;
  for (; rest >= 128; rest >>>= 7) header.push(rest & 127 | 128);
  header.push(rest);
  const levels = new Uint8Array(4 + header.length + validity.length);
  new DataView(levels.buffer).setUint32(0, header.length + validity.length, true);
  levels.set(header, 4);
  levels.set(validity, 4 + header.length);
  return levels;
}
