/**
 * Opens a sink for a file of any format.
 *
 * @module
 */

import { checkNamed } from "../../base/option_kinds.ts";
import { localPath } from "../../base/url.ts";
import { sinkOfFormat } from "../formats/file_of_format.ts";
import type { FormatTrait } from "../formats/format.ts";
import type { ParquetCompression } from "../formats/parquet/module/properties.ts";
import { checkIsFile } from "../sink/output_target.ts";
import type { FileSink } from "../sink/sink_job.ts";
import type { OffsetsPolicy } from "../sink/sink_offsets.ts";
import { checkFile, type Format, formatOf, formats } from "./formats.ts";

/** Options for writing a file. */
export interface WriteOptions {
  /** The format. Default: the one that the suffix of the name says. */
  readonly format?: Format | undefined;
  /**
   * Arrow and Parquet only; "snappy" and "gzip" are for Parquet only. Default: "none" for Arrow,
   * "zstd" for Parquet.
   */
  readonly compression?: ParquetCompression | undefined;
  /**
   * Arrow and Parquet only: the treatment of text and binary data that needs 64-bit offsets.
   * "split" cuts batches by rows, so that the file stays Utf8; "large" writes LargeUtf8 from the
   * first batch; "error" fails and names the row and the column. Except with "large", LargeUtf8
   * becomes Utf8. Default: "split".
   */
  readonly offsets?: OffsetsPolicy | undefined;
  /** Parquet only: the maximum rows of a row group. Default: 262,144. */
  readonly rowGroupRows?: number | undefined;
  /** Parquet only: the approximate bytes of a row group in the file. Default: 64 MiB. */
  readonly rowGroupBytes?: number | undefined;
  /** CSV only: the delimiter of fields. Default: a comma, for TSV a tab. */
  readonly delimiter?: string | undefined;
}

/**
 * Returns a sink that writes a file in the format of its suffix. `-` and `/dev/stdout` are stdout;
 * a URL of `file:` is a file on this machine, and other URLs are rejected. The file appears under
 * its name once it is complete; a failure or an abort leaves nothing behind. A new file takes the
 * owner, group and mode of the one that it replaces. Links are followed; pipes and devices are
 * written to directly. A Zarr array is a folder: its sink takes the chunks of one array, as `read`
 * of such a folder yields them, and does not replace an array that exists.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { write } from "./write.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv" });
 * const table = tableFromArrays({ id: Int32Array.of(1, 2) });
 * await ReadableStream.from(table.batches).pipeTo(write(path));
 * assertEquals(await Deno.readTextFile(path), "id\n1\n2\n");
 * await Deno.remove(path);
 * ```
 */
export function write(file: string | URL, options: WriteOptions = {}): FileSink {
  checkNamed("write()", "options", options);
  const path = localPath(file);
  checkFile("write()", path, options.format);
  checkIsFile(path);
  const format = formats[options.format ?? formatOf(path, "write")];
  const { compression, offsets, rowGroupRows, rowGroupBytes, delimiter } = options;
  const given: Record<FormatTrait, unknown> = {
    compression,
    offsets,
    "row groups": rowGroupRows === undefined ? rowGroupBytes : rowGroupRows,
    delimiter,
  };
  for (const [trait, option] of Object.entries(given)) {
    if (option === undefined || format.traits.some((known) => known === trait)) continue;
    throw new TypeError(`${path}: ${format.name} has no ${trait}`);
  }
  if ("kind" in format) return sinkOfFormat(format, path, options);
  if (format.sink === undefined) throw new TypeError(`${path}: ${format.name} is only read`);
  return format.sink(path);
}
