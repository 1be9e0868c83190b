/**
 * Rewrites the pages of a column that parquet-wasm would misread.
 *
 * @module
 */

import { GrowingBytes } from "../../../bytes/growing_bytes.ts";
import {
  codecs,
  type ColumnChunk,
  deltaByteArray,
  encoding as encodings,
  type Leaf,
  type PageHeader,
  pageHeader,
  pageType,
  physicalType,
} from "../metadata/metadata.ts";
import { writeThrift } from "../metadata/thrift.ts";
import type { ColumnPages } from "./check_pages.ts";
import { decompress } from "./decompress.ts";
import { deltaByteArrays } from "./delta.ts";
import { holdsValues } from "./holds_values.ts";
import { countLevels, packedLevels } from "./levels.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";
import { type PageParts, pageParts } from "./page_parts.ts";
import { dataHeaderOf, pagesIn } from "./pages_in.ts";

/**
 * Rewrites the pages of a column as version 1 pages, which state no number of rows or nulls,
 * uncompressed and with levels in the usual encoding. Throws a PageFactError if they are broken.
 */
export async function plainPages(
  bytes: Uint8Array,
  { leaf, chunk, numRows, mayGoOn }: ColumnPages,
): Promise<Uint8Array<ArrayBuffer>> {
  const { codec, numValues: claimed = 0 } = chunk.metadata!;
  const pages = new GrowingBytes();
  let [numValues, rows] = [0, 0];
  let last: Uint8Array = new Uint8Array(0);
  for (const page of pagesIn(bytes)) {
    const { dictionaryPage, uncompressedBytes } = page.header;
    const data = dataHeaderOf(page);
    if (data === undefined && dictionaryPage === undefined) continue;
    if (data === undefined) {
      const body = bytes.subarray(page.body, page.stop);
      const own = await decompress(body, codec, uncompressedBytes!);
      append(pages, { type: pageType.dictionary, dictionaryPage }, [own]);
      continue;
    }
    let parts = await pageParts(bytes, page, data, leaf, codec);
    if (mayGoOn && parts.encoding === deltaByteArray) {
      const values = deltaByteArrays(parts.values, last, parts.numValues);
      last = values.at(-1) ?? last;
      parts = { ...parts, encoding: encodings.plain, values: plainValues(values, leaf) };
    }
    checkValues(parts, leaf);
    appendData(pages, parts, leaf);
    numValues += parts.numValues;
    rows += rowsOf(parts);
    if (claimed > 0 && numValues >= claimed) break;
  }
  if (rows === numRows) return pages.bytes;
  throw new PageFactError(`its pages have ${rows} rows, but its row group has ${numRows}`);
}

/** Returns the number of rows that begin in a page. */
function rowsOf({ numValues, repetition }: PageParts): number {
  return repetition === undefined ? numValues : countLevels(repetition, 0);
}

/**
 * Throws unless there are as many values as the levels say; otherwise the levels have another
 * encoding.
 */
function checkValues({ numValues, encoding, values, definition }: PageParts, leaf: Leaf): void {
  const count = definition === undefined ? numValues : countLevels(definition, leaf.maxDefinition);
  if (holdsValues(values, encoding, leaf, count)) return;
  throw new PageFactError(`a page does not have the ${count} values that its levels require`);
}

/** Returns the metadata of a column whose rewritten pages lie at `start`. */
export function plainChunk(chunk: ColumnChunk, start: number, bytes: Uint8Array): ColumnChunk {
  const { numBytes, dictionaryBytes } = sizesOf(bytes);
  return {
    ...chunk,
    fileOffset: start,
    offsetIndexOffset: undefined,
    offsetIndexLength: undefined,
    metadata: {
      ...chunk.metadata,
      codec: codecs.none,
      uncompressedBytes: numBytes,
      compressedBytes: numBytes,
      dataPageOffset: start + dictionaryBytes,
      dictionaryPageOffset: dictionaryBytes > 0 ? start : undefined,
    },
  };
}

function sizesOf(bytes: Uint8Array): { numBytes: number; dictionaryBytes: number } {
  const [first] = pagesIn(bytes);
  const isDictionary = first?.header.type === pageType.dictionary;
  return { numBytes: bytes.length, dictionaryBytes: isDictionary ? first.stop : 0 };
}

function append(
  pages: GrowingBytes,
  header: Omit<PageHeader, "uncompressedBytes" | "compressedBytes">,
  parts: readonly Uint8Array[],
): void {
  const numBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const whole = { ...header, uncompressedBytes: numBytes, compressedBytes: numBytes };
  for (const part of [writeThrift(whole, pageHeader), ...parts]) pages.append(part);
}

function appendData(
  pages: GrowingBytes,
  { numValues, encoding, values, repetition, definition }: PageParts,
  { maxRepetition, maxDefinition }: Leaf,
): void {
  const dataPage = {
    numValues,
    encoding,
    definitionEncoding: encodings.hybrid,
    repetitionEncoding: encodings.hybrid,
  };
  const levels = [
    ...withLength(repetition && packedLevels(repetition, maxRepetition)),
    ...withLength(definition && packedLevels(definition, maxDefinition)),
  ];
  append(pages, { type: pageType.data, dataPage }, [...levels, values]);
}

function withLength(bytes: Uint8Array | undefined): Uint8Array[] {
  return bytes === undefined ? [] : [lengthOf(bytes), bytes];
}

/** Encodes the length of bytes in four bytes. */
function lengthOf({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}

function plainValues(values: readonly Uint8Array[], { element }: Leaf): Uint8Array {
  const plain = new GrowingBytes();
  const isText = element.type === physicalType.byteArray;
  for (const value of values) {
    if (isText) plain.append(lengthOf(value));
    plain.append(value);
  }
  return plain.bytes;
}
