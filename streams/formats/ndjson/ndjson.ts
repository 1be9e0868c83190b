/**
 * Reading and writing NDJSON: one JSON object on each line.
 *
 * @module
 */

import type { HttpOptions } from "../../bytes/http/http_options.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import type { RowList, RowPick, RowRequest } from "../../rows/row_request.ts";
import type { RowRun } from "../../rows/row_run.ts";
import type { RowSlice } from "../../rows/row_slice.ts";
import type { FileSink } from "../../sink/sink_job.ts";
import { checkNamed } from "../../../base/option_kinds.ts";
import { checkInvalid, type InvalidText } from "../../text/valid_utf8.ts";
import { sinkOfFormat, sourceOfFormat } from "../file_of_format.ts";
import { ndjsonFormat } from "./format.ts";
import { checkTypes } from "../given_types.ts";

export type { FileSink, HttpOptions, InvalidText, OpenOptions, Source };
export type { RowList, RowPick, RowRequest, RowRun, RowSlice, SourceRows };

/** Options for reading NDJSON. */
export interface ReadNdjsonOptions {
  /** The types of columns, by name. Default: guessed. A value of another type is an error. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /**
   * The treatment of text that is not UTF-8 and of half a surrogate pair: an error, or U+FFFD in
   * its place. Default: an error.
   */
  readonly invalid?: InvalidText | undefined;
  /** Options for reading URLs. */
  readonly http?: HttpOptions | undefined;
}

/**
 * Returns a source of the rows of an NDJSON file. Columns and their types are those of the first
 * rows (10,000 or more): int64, float64, bool, string and lists of these. Objects become JSON text,
 * and so do lists whose items have no common type. The type "json" keeps any column as JSON text. A
 * missing key is null. A later value of another type, a key that the first rows do not have, and a
 * duplicate key in a row are errors that name the line and the column. A key for which a type is
 * given may come later; if no row has it, reading fails at the end of the file. An empty file has
 * no rows and only the columns whose types are given.
 *
 * JSON text is the value as in the file, without whitespace between its tokens. Its field is marked
 * with the extension type `arrow.json`, also in Arrow and Parquet files, and `writeNdjson` writes
 * it as JSON. In expressions it is text.
 *
 * No digit is lost silently. Integers of up to 64 bits are exact. A column is JSON text if its
 * numbers would lose digits as a float64: integers beyond 2^53 among floats where float64 does not
 * keep all their digits, other numbers of more than 17 digits, and numbers out of range. A fraction
 * of up to 17 digits is rounded to the nearest float64, as 0.1 is. Such a value in a later row is
 * an error; a column given as "float64" rounds it. In a column of integers, 2.0 is an integer, and
 * -0.0 and 99999999999999.999 are errors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readNdjson } from "./ndjson.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".ndjson" });
 * await Deno.writeTextFile(path, '{"id":9007199254740993,"tags":["a"]}\n');
 * const [rows] = await Array.fromAsync(readNdjson(path).rows());
 * assertEquals(rows?.batch.get(0)?.id, 9007199254740993n);
 * assertEquals([...rows?.batch.get(0)?.tags], ["a"]);
 * await Deno.remove(path);
 * ```
 */
export function readNdjson(path: string, options: ReadNdjsonOptions = {}): Source {
  checkNamed("readNdjson()", "options", options);
  checkTypes("readNdjson() option types", options.types);
  checkInvalid("readNdjson() option invalid", options.invalid);
  return sourceOfFormat(ndjsonFormat, path, options);
}

/**
 * Returns a sink that writes each row as a JSON object on its own line. Integers keep all digits,
 * text marked as JSON (see `readNdjson`) is written as JSON, and NaN and the infinities are written
 * as null. Decimals, dates and times are strings, as in CSV (see `writeCsv`).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { writeNdjson } from "./ndjson.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".ndjson" });
 * const table = tableFromArrays({ id: Int32Array.of(1), city: ["Rome"] });
 * await ReadableStream.from(table.batches).pipeTo(writeNdjson(path));
 * assertEquals(await Deno.readTextFile(path), '{"id":1,"city":"Rome"}\n');
 * await Deno.remove(path);
 * ```
 */
export function writeNdjson(path: string): FileSink {
  return sinkOfFormat(ndjsonFormat, path);
}
