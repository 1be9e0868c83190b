/**
 * The metadata of a Parquet file, without statistics and filters, and the leaves of its schema. Of
 * the page index it keeps the locations of pages (the offset index), not their statistics.
 *
 * The numbers are field ids of parquet.thrift:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import { lateListOf, listOf, struct, type ValueOf } from "./thrift.ts";

const none = struct({});
const timeUnit = struct({ millis: [1, none], micros: [2, none], nanos: [3, none] });
const time = struct({ isAdjustedToUtc: [1, "bool"], unit: [2, timeUnit] });

const logicalType = struct({
  string: [1, none],
  map: [2, none],
  list: [3, none],
  enum: [4, none],
  decimal: [5, struct({ scale: [1, "i32"], precision: [2, "i32"] })],
  date: [6, none],
  time: [7, time],
  timestamp: [8, time],
  integer: [10, struct({ bitWidth: [1, "i8"], isSigned: [2, "bool"] })],
  unknown: [11, none],
  json: [12, none],
  bson: [13, none],
  uuid: [14, none],
  float16: [15, none],
});

const schemaElement = struct({
  type: [1, "i32"],
  typeLength: [2, "i32"],
  repetition: [3, "i32"],
  name: [4, "binary"],
  numChildren: [5, "i32"],
  convertedType: [6, "i32"],
  scale: [7, "i32"],
  precision: [8, "i32"],
  fieldId: [9, "i32"],
  logicalType: [10, logicalType],
});

const keyValue = struct({ key: [1, "binary"], value: [2, "binary"] });

const columnMetadata = struct({
  type: [1, "i32"],
  encodings: [2, listOf("i32")],
  path: [3, listOf("binary")],
  codec: [4, "i32"],
  numValues: [5, "i64"],
  uncompressedBytes: [6, "i64"],
  compressedBytes: [7, "i64"],
  dataPageOffset: [9, "i64"],
  dictionaryPageOffset: [11, "i64"],
});

const columnChunk = struct({
  filePath: [1, "binary"],
  fileOffset: [2, "i64"],
  metadata: [3, columnMetadata],
  offsetIndexOffset: [4, "i64"],
  offsetIndexLength: [5, "i32"],
  encryption: [8, none],
});

const rowGroup = struct({
  // Decoded late: they are most of the metadata of a file with many groups, of which few are read.
  columns: [1, lateListOf(columnChunk)],
  totalBytes: [2, "i64"],
  numRows: [3, "i64"],
});

/** The content of the footer. */
export const fileMetadata = struct({
  version: [1, "i32"],
  schema: [2, listOf(schemaElement)],
  numRows: [3, "i64"],
  rowGroups: [4, listOf(rowGroup)],
  keyValues: [5, listOf(keyValue)],
  createdBy: [6, "binary"],
  encryption: [8, none],
});

const dataPage = struct({
  numValues: [1, "i32"],
  encoding: [2, "i32"],
  definitionEncoding: [3, "i32"],
  repetitionEncoding: [4, "i32"],
});

const dataPageV2 = struct({
  numValues: [1, "i32"],
  numNulls: [2, "i32"],
  numRows: [3, "i32"],
  encoding: [4, "i32"],
  definitionBytes: [5, "i32"],
  repetitionBytes: [6, "i32"],
  isCompressed: [7, "bool"],
});

/** The header of a page. */
export const pageHeader = struct({
  type: [1, "i32"],
  uncompressedBytes: [2, "i32"],
  compressedBytes: [3, "i32"],
  crc: [4, "i32"],
  dataPage: [5, dataPage],
  dictionaryPage: [7, struct({ numValues: [1, "i32"], encoding: [2, "i32"] })],
  dataPageV2: [8, dataPageV2],
});

/** The offset index: the locations of the data pages of a column in one row group. */
export const offsetIndex = struct({
  pages: [1, listOf(struct({ offset: [1, "i64"], numBytes: [2, "i32"], firstRow: [3, "i64"] }))],
});

/** The header of a page. */
export type PageHeader = ValueOf<typeof pageHeader>;
/** The metadata of a file. */
export type FileMetadata = ValueOf<typeof fileMetadata>;
/** The metadata of a row group. */
export type RowGroup = ValueOf<typeof rowGroup>;
/** The metadata of one column in one row group. */
export type ColumnChunk = ValueOf<typeof columnChunk>;
/** An element of the schema, which lists columns and groups of them depth first. */
export type SchemaElement = ValueOf<typeof schemaElement>;

/** Physical types. */
export const physicalType = {
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  float: 4,
  double: 5,
  byteArray: 6,
  fixedBytes: 7,
} as const;
/** Converted types, which older writers use in place of logical types. */
export const convertedType = {
  utf8: 0,
  enum: 4,
  decimal: 5,
  json: 19,
  interval: 21,
  last: 21,
  null: 24,
} as const;
/** The encodings from which single rows can be extracted. */
export const encoding = { plain: 0, oldDictionary: 2, hybrid: 3, dictionary: 8 } as const;
/** The encoding that stores the first bytes of all numbers, then the second bytes, and so on. */
export const byteStreamSplit = 9;
/** The old encoding of levels, packed from the most significant bit on. */
export const bitPacked = 4;
/**
 * The delta encodings of integers, of lengths, and of byte arrays that share a prefix with the one
 * before.
 */
export const deltaBinaryPacked = 5;
export const deltaLengthByteArray = 6;
export const deltaByteArray = 7;
/** Types of pages. */
export const pageType = { data: 0, index: 1, dictionary: 2, dataV2: 3 } as const;
/** The codecs of pages. */
export const codecs = {
  none: 0,
  snappy: 1,
  gzip: 2,
  brotli: 4,
  /** LZ4 in Hadoop's own frames. */
  lz4: 5,
  zstd: 6,
  lz4Raw: 7,
} as const;

/** Returns the top-level column of a leaf. */
export function columnOf({ metadata }: ColumnChunk): string {
  return textOf(metadata?.path?.[0]);
}

/** Returns the byte at which the pages of a column begin. */
export function startOf({ metadata }: ColumnChunk): number {
  const { dataPageOffset = 0, dictionaryPageOffset = dataPageOffset } = metadata!;
  return Math.min(dataPageOffset, dictionaryPageOffset);
}

/** Decodes a binary field of the metadata as text. */
export function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

/** A leaf of the schema, which has values, and its top-level column. */
export interface Leaf {
  readonly element: SchemaElement;
  readonly column: string;
  /** Whether it is a top-level column without repetition: one value or null for each row. */
  readonly isFlat: boolean;
  /**
   * The definition level of a value that is not null: the number of elements down to it that are
   * optional or repeated.
   */
  readonly maxDefinition: number;
  /**
   * The repetition level of a value that continues the innermost list: the number of lists that
   * contain it.
   */
  readonly maxRepetition: number;
}

/** The repetition of values. */
export const repetition = { required: 0, optional: 1, repeated: 2 } as const;

/** Returns the leaves in the order of the columns of row groups. */
export function leavesOf({ schema = [] }: FileMetadata): Leaf[] {
  const leaves: Leaf[] = [];
  let next = 1;
  const visit = (column: string | undefined, definition: number, lists: number): void => {
    const element = schema[next++];
    if (element === undefined) throw new TypeError("is corrupt: its schema lacks columns");
    const under = column ?? textOf(element.name);
    const isRepeated = element.repetition === repetition.repeated;
    const isFlat = column === undefined && !isRepeated;
    const maxDefinition = definition + (element.repetition === repetition.required ? 0 : 1);
    const maxRepetition = lists + (isRepeated ? 1 : 0);
    if (element.type !== undefined) {
      leaves.push({ element, column: under, isFlat, maxDefinition, maxRepetition });
    }
    for (let i = 0; i < (element.numChildren ?? 0); i++) {
      visit(under, maxDefinition, maxRepetition);
    }
  };
  for (let i = 0; i < (schema[0]?.numChildren ?? 0); i++) visit(undefined, 0, 0);
  return leaves;
}

/** Returns the types of the leaves of an Arrow schema, in the same order. */
export function arrowLeaves(schema: Schema): DataType[] {
  return schema.fields.flatMap(({ type }) => leafTypes(type));
}

function leafTypes(type: DataType): DataType[] {
  if (isLeaf(type)) return [type];
  return type.children.flatMap((child) => leafTypes(child.type));
}

/** Whether an Arrow type is stored as one leaf. */
export function isLeaf(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return (type.children?.length ?? 0) === 0 && !DataType.isStruct(type);
}

/**
 * Returns the bytes of a value of a physical type; 0 where each value follows its length. Undefined
 * for booleans, which are bits, and for INT96.
 */
export function widthOf({ type, typeLength = 0 }: SchemaElement): number | undefined {
  switch (type) {
    case physicalType.int32:
    case physicalType.float:
      return 4;
    case physicalType.int64:
    case physicalType.double:
      return 8;
    case physicalType.byteArray:
      return 0;
    case physicalType.fixedBytes:
      return typeLength > 0 ? typeLength : undefined;
    default:
      return undefined;
  }
}
