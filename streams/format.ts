/**
 * Which format a file has, by its name.
 *
 * @module
 */

import { compressionOfSuffix } from "./file_kind.ts";
import { FileError } from "./errors.ts";
import { isStdin, isStdout } from "./standard_streams.ts";

/** The formats of files. "arrow" is both of Arrow's own, which reading tells apart. */
export type Format = "arrow" | "parquet" | "csv" | "tsv" | "ndjson";

/** Suffixes, and the format of each. */
export const formatSuffixes: Readonly<Record<string, Format>> = {
  ".arrow": "arrow",
  ".arrows": "arrow",
  ".feather": "arrow",
  ".ipc": "arrow",
  ".parquet": "parquet",
  ".csv": "csv",
  ".tsv": "tsv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};

/** Throws a TypeError for a format that there is not, or a path that is none. */
export function checkFile(caller: string, path: unknown, format: unknown): void {
  if (typeof path !== "string") {
    throw new TypeError(
      `${caller} takes the path of a file, not ${path === null ? path : typeof path}`,
    );
  }
  if (path === "") throw new TypeError(`${caller} takes the path of a file, not an empty text`);
  const known = [...new Set<unknown>(Object.values(formatSuffixes))];
  if (format === undefined || known.includes(format)) return;
  const given = JSON.stringify(format);
  throw new TypeError(`${caller} option format is one of ${known.join(", ")}, not ${given}`);
}

/** The format of a path, from its suffix; stdin and stdout are Arrow streams. */
export function formatOf(path: string): Format {
  if (isStdin(path) || isStdout(path)) return "arrow";
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  const suffix = dot < 0 ? "" : name.slice(dot);
  const format = formatSuffixes[suffix];
  if (format !== undefined) return format;
  const compression = compressionOfSuffix(suffix);
  if (compression !== undefined) {
    throw new FileError(path, `is a file packed by ${compression}, which is not supported yet`);
  }
  const known = Object.keys(formatSuffixes).join(" ");
  throw new FileError(
    path,
    `has an unknown format, its name ends in none of ${known}; say which it is`,
  );
}
