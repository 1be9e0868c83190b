/**
 * Options for the layout of a Parquet file.
 *
 * @module
 */

import type { WriterProperties } from "parquet-wasm/esm";
import type { ParquetWasm } from "./module.ts";

/** How the pages of a Parquet file are compressed. */
export type ParquetCompression = "none" | "snappy" | "gzip" | "zstd" | "lz4";

export interface ParquetLayout {
  /** How the pages are compressed. */
  readonly compression: ParquetCompression;
  /** Maximum rows of a row group. */
  readonly rowGroupRows: number;
  /** Approximate bytes of a row group as written. */
  readonly rowGroupBytes: number;
}

/** The most bytes of a row group, which must fit the 4 GiB of memory of the module. */
const mostGroupBytes = 2 ** 29;
/**
 * Bytes of a page, about, and of the dictionary of a column, behind which values are written as they are.
 * A slice reads a page of each column and its dictionary. At 256 KiB, and not the 1 MiB of the module,
 * files of many distinct values are 8 to 15 % smaller, others the same, and 100 rows cost a third to two
 * thirds of the bytes.
 */
const pageBytes = 1 << 18;
/** The module counts rows with 31 bits. */
const mostGroupRows = 2 ** 31 - 1;

const compressions: readonly string[] = [
  "none",
  "snappy",
  "gzip",
  "zstd",
  "lz4",
] satisfies ParquetCompression[];

/** Throws if an option is invalid; `caller` names the function in the error. */
export function checkLayout(layout: ParquetLayout, caller: string): void {
  const { compression, rowGroupRows, rowGroupBytes } = layout;
  if (!compressions.includes(compression)) {
    const known = compressions.join(", ");
    throw new TypeError(
      `${caller} option compression is one of ${known}, not ${JSON.stringify(compression)}`,
    );
  }
  checkCount(rowGroupRows, mostGroupRows, `${caller} option rowGroupRows`);
  checkCount(rowGroupBytes, mostGroupBytes, `${caller} option rowGroupBytes`);
}

/** The writer properties of the module, which writes statistics of each column by default. */
export function writerProperties(wasm: ParquetWasm, layout: ParquetLayout): WriterProperties {
  return new wasm.WriterPropertiesBuilder()
    .setCompression(codecOf(wasm, layout.compression))
    .setStatisticsEnabled(wasm.EnabledStatistics.Page)
    .setDataPageSizeLimit(pageBytes)
    .setDictionaryPageSizeLimit(pageBytes)
    .setMaxRowGroupSize(layout.rowGroupRows)
    .setMaxRowGroupBytes(layout.rowGroupBytes)
    .build();
}

function checkCount(value: number, most: number, what: string): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new RangeError(`${what} is a whole number from 1 to ${most}, not ${value}`);
}

function codecOf({ Compression }: ParquetWasm, compression: ParquetCompression): number {
  switch (compression) {
    case "none":
      return Compression.UNCOMPRESSED;
    case "snappy":
      return Compression.SNAPPY;
    case "gzip":
      return Compression.GZIP;
    case "zstd":
      return Compression.ZSTD;
    case "lz4":
      return Compression.LZ4_RAW;
  }
}
