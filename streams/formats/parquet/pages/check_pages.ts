/**
 * Checks pages before parquet-wasm decodes them, since it trusts their headers.
 *
 * @module
 */

import {
  bitPacked,
  byteStreamSplit,
  codecs,
  type ColumnChunk,
  deltaBinaryPacked,
  deltaByteArray,
  deltaLengthByteArray,
  encoding as encodings,
  type Leaf,
  widthOf,
} from "../metadata/metadata.ts";
import { varintAt } from "../metadata/varint.ts";
import { countHybrid, countLevels, endsWithLevels } from "./levels.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";
import type { PageLocation } from "./page_index.ts";
import { encodedLevels, pageParts } from "./page_parts.ts";
import { checkSums, type DataHeader, dataHeaderOf, type Page, pagesIn } from "./pages_in.ts";

/** The encodings of values without a dictionary. */
const OF_VALUES: ReadonlySet<number> = new Set([
  encodings.plain,
  byteStreamSplit,
  deltaBinaryPacked,
  deltaLengthByteArray,
  deltaByteArray,
]);

/** A column of one row group. */
export interface ColumnPages {
  readonly leaf: Leaf;
  readonly chunk: ColumnChunk;
  /** Rows of the row group. */
  readonly numRows: number;
  /** Whether byte arrays may share a prefix with the page before, which the format forbids. */
  readonly mayGoOn: boolean;
}

/**
 * Checks all pages of a column. Throws a PageFactError if they are wrong; its remedy says whether
 * rewriting makes them readable (see `plainPages`).
 */
export async function checkColumn(bytes: Uint8Array, column: ColumnPages): Promise<void> {
  const { leaf, numRows } = column;
  const { numValues: claimed = 0 } = column.chunk.metadata!;
  // Without lists, each row has one value or null. Some writers do not count the values of lists.
  const expected = leaf.maxRepetition === 0 ? numRows : claimed > 0 ? claimed : Infinity;
  const pages: Page[] = [];
  let [numValues, remedy] = [0, undefined as PageFactError | undefined];
  for (const page of pagesIn(bytes)) {
    const data = dataHeaderOf(page);
    pages.push(page);
    checkSize(bytes, page, column);
    if (data === undefined) continue;
    numValues += data.numValues;
    checkShape(page, data, column);
    remedy ??= remedyFor(bytes, page, data, column);
    // In files of some writers, a column's range reaches into the next column.
    if (numValues >= expected) break;
  }
  await checkSums(bytes, pages);
  if (Number.isFinite(expected) && numValues !== expected) {
    const what = leaf.maxRepetition === 0
      ? `row group has ${numRows} rows`
      : `metadata state ${claimed}`;
    throw new PageFactError(`its pages have ${numValues} values, but its ${what}`);
  }
  if (remedy !== undefined) throw remedy;
}

/**
 * Checks the dictionary of a column, which precedes its data pages. Throws a PageFactError if it is
 * wrong.
 */
export async function checkDictionary(bytes: Uint8Array, column: ColumnPages): Promise<void> {
  const pages = [...pagesIn(bytes)];
  await checkSums(bytes, pages);
  for (const page of pages) checkSize(bytes, page, column);
}

/**
 * Checks a page that the page index leads to: that it is a data page and has as many rows as the
 * index says. Throws a PageFactError if not.
 */
export async function checkIndexed(
  bytes: Uint8Array,
  column: ColumnPages,
  { numRows }: PageLocation,
): Promise<void> {
  const { leaf } = column;
  const [page, ...others] = pagesIn(bytes);
  const data = page && dataHeaderOf(page);
  if (page === undefined || data === undefined || others.length > 0) {
    throw new PageFactError("its page index lists a page that does not exist");
  }
  await checkSums(bytes, [page]);
  checkSize(bytes, page, column);
  checkShape(page, data, column);
  const remedy = remedyFor(bytes, page, data, column);
  if (remedy !== undefined) throw remedy;
  const rows = leaf.maxRepetition === 0
    ? data.numValues
    : await rowsOfLists(bytes, page, data, column);
  if (rows === numRows) return;
  throw new PageFactError(`a page has ${rows} rows, but its index states ${numRows}`);
}

/**
 * Counts the rows of a page of lists. Throws a PageFactError unless it begins with a row and its
 * levels end with its last value: nothing else confirms the number of values until all pages of the
 * column are read.
 */
async function rowsOfLists(
  bytes: Uint8Array,
  page: Page,
  data: DataHeader,
  { leaf, chunk }: ColumnPages,
): Promise<number> {
  let encoded: Uint8Array;
  let rows: number;
  if (data.second !== undefined) {
    // Its levels are not compressed; `remedyFor` has checked that they begin a row and have this
    // many.
    encoded = encodedLevels(bytes, page, data, leaf).repetition;
    rows = data.second.numRows!;
  } else {
    const parts = await pageParts(bytes, page, data, leaf, chunk.metadata!.codec);
    if (parts.repetition![0] !== 0) throw new PageFactError(beginsInside(page));
    encoded = parts.encodedRepetition;
    rows = countLevels(parts.repetition!, 0);
  }
  if (endsWithLevels(encoded, leaf.maxRepetition, data.numValues)) return rows;
  throw new PageFactError(`page ${page.index} has more levels than its ${data.numValues} values`);
}

/**
 * Checks the uncompressed size of a page. parquet-wasm trusts it for plain data and for Snappy,
 * which stores it in front of the bytes, too; for other codecs it finds errors itself.
 */
function checkSize(
  bytes: Uint8Array,
  { header, body, stop, index }: Page,
  { chunk }: ColumnPages,
): void {
  const { uncompressedBytes = 0, dataPageV2 } = header;
  const { codec } = chunk.metadata!;
  const levelBytes = (dataPageV2?.definitionBytes ?? 0) + (dataPageV2?.repetitionBytes ?? 0);
  const isCompressed = codec !== codecs.none && dataPageV2?.isCompressed !== false;
  const isEmpty = stop - body === levelBytes;
  let found = stop - body;
  if (isCompressed && (codec !== codecs.snappy || isEmpty)) return;
  if (isCompressed) found = levelBytes + varintAt(bytes.subarray(0, stop), body + levelBytes).value;
  if (found === uncompressedBytes) return;
  throw new PageFactError(
    `page ${index} does not have the ${uncompressedBytes} bytes that its header states`,
  );
}

/**
 * Checks the size of a page whose size follows from its number of values, and the encodings whose
 * bytes are values whatever they are, if the column lists another one instead.
 */
function checkShape(
  { header, index }: Page,
  { numValues, encoding }: DataHeader,
  { leaf, chunk }: ColumnPages,
): void {
  const { uncompressedBytes } = header;
  const { encodings: listed = [] } = chunk.metadata!;
  const takesAnyBytes = encoding === encodings.plain || encoding === byteStreamSplit;
  const isOther = (other: number) => other !== encoding && OF_VALUES.has(other);
  if (takesAnyBytes && !listed.includes(encoding) && listed.some(isOther)) {
    throw new PageFactError(
      `page ${index} has encoding ${encoding}, but its column lists ${listed.join(", ")}`,
    );
  }
  const hasLevels = leaf.maxDefinition + leaf.maxRepetition > 0;
  const width = widthOf(leaf.element) ?? 0;
  if (hasLevels || encoding !== encodings.plain || width === 0) return;
  if (uncompressedBytes === numValues * width) return;
  throw new PageFactError(
    `page ${index} has ${uncompressedBytes} bytes, but its header states ${numValues} values of ${width}`,
  );
}

/**
 * Returns an error if parquet-wasm would misread a page, which rewriting prevents; otherwise
 * undefined.
 */
function remedyFor(
  bytes: Uint8Array,
  page: Page,
  data: DataHeader,
  { leaf, mayGoOn }: ColumnPages,
): PageFactError | undefined {
  const { dataPage } = page.header;
  const needs = (problem: string) => new PageFactError(problem, "plain pages");
  if (mayGoOn && data.encoding === deltaByteArray) {
    return needs(`page ${page.index} may continue the texts of the previous page`);
  }
  if (data.second === undefined) {
    const isOld = leaf.maxRepetition > 0 && dataPage!.repetitionEncoding === bitPacked ||
      leaf.maxDefinition > 0 && dataPage!.definitionEncoding === bitPacked;
    return isOld
      ? needs(`page ${page.index} has levels in the deprecated encoding BIT_PACKED`)
      : undefined;
  }
  const { numValues } = data;
  const { maxRepetition, maxDefinition } = leaf;
  const { numRows = -1, numNulls = -1 } = data.second;
  const { repetition, definition } = encodedLevels(bytes, page, data, leaf);
  let [rows, present] = [numValues, numValues];
  if (maxRepetition > 0) {
    const { first = 0, found } = countHybrid(repetition, maxRepetition, numValues, 0);
    if (first !== 0) return needs(beginsInside(page));
    rows = found;
  }
  if (rows !== numRows) {
    return needs(`page ${page.index} has ${rows} rows, but its header states ${numRows}`);
  }
  if (maxDefinition > 0) {
    present = countHybrid(definition, maxDefinition, numValues, maxDefinition).found;
  }
  const nulls = numValues - present;
  if (nulls === numNulls) return undefined;
  return needs(`page ${page.index} has ${nulls} nulls, but its header states ${numNulls}`);
}

function beginsInside({ index }: Page): string {
  return `page ${index} begins in the middle of a row`;
}
