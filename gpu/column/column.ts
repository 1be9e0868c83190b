/**
 * The columns of the compute layer: a type, a number of rows, and buffers on the host or a device.
 * There are no Arrow objects and no streams here; `ops/batch/batch.ts` converts from and to Arrow.
 *
 * @module
 */

import { bitAt, bitmapBytes } from "./bitmap.ts";

/**
 * The physical type of a column. Dates, times and timestamps are their integers, dictionary-encoded
 * columns their indices, and decimals and other values of one width `fixed`; `ops/batch` keeps the
 * logical type.
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
 * The offsets of text. 64-bit offsets are floats, which are exact up to 2^53 and read like 32-bit
 * ones; only Arrow data has them as 64-bit integers.
 */
export type Offsets = Int32Array | Float64Array;

/** A column in the memory of the host: plain views, which need no release. */
export interface HostColumn {
  /** Distinguishes it from a column on a device. */
  readonly place: "host";
  /** The type of its values. */
  readonly type: ColumnType;
  /** The number of rows. */
  readonly length: number;
  /** The exact number of rows that are null. */
  readonly nullCount: number;
  /** One bit for each row, least significant first, from bit 0 on; null if no row is null. */
  readonly validity: Uint8Array | null;
  /**
   * Fixed widths: `length * width` bytes, little endian, `byteOffset` a multiple of 8. bool: one
   * bit for each row, from bit 0 on. string: the UTF-8 bytes. list, struct: empty.
   */
  readonly data: Uint8Array;
  /**
   * string, list: `length + 1` positions in `data` or in the child; the first need not be 0. Those
   * of lists always have 32 bits.
   */
  readonly offsets: Offsets | null;
  /** list: one child; struct: one for each field; otherwise empty. */
  readonly children: readonly HostColumn[];
}

/**
 * A column in the memory of a device. It counts its owners: retain it to keep it, and release it
 * when done. The last release returns the memory to the pool.
 */
export interface DeviceColumn {
  /** Distinguishes it from a column on the host. */
  readonly place: "device";
  /** The type of its values. */
  readonly type: ColumnType;
  /** The number of rows. */
  readonly length: number;
  /** string: the bytes of text. Fixed widths: the bytes of data. */
  readonly dataBytes: number;
  /** Whether it has a validity bitmap on the device, so that some row may be null. */
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

/** Returns the bytes of a value of a fixed-width type; 0 for bool, string, list and struct. */
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

/** Whether a type is lists of texts. */
export function isTextList(type: ColumnType): boolean {
  return type.kind === "list" && type.item.kind === "string";
}

/** Whether a type is lists of texts or of values of whole bytes, which fit on a device. */
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

/** Returns the bytes that the rows of a host column occupy: data, offsets and validity. */
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

/** Returns the bytes of text in the rows of a string column. */
export function stringDataBytes(column: HostColumn): number {
  const offsets = column.offsets;
  return offsets === null ? 0 : (offsets[column.length] ?? 0) - (offsets[0] ?? 0);
}

/** Views bytes as elements of another type. */
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

/**
 * Returns a column of `length` nulls. The values below the nulls are zeros; text and lists are
 * empty.
 */
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
