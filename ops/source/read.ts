/**
 * Starts a stream from files.
 *
 * @module
 */

import { checkNamed } from "../../base/option_kinds.ts";
import type { BatchStream } from "../../streams/plan/batch_stream.ts";
import { checkFile, formatOf, formats } from "../../streams/files/formats.ts";
import type { SourceOptions } from "../../streams/files/read.ts";
import type { EngineOption } from "../engine/operator_of.ts";
import { castColumns } from "./cast_columns.ts";
import { castsOf, checkTypes, splitTypes } from "../../streams/formats/given_types.ts";
import { readFiles, type ReadFilesOptions } from "./read_files.ts";

/** Options for reading files, and the engine for the operators that follow. */
export interface ReadOptions extends Omit<SourceOptions, "types">, EngineOption {
  /** Names of the columns to read; the others are not touched. Default: all of them. */
  readonly columns?: readonly string[] | undefined;
  /**
   * Types of columns of CSV and NDJSON, in place of the guessed ones: string, int64, float64, bool, date,
   * in NDJSON json and `list<int64>` and so on, and those that `cast` makes of text, such as
   * `timestamp[us]`, `timestamp[s, UTC]`, `time64[us]`, int32 and float32. A value of another type is an
   * error, once its column is read.
   */
  readonly types?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads one file or several with the same columns, in the order of the first, as a stream of record
 * batches: Arrow (`.arrow`, `.arrows`, `.feather`), Parquet, CSV (`.csv`, `.tsv`) or NDJSON (`.ndjson`,
 * `.jsonl`). `-` is an Arrow stream on stdin. Nothing is opened before the first read.
 * A column of CSV or NDJSON without any value has its type in the other files.
 *
 * An array of Zarr is a folder (`a.zarr`, `group.zarr/temperature`), and each of its chunks a row: a
 * column with its items, an `arrow.fixed_shape_tensor`, and `origin`, where in the array it begins.
 *
 * Of a URL (`https:`, `http:`) only those bytes are requested that are needed, if its server serves
 * ranges: metadata, and what the wanted rows and columns lie in. Parquet needs such a server.
 *
 * A file that is missing, cut short or not what its suffix says is a FileError that names it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { read, toTable } from "../../mod.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(path, "iata,city\nLAX,Los Angeles\n");
 * const table = await toTable(read(path));
 * assertEquals(table.toArray().map((row) => row.city), ["Los Angeles"]);
 * await Deno.remove(path);
 * ```
 */
export function read(
  paths: string | URL | readonly (string | URL)[],
  options: ReadOptions = {},
): BatchStream {
  checkNamed("read()", "options", options);
  const { types, ...rest } = options;
  checkTypes("read() option types", types);
  const [first] = [paths].flat() as [string | URL | undefined];
  // Opening the files refuses anything that is not a path.
  const isNamed = types !== undefined && (typeof first === "string" || first instanceof URL);
  if (!isNamed) return readFiles(paths, options as ReadFilesOptions);
  checkFile("read()", String(first), options.format);
  const given = splitTypes(types, formats[options.format ?? formatOf(String(first))].types);
  const stream = readFiles(paths, {
    ...rest,
    types: given.read,
    castColumns: Object.keys(given.casts),
  } as ReadFilesOptions);
  const casts = castsOf(given.casts, options.columns);
  return casts === undefined ? stream : stream.pipeThrough(castColumns(casts));
}
