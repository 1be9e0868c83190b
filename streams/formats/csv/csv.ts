/**
 * Reading and writing CSV and TSV.
 *
 * @module
 */

import type { HttpOptions } from "../../bytes/http/http_options.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import type { RowList, RowPick, RowRequest } from "../../rows/row_request.ts";
import type { RowRun } from "../../rows/row_run.ts";
import type { RowSlice } from "../../rows/row_slice.ts";
import type { FileSink } from "../../sink/sink_job.ts";
import { checkInvalid, type InvalidText } from "../../text/valid_utf8.ts";
import { checkNamed } from "../../../base/option_kinds.ts";
import { checkDuplicates, type Duplicates } from "../../types/distinct_names.ts";
import type { ScalarType } from "../../types/scalar_type.ts";
import { sinkOfFormat, sourceOfFormat } from "../file_of_format.ts";
import { csvFormat } from "./format.ts";
import { checkTypes } from "../given_types.ts";

export type { Duplicates, FileSink, HttpOptions, InvalidText, OpenOptions, Source };
export type { RowList, RowPick, RowRequest, RowRun, RowSlice, SourceRows };
export type { ScalarType as CsvType };

/** Options for reading CSV. */
export interface ReadCsvOptions {
  /** The types of columns, by name. Default: guessed. */
  readonly types?: Readonly<Record<string, ScalarType>> | undefined;
  /** The delimiter of fields, one ASCII character. Default: a comma. */
  readonly delimiter?: string | undefined;
  /** The treatment of text that is not UTF-8: an error, or U+FFFD in its place. Default: an error. */
  readonly invalid?: InvalidText | undefined;
  /** The treatment of columns of one name: an error, or `a`, `a_2`, `a_3`. Default: an error. */
  readonly duplicates?: Duplicates | undefined;
  /** Options for reading URLs. */
  readonly http?: HttpOptions | undefined;
}

/** Options for writing CSV. */
export interface WriteCsvOptions {
  /** The delimiter of fields, one ASCII character. Default: a comma. */
  readonly delimiter?: string | undefined;
}

/**
 * Returns a source of the rows of a CSV file in UTF-8 whose first line names the columns. Types are
 * guessed from the first 10,000 rows: int64, float64, bool (true, false) and date (YYYY-MM-DD;
 * other years have a sign and six or seven digits), and a string where none fits. An empty field is
 * null; a quoted empty field is the empty string in a column of strings, and null in others. A row
 * with too few or too many fields is an error.
 *
 * If the header has no comma, but another delimiter (`;`, a tab, `|`) splits the header and the
 * first rows into equally many fields, reading fails with an error that names that delimiter. With
 * the option `delimiter`, Sluice looks for no other.
 *
 * A guess keeps the text. Sluice would write columns of int64, bool and date just as it read them,
 * so `007`, `+41`, `-0` and `TRUE` are strings. It would write float64 as the shortest text of the
 * same numbers. A column is guessed to be float64 if its fields are plain decimals (`-1.50`),
 * scientific notation (`1.5e-07`, `1E+20`, `1.0E10`) or, beside numbers, the words for NaN and the
 * infinities; `.5`, `1e5` and `12E12` are strings.
 *
 * No digit is lost silently. Numbers that would lose digits as a float64 are strings: integers
 * beyond 2^53 among floats where float64 does not keep all their digits, other numbers of more than
 * 17 digits, and numbers out of range. A fraction of up to 17 digits is rounded to the nearest
 * float64, as 0.1 is. A later value that does not fit the guessed type is an error that names the
 * row, the column and a type that fits. A column given as "string" takes any value; one given as
 * "float64" or "int64" rounds numbers and drops leading zeros and pluses; one given as "bool"
 * ignores case.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readCsv } from "./csv.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(path, 'iata,city,seats\nLAX,"Los Angeles, CA",\n');
 * const [rows] = await Array.fromAsync(readCsv(path, { types: { seats: "int64" } }).rows());
 * assertEquals(rows?.batch.get(0)?.toJSON(), { iata: "LAX", city: "Los Angeles, CA", seats: null });
 * await Deno.remove(path);
 * ```
 */
export function readCsv(path: string, options: ReadCsvOptions = {}): Source {
  checkNamed("readCsv()", "options", options);
  checkTypes("readCsv() option types", options.types);
  checkDuplicates("readCsv() option duplicates", options.duplicates);
  checkInvalid("readCsv() option invalid", options.invalid);
  return sourceOfFormat(csvFormat, path, options);
}

/**
 * Returns a sink that writes a CSV file: a header, then the rows. Fields are quoted only where
 * necessary; an empty string is written as "" and null as nothing. Integers and decimals keep all
 * digits; floats have the fewest digits that parse to the same value. Dates and times follow ISO
 * 8601: years outside 0000 to 9999 have a sign and at least six digits. A time of day after
 * 24:00:00 is an error that names the row and the column. Nested and binary columns are rejected.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { writeCsv } from "./csv.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv" });
 * const table = tableFromArrays({ id: Int32Array.of(1, 2), city: ["Rome, IT", ""] });
 * await ReadableStream.from(table.batches).pipeTo(writeCsv(path));
 * assertEquals(await Deno.readTextFile(path), 'id,city\n1,"Rome, IT"\n2,""\n');
 * await Deno.remove(path);
 * ```
 */
export function writeCsv(path: string, options: WriteCsvOptions = {}): FileSink {
  checkNamed("writeCsv()", "options", options);
  return sinkOfFormat(csvFormat, path, options);
}
