/**
 * Reading and writing Parquet.
 *
 * @module
 */

import { FileSink } from "./file_sink.ts";
import { fileSource } from "./file_source.ts";
import { countParquetRows, readParquetBatches, readParquetSchema } from "./parquet/reader.ts";
import { openParquetEncoder, type ParquetCompression } from "./parquet/writer.ts";
import type { Source } from "./source.ts";

export type { ParquetCompression };

/** How Parquet is written. */
export interface WriteParquetOptions {
  /** Default: "zstd". */
  readonly compression?: ParquetCompression | undefined;
}

/**
 * A source of the rows of a Parquet file, in batches of at most 65,536. Row groups are read one
 * at a time; columns that are not wanted are not read, and rows are skipped by row groups. Large
 * strings and string views come as plain Utf8. parquet-wasm is loaded at the first use.
 */
export function readParquet(path: string): Source {
  return fileSource(path, {
    canSeek: true,
    schema: readParquetSchema,
    numRows: countParquetRows,
    batches: readParquetBatches,
  });
}

/**
 * A sink that writes a Parquet file, in row groups of at most 262,144 rows and about 64 MiB; one
 * of them is held in memory.
 */
export function writeParquet(path: string, options: WriteParquetOptions = {}): FileSink {
  return new FileSink(path, () => openParquetEncoder(options.compression ?? "zstd"));
}
