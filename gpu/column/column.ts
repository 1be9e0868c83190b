/**
 * A column as the compute layer knows it: a type, a number of rows, and buffers on the host or on
 * the device. No Arrow objects and no streams here; `ops/batch/batch.ts` is the door to Arrow.
 *
 * @module
 */

import { bitAt, bitmapBytes } from "./bitmap.ts";

/**
 * The physical type of a column. Dates, times and timestamps travel as the integer that holds
 * them, dictionary-encoded columns as their indices, decimals and other blobs of one width as
 * `fixed`; the door to Arrow keeps the logical type.
 */
export type ColumnType =
  | { readonly kind: "bool" }
  | { readonly kind: "int"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: "float"; readonly bits: 16 | 32 | 64 }
  | { readonly kind: "string" }
  | { readonly kind: "fixed"; readonly byteWidth: number }
  | { readonly kind: "list"; readonly item: ColumnType }
  | { readonly kind: "struct"; readonly fields: readonly ColumnType[] };

/**
 * Positions of text. Those of 64 bits are kept as floats, which hold every position up to 2^53 and
 * are read like those of 32 bits; as integers of 64 bits they exist at the door to Arrow only.
 */
export type Offsets = Int32Array | Float64Array;

/** A column in the memory of the host. Plain views; nothing to release. */
export interface HostColumn {
  /** Tells it from a column on a device. */
  readonly place: "host";
  /** The type of its values. */
  readonly type: ColumnType;
  /** Number of rows. */
  readonly length: number;
  /** Number of rows that are null, exact. */
  readonly nullCount: number;
  /** One bit a row, least significant first, starting at bit 0; null where no row is null. */
  readonly validity: Uint8Array | null;
  /**
   * Fixed widths: `length * width` bytes, little endian, `byteOffset` a multiple of 8.
   * bool: one bit a row from bit 0. string: the UTF-8 bytes. list, struct: empty.
   */
  readonly data: Uint8Array;
  /**
   * string, list: `length + 1` positions in `data` (or in the child); the first may not be 0. Those
   * of lists are always of 32 bits.
   */
  readonly offsets: Offsets | null;
  /** list: one child; struct: one a field; else empty. */
  readonly children: readonly HostColumn[];
}

/**
 * A column in the memory of a device. It counts its owners: retain it to keep it, release
 * it when done. The last release returns the memory to the pool.
 */
export interface DeviceColumn {
  /** Tells it from a column on the host. */
  readonly place: "device";
  /** The type of its values. */
  readonly type: ColumnType;
  /** Number of rows. */
  readonly length: number;
  /** string: bytes of text. Fixed widths: bytes of data. */
  readonly dataBytes: number;
  /** Whether the device holds a validity bitmap for it (then some row may be null). */
  readonly hasValidity: boolean;
  /** Adds an owner and returns the same column. */
  retain(): this;
  /** Drops an owner. */
  release(): void;
}

/** A column on either side. */
export type Column = HostColumn | DeviceColumn;

/** Whether two physical types are the same. */
export function sameType(left: ColumnType, right: ColumnType): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Bytes of one value of a fixed-width type; 0 for bool, string, list and struct. */
export function byteWidth(type: ColumnType): number {
  switch (type.kind) {
    case "int":
    case "float":
      return type.bits / 8;
    case "fixed":
      return type.byteWidth;
    case "bool":
    case "string":
    case "list":
    case "struct":
      return 0;
  }
}

/** Whether a type is that of lists of texts. */
export function isTextList(type: ColumnType): boolean {
  return type.kind === "list" && type.item.kind === "string";
}

/** Whether a type is that of lists of texts, or of values of whole bytes: a device can hold it. */
export function isFlatList(type: ColumnType): boolean {
  return type.kind === "list" && (type.item.kind === "string" || byteWidth(type.item) > 0);
}

/** Whether rows of a type differ in size, so that they have offsets. */
export function hasOffsets({ kind }: ColumnType): boolean {
  return kind === "string" || kind === "list";
}

/** Whether a row of a host column is null. */
export function isNull({ nullCount, validity }: HostColumn, row: number): boolean {
  return nullCount > 0 && validity !== null && bitAt(validity, row) === 0;
}

/** Bytes that the rows of a host column occupy: data, offsets and validity. */
export function columnBytes(column: HostColumn): number {
  let bytes = column.validity === null ? 0 : bitmapBytes(column.length);
  switch (column.type.kind) {
    case "string":
      bytes += 4 * (column.length + 1) + stringDataBytes(column);
      break;
    case "list":
      bytes += 4 * (column.length + 1);
      break;
    case "bool":
      bytes += bitmapBytes(column.length);
      break;
    default:
      bytes += byteWidth(column.type) * column.length;
  }
  for (const child of column.children) bytes += columnBytes(child);
  return bytes;
}

/** Bytes of text that the rows of a string column hold. */
export function stringDataBytes(column: HostColumn): number {
  const offsets = column.offsets;
  return offsets === null ? 0 : (offsets[column.length] ?? 0) - (offsets[0] ?? 0);
}

/** The bytes as elements of another type. */
export function viewAs<T>(
  View: {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  },
  bytes: Uint8Array,
): T {
  return new View(
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.byteLength / View.BYTES_PER_ELEMENT),
  );
}

/** Drops an owner of a device column; a host column has none. */
export function releaseColumn(column: Column): void {
  if (column.place === "device") column.release();
}

/** Adds an owner to a device column and returns the column. */
export function retainColumn<C extends Column>(column: C): C {
  if (column.place === "device") column.retain();
  return column;
}

/** A column of `length` nulls; the values below the nulls are zeros, text and lists are empty. */
export function nullColumn(type: ColumnType, length: number): HostColumn {
  return {
    place: "host",
    type,
    length,
    nullCount: length,
    validity: length === 0 ? null : new Uint8Array(bitmapBytes(length)),
    data: new Uint8Array(type.kind === "bool" ? bitmapBytes(length) : length * byteWidth(type)),
    offsets: type.kind === "string" || type.kind === "list" ? new Int32Array(length + 1) : null,
    children: childTypes(type).map((child) =>
      nullColumn(child, type.kind === "struct" ? length : 0)
    ),
  };
}

function childTypes(type: ColumnType): readonly ColumnType[] {
  switch (type.kind) {
    case "list":
      return [type.item];
    case "struct":
      return type.fields;
    default:
      return [];
  }
}
