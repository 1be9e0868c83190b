/**
 * Repairs metadata so that parquet-wasm reads it as the writer meant it.
 *
 * parquet-wasm misreads some metadata and traps at other: it turns INT96 into nanoseconds whatever
 * the year, drops the months of an INTERVAL, takes an ENUM for bytes, reports UTC instead of a
 * timestamp's zone where the file has another unit than the hint, and does not report UUID or JSON.
 * Such leaves are read as raw bytes, and their meaning is noted for `restore.ts`.
 *
 * @module
 */

import { type DataType, DataType as Is, type Timestamp } from "apache-arrow";
import { decodeHint, encodeHint, hintKey, plainHint } from "./hint.ts";
import {
  arrowLeaves,
  codecs,
  type ColumnChunk,
  columnOf,
  convertedType,
  type FileMetadata,
  type Leaf,
  leavesOf,
  physicalType,
  repetition,
  type RowGroup,
  type SchemaElement,
  startOf,
  textOf,
} from "./metadata.ts";
import { brokenFooter, whenRead } from "./thrift.ts";
import { hasShortLengths } from "./writer_version.ts";

/** The meaning of a leaf that parquet-wasm does not report. */
export type LeafMeaning =
  /** A timestamp; `type` is the Arrow type of the writer, if known. */
  | { readonly kind: "int96"; readonly type: Timestamp | undefined }
  /** A timestamp with a zone, which the hint has. */
  | { readonly kind: "zone"; readonly zone: string }
  | { readonly kind: "interval" }
  | { readonly kind: "uuid" }
  | { readonly kind: "json" }
  /** More digits than Arrow's widest decimal promises. */
  | { readonly kind: "decimal"; readonly precision: number };

/** The most digits that Arrow allows a 256-bit decimal, and the most that can fit 256 bits. */
const mostDigits = 76;
const mostDigitsOfBits = 77;
const int96Bytes = 12;
const intervalBytes = 12;
const uuidBytes = 16;
/** The most bytes that the page index of a row group may span. */
const mostIndexBytes = 16 << 20;
/** The most bytes of a page header of an old writer. */
const mostHeaderBytes = 100;

/**
 * Repairs the metadata in place and returns the meaning of each leaf. The pages of the file end at
 * byte `pagesStop`. Throws a TypeError for unsupported or contradictory metadata. The columns of a
 * row group are decoded late: their errors come when they are first read.
 */
export function repairMetadata(
  metadata: FileMetadata,
  pagesStop: number,
): (LeafMeaning | undefined)[] {
  if (metadata.encryption !== undefined) {
    throw new TypeError("is encrypted, which is not supported yet");
  }
  const { schema, numRows, rowGroups: groups } = metadata;
  if (schema === undefined || numRows === undefined || groups === undefined) {
    throw new TypeError("is corrupt: its footer lacks the schema, the rows or the row groups");
  }
  schema.forEach(repairRepetition);
  const leaves = leavesOf(metadata);
  // Taken before INT96 becomes bytes.
  const types = leaves.map(({ element }) => element.type);
  const hints = repairHint(metadata, leaves);
  schema.forEach(repairType);
  const meanings = leaves.map(({ element, column }, leaf) =>
    meaningOf(element, hints?.[leaf], column)
  );
  for (const [index, group] of groups.entries()) {
    checkRows(group, index);
    whenRead(group, "columns", (decode) => {
      const columns = decodedColumns(decode);
      checkColumns(columns, group.numRows!, index, leaves, types);
      repairOffsets(columns);
      checkRanges(columns, pagesStop, index);
      repairIndex(columns, pagesStop);
      for (const [leaf, meaning] of meanings.entries()) {
        if (meaning?.kind === "int96") columns[leaf]!.metadata!.type = physicalType.fixedBytes;
      }
      return columns;
    });
  }
  repairRows(metadata, groups, leaves);
  repairLengths(metadata, groups, pagesStop);
  return meanings;
}

function checkRows({ numRows }: RowGroup, group: number): void {
  if (numRows === undefined || numRows < 0) {
    throw new TypeError(`is corrupt: row group ${group} states ${numRows ?? "no number of"} rows`);
  }
}

/** Decodes the columns of a group. Throws a TypeError if the footer is broken. */
function decodedColumns(decode: () => ColumnChunk[] | undefined): ColumnChunk[] {
  try {
    return decode() ?? [];
  } catch (error) {
    throw brokenFooter(error);
  }
}

function checkColumns(
  columns: readonly ColumnChunk[],
  numRows: number,
  group: number,
  leaves: readonly Leaf[],
  types: readonly (number | undefined)[],
): void {
  for (const chunk of columns) {
    if (chunk.encryption !== undefined) {
      throw new TypeError(`column ${columnOf(chunk)} is encrypted, which is not supported yet`);
    }
    if (chunk.filePath !== undefined) {
      const path = textOf(chunk.filePath);
      throw new TypeError(`has columns in another file, ${path}, which is not supported yet`);
    }
    if (chunk.metadata === undefined) {
      throw new TypeError(`is corrupt: row group ${group} has no metadata for a column`);
    }
  }
  if (columns.length !== leaves.length) {
    throw new TypeError(
      `is corrupt: row group ${group} has ${columns.length} columns, but the schema has ${leaves.length}`,
    );
  }
  for (const [index, { column, isFlat }] of leaves.entries()) {
    const { numValues, type, codec, path = [] } = columns[index]!.metadata!;
    const name = textOf(path[0]);
    if (path.length > 0 && name !== column || type !== types[index]) {
      const own = `${name} of type ${type}`;
      throw new TypeError(
        `is corrupt: row group ${group} has ${own}, but the schema has ${column} of type ${
          types[index]
        }`,
      );
    }
    if (!Object.values<number | undefined>(codecs).includes(codec)) {
      const place = `column ${column}, row group ${group}`;
      throw new TypeError(
        `${place}, is compressed with codec ${codec}, which is not supported yet`,
      );
    }
    // Rows that the row group does not count would be lost. Fewer values are allowed: some writers
    // do not count them.
    if (isFlat && numValues! > numRows) {
      throw new TypeError(
        `is corrupt: row group ${group} states ${numRows} rows, but its column ${column} has ${numValues} values`,
      );
    }
  }
}

/**
 * Replaces a wrong number of rows with the sum over the row groups; some writers leave it at 0. The
 * sum must match a column that has a value for each row.
 */
function repairRows(
  metadata: FileMetadata,
  groups: readonly RowGroup[],
  leaves: readonly Leaf[],
): void {
  const numRows = groups.reduce((sum, { numRows }) => sum + numRows!, 0);
  const { numRows: claimed } = metadata;
  metadata.numRows = numRows;
  if (claimed === numRows) return;
  const flat = leaves.findIndex(({ isFlat }) => isFlat);
  const isSure = flat >= 0 && groups.length > 0 &&
    groups.every(({ columns, numRows }) => columns![flat]!.metadata!.numValues === numRows);
  if (!isSure) {
    throw new TypeError(
      `is corrupt: its footer states ${claimed} rows, but its row groups state ${numRows}`,
    );
  }
}

/** Throws if a column does not lie within the bytes before `pagesStop`. */
function checkRanges(columns: readonly ColumnChunk[], pagesStop: number, group: number): void {
  for (const chunk of columns) {
    const { compressedBytes = -1, uncompressedBytes = -1 } = chunk.metadata!;
    const start = startOf(chunk);
    const stop = start + compressedBytes;
    const isValid = compressedBytes >= 0 && uncompressedBytes >= 0 && start >= 0 &&
      stop <= pagesStop;
    if (isValid) continue;
    const place = `column ${columnOf(chunk)}, row group ${group}`;
    throw new TypeError(`is corrupt: its footer places ${place} at bytes ${start} to ${stop}`);
  }
}

/**
 * Removes dictionary offsets of 0, which some writers write where there is no dictionary: the magic
 * is there.
 */
function repairOffsets(columns: readonly ColumnChunk[]): void {
  for (const { metadata } of columns) {
    if ((metadata!.dictionaryPageOffset ?? 1) <= 0) metadata!.dictionaryPageOffset = undefined;
  }
}

/**
 * Corrects the lengths of columns in files of parquet-mr before 1.2.9, which do not include the
 * header of the dictionary. The missing bytes reach to the next column, or to byte `stop`.
 */
function repairLengths(metadata: FileMetadata, groups: readonly RowGroup[], stop: number): void {
  if (!hasShortLengths(metadata)) return;
  const chunks = groups.flatMap(({ columns = [] }) => columns);
  chunks.sort((left, right) => startOf(left) - startOf(right));
  for (const [index, chunk] of chunks.entries()) {
    const column = chunk.metadata!;
    const next = index + 1 < chunks.length ? startOf(chunks[index + 1]!) : stop;
    const missing = next - startOf(chunk) - column.compressedBytes!;
    if (missing > 0) column.compressedBytes! += Math.min(mostHeaderBytes, missing);
  }
}

/**
 * Removes the page index of a row group if a column has none, which parquet-wasm rejects, or if its
 * parts lie far apart or after byte `stop`: Sluice reads the whole index in one read.
 */
function repairIndex(columns: readonly ColumnChunk[], stop: number): void {
  let [first, last] = [Infinity, 0];
  let isWhole = true;
  for (const { offsetIndexOffset = -1, offsetIndexLength = 0 } of columns) {
    isWhole &&= offsetIndexOffset >= 0 && offsetIndexLength > 0;
    first = Math.min(first, offsetIndexOffset);
    last = Math.max(last, offsetIndexOffset + offsetIndexLength);
  }
  if (isWhole && last <= stop && last - first <= mostIndexBytes) return;
  for (const chunk of columns) {
    chunk.offsetIndexOffset = undefined;
    chunk.offsetIndexLength = undefined;
  }
}

/**
 * Returns the Arrow types in the hint, leaf by leaf, if the file has one. Removes a hint that
 * cannot be decoded, or that names other columns because a tool renamed them.
 */
function repairHint(metadata: FileMetadata, leaves: readonly Leaf[]): DataType[] | undefined {
  const entry = metadata.keyValues?.find(({ key }) => textOf(key) === hintKey);
  if (entry === undefined) return undefined;
  const hint = decodeHint(entry.value);
  const columns = leaves.map(({ column }) => column);
  const names = columns.filter((name, index) => name !== columns[index - 1]);
  const isOfFile = hint !== undefined && hint.schema.fields.length === names.length &&
    hint.schema.fields.every(({ name }, index) => name === names[index]);
  if (!isOfFile) {
    metadata.keyValues = metadata.keyValues?.filter((other) => other !== entry);
    return undefined;
  }
  const { schema, isAsWritten } = plainHint(hint);
  if (!isAsWritten) entry.value = encodeHint(schema);
  const hints = arrowLeaves(schema);
  return hints.length === leaves.length ? hints : undefined;
}

/** Sets a missing repetition to required: some writers omit it, which only the root may. */
function repairRepetition(element: SchemaElement, index: number): void {
  if (index === 0) return;
  const own = element.repetition ??= repetition.required;
  if (Object.values<number>(repetition).includes(own)) return;
  throw new TypeError(
    `is corrupt: column ${textOf(element.name)} has the unknown repetition ${own}`,
  );
}

function repairType(element: SchemaElement): void {
  const { logicalType, convertedType: converted } = element;
  // A logical type from a later version of the format: fall back on the physical type.
  if (logicalType !== undefined && Object.keys(logicalType).length === 0) {
    element.logicalType = undefined;
  }
  const isText = converted === convertedType.enum || logicalType?.enum !== undefined;
  if (isText && element.type === physicalType.byteArray) {
    element.convertedType = convertedType.utf8;
    element.logicalType = { string: {} };
  }
  if (converted === convertedType.null) element.logicalType = { unknown: {} };
  if (converted !== undefined && !(converted >= 0 && converted <= convertedType.last)) {
    element.convertedType = undefined;
  }
}

function meaningOf(
  element: SchemaElement,
  hint: DataType | undefined,
  column: string,
): LeafMeaning | undefined {
  const { type, typeLength, logicalType } = element;
  if (type === physicalType.int96) {
    element.type = physicalType.fixedBytes;
    element.typeLength = int96Bytes;
    element.convertedType = undefined;
    element.logicalType = undefined;
    return { kind: "int96", type: Is.isTimestamp(hint) ? hint : undefined };
  }
  // parquet-wasm takes the zone only where the file has the unit of the hint.
  if (Is.isTimestamp(hint) && hint.timezone) return { kind: "zone", zone: hint.timezone };
  if (element.convertedType === convertedType.interval) {
    // parquet-wasm reads intervals that the hint describes.
    if (Is.isInterval(hint) || typeLength !== intervalBytes) return undefined;
    element.convertedType = undefined;
    return { kind: "interval" };
  }
  const isJson = element.convertedType === convertedType.json || logicalType?.json !== undefined;
  if (isJson && type === physicalType.byteArray) return { kind: "json" };
  if (logicalType?.uuid !== undefined && typeLength === uuidBytes) return { kind: "uuid" };
  return wideDecimal(element, column);
}

function wideDecimal(element: SchemaElement, column: string): LeafMeaning | undefined {
  const { logicalType } = element;
  const isDecimal = element.convertedType === convertedType.decimal;
  const precision = logicalType?.decimal?.precision ?? (isDecimal ? element.precision ?? 0 : 0);
  if (precision <= mostDigits) return undefined;
  if (precision > mostDigitsOfBits) {
    throw new TypeError(
      `column ${column} is a decimal of ${precision} digits, more than the ${mostDigitsOfBits} that fit 256 bits`,
    );
  }
  element.precision = mostDigits;
  if (logicalType?.decimal !== undefined) logicalType.decimal.precision = mostDigits;
  return { kind: "decimal", precision };
}
