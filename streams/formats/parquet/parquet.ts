/**
 * Reading and writing Parquet.
 *
 * @module
 */

import { checkNamed } from "../../../base/option_kinds.ts";
import { checkDuplicates, type Duplicates } from "../../types/distinct_names.ts";
import type { FileSink } from "../../sink/sink_job.ts";
import type { HttpOptions } from "../../bytes/http/http_options.ts";
import type { OffsetsPolicy } from "../../sink/sink_offsets.ts";
import { sinkOfFormat, sourceOfFormat } from "../file_of_format.ts";
import { parquetFormat } from "./format.ts";
import type { ParquetCompression } from "./module/properties.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import type { RowList, RowPick, RowRequest } from "../../rows/row_request.ts";
import type { RowRun } from "../../rows/row_run.ts";
import type { RowSlice } from "../../rows/row_slice.ts";

export type { Duplicates, FileSink, HttpOptions, OffsetsPolicy, OpenOptions, Source };
export type { RowList, RowPick, RowRequest, RowRun, RowSlice, SourceRows };
export type { ParquetCompression };

/** Options for reading Parquet. */
export interface ReadParquetOptions {
  /** Options for reading URLs. */
  readonly http?: HttpOptions | undefined;
  /** The treatment of columns of one name: an error, or `a`, `a_2`, `a_3`. Default: an error. */
  readonly duplicates?: Duplicates | undefined;
}

/** Options for writing Parquet. */
export interface WriteParquetOptions {
  /** Default: "zstd". */
  readonly compression?: ParquetCompression | undefined;
  /** The most rows of a row group. Default: 262,144. */
  readonly rowGroupRows?: number | undefined;
  /** The approximate bytes of a row group in the file, at most 2^29. Default: 64 MiB. */
  readonly rowGroupBytes?: number | undefined;
  /**
   * The type of text in the Arrow schema that the file carries for Arrow readers (see
   * `OffsetsPolicy`). Parquet itself has no offsets, but "error" rejects a batch that needs 64-bit
   * ones. Default: "split", for Utf8.
   */
  readonly offsets?: OffsetsPolicy | undefined;
}

/**
 * Returns a source of the rows of a Parquet file, in batches of at most 65,536 rows, or fewer where
 * texts are long. Sluice reads one row group at a time, and those of more than 512 MiB window by
 * window; it reads only the wanted columns. It skips whole row groups without wanted rows, and
 * pages too if the file has a page index, as files of Polars and Sluice do and those of DuckDB do
 * not. For rows in descending order, it buffers up to 64 MiB of a row group. Large strings and
 * string views become plain Utf8, and UUIDs 16 bytes with the extension type `arrow.uuid`. INT96
 * becomes timestamps in nanoseconds, or in microseconds in files of Spark and for dates outside
 * 1677 to 2262; to find such dates, the column is read once beforehand. parquet-wasm is loaded at
 * the first use.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { readParquet, writeParquet } from "./parquet.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".parquet" });
 * const table = tableFromArrays({ id: Int32Array.of(1, 2, 3) });
 * await ReadableStream.from(table.batches).pipeTo(writeParquet(path));
 * assertEquals(await readParquet(path).numRows(), 3);
 * await Deno.remove(path);
 * ```
 */
export function readParquet(path: string, options: ReadParquetOptions = {}): Source {
  checkNamed("readParquet()", "options", options);
  const { http, duplicates } = options;
  checkDuplicates("readParquet() option duplicates", duplicates);
  return sourceOfFormat(parquetFormat, path, { http, duplicates });
}

/**
 * Returns a sink that writes a Parquet file with statistics of every column and page. A row group
 * ends at whichever of its limits comes first; one row group is buffered, and a batch is encoded
 * part by part, whatever its size. A single row may have 256 MiB. Times in seconds are written in
 * milliseconds, the coarsest unit of Parquet, and Date64 as a timestamp. Intervals must not be
 * negative and must have whole milliseconds.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { writeParquet } from "./parquet.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".parquet" });
 * const table = tableFromArrays({ city: ["Rome", "Oslo"] });
 * await ReadableStream.from(table.batches).pipeTo(writeParquet(path, { compression: "snappy" }));
 * await Deno.remove(path);
 * ```
 */
export function writeParquet(path: string, options: WriteParquetOptions = {}): FileSink {
  checkNamed("writeParquet()", "options", options);
  return sinkOfFormat(parquetFormat, path, options);
}
