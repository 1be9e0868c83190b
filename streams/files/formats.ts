/**
 * The list of file formats. Each is an object that imports its reader and writer only when a file
 * is opened, so that the command line loads the list quickly.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { option, optionText } from "../../base/errors/option_text.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { fileNameOf } from "../../base/url.ts";
import { isStdin, isStdout } from "../bytes/standard_streams.ts";
import { arrowFormat } from "../formats/arrow/format.ts";
import { csvFormat, tsvFormat } from "../formats/csv/format.ts";
import type { FileFormat, FolderFormat } from "../formats/format.ts";
import { ndjsonFormat } from "../formats/ndjson/format.ts";
import { type FileUse, otherFile } from "../formats/other_suffixes.ts";
import { parquetFormat } from "../formats/parquet/format.ts";
import { zarrFormat } from "../formats/zarr/format.ts";

/**
 * The file formats. "arrow" is the file and the stream format, which readers detect. "zarr" is an
 * array in a folder.
 */
export type Format = "arrow" | "parquet" | "csv" | "tsv" | "ndjson" | "zarr";

/** All formats by their names, in the order of help and errors. */
export const formats: Readonly<Record<Format, FileFormat | FolderFormat>> = {
  arrow: arrowFormat,
  parquet: parquetFormat,
  csv: csvFormat,
  tsv: tsvFormat,
  ndjson: ndjsonFormat,
  zarr: zarrFormat,
};

export const formatNames = Object.keys(formats) as readonly Format[];

export const formatSuffixes: readonly string[] = formatNames.flatMap((name) =>
  formats[name].suffixes
);

/** Throws a TypeError for an unknown format, or a value that is not a path. */
export function checkFile(caller: string, path: unknown, format: unknown): void {
  if (typeof path !== "string") {
    throw new TypeError(
      `${caller} takes the path of a file, not ${path === null ? path : typeof path}`,
    );
  }
  if (path === "") throw new TypeError(`${caller} takes the path of a file, not an empty text`);
  if (format === undefined || formatNames.some((name) => name === format)) return;
  const [known, given] = [formatNames.join(", "), showValue(format)];
  throw new TypeError(`${caller} option format must be one of ${known}, not ${given}`);
}

/**
 * Returns the format of a path from its suffix. Stdin and stdout are Arrow streams; a path inside a
 * `.zarr` folder is a Zarr array.
 */
export function formatOf(path: string, use: FileUse = "read"): Format {
  if (isStdin(path) || isStdout(path)) return "arrow";
  const name = fileNameOf(path.replace(/[/\\]+$/, "")).toLowerCase();
  const suffix = suffixOf(name);
  const format = formatOfSuffix(suffix);
  if (format !== undefined) return format;
  // An array in a group.
  if (/\.zarr[/\\]/i.test(path)) return "zarr";
  const inner = formatOfSuffix(suffixOf(name.slice(0, name.length - suffix.length))) ?? "csv";
  const problem = otherFile(fileNameOf(path), suffix, { format: inner, use });
  if (problem !== undefined) throw FileError.naming(path, problem);
  const known = formatSuffixes.join(" ");
  throw FileError.naming(
    path,
    optionText`has an unknown format: its name ends in none of ${known}; choose one, as in ${
      option("format", "csv")
    }`,
  );
}

function suffixOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}

function formatOfSuffix(suffix: string): Format | undefined {
  return formatNames.find((name) => formats[name].suffixes.includes(suffix));
}
