/**
 * Files with suffixes that Sluice does not know: what they are, and advice on how to use them.
 *
 * @module
 */

import { option, type OptionText, optionText } from "../../base/errors/option_text.ts";

/** The use of a file, on which the advice depends. */
export type FileUse = "read" | "write";

interface OtherFile {
  readonly suffixes: readonly string[];
  readonly is: string;
  /** Advice for a file of this name. */
  readonly read?: (path: string, format: string) => string | OptionText;
  readonly write?: (path: string, format: string) => string | OptionText;
}

const say = optionText`${option("format")} says which: csv, tsv or ndjson`;
const ndjson = option("format", "ndjson");

const others: readonly OtherFile[] = [
  packed(".gz", "gzip", "gunzip -c"),
  packed(".zst", "zstd", "zstd -dc"),
  packed(".bz2", "bzip2", "bunzip2 -c"),
  packed(".xz", "xz", "xz -dc"),
  packed(".lz4", "lz4", "lz4 -dc"),
  packed(".br", "brotli", "brotli -dc"),
  {
    suffixes: [".zip"],
    is: "is a ZIP archive, which is not supported yet",
    read: () => "unpack it first",
  },
  {
    suffixes: [".json", ".geojson"],
    is: "may be JSON of any form, of which one object a line is supported",
    read: (path) => optionText`${ndjson} reads that; jq -c '.[]' ${path} makes it of an array`,
    write: () => optionText`${ndjson} writes that`,
  },
  {
    suffixes: [".log", ".txt", ".dat", ".data", ".text"],
    is: "has an unknown format, since text may have any",
    read: () => say,
    write: () => say,
  },
  {
    suffixes: [".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".numbers"],
    is: "is a workbook, which is not supported",
    read: () => "save each of its sheets as CSV",
    write: () => "write CSV, which it can open",
  },
  {
    suffixes: [".nc", ".nc4", ".cdf", ".h5", ".hdf5", ".he5"],
    is: "is NetCDF or HDF5, which is not supported",
    read: () => "open it with xarray, of which to_zarr writes arrays that Sluice reads",
  },
  {
    suffixes: [".grib", ".grb", ".grib2", ".grb2"],
    is: "is GRIB, which is not supported",
    read: () => "open it with xarray and cfgrib; to_zarr writes arrays that Sluice reads",
  },
  {
    suffixes: [".orc", ".avro"],
    is: "is ORC or Avro, which are not supported",
    read: () => "pyarrow or Spark writes Parquet of it",
  },
  {
    suffixes: [".db", ".sqlite", ".sqlite3", ".duckdb"],
    is: "is a database, which is not supported",
    read: () => "export its tables as Parquet or CSV",
  },
  { suffixes: [".npy", ".npz"], is: "is an array of NumPy, which is not supported" },
  { suffixes: [".pkl", ".pickle", ".rds", ".rda"], is: "is objects of a program, not a table" },
  { suffixes: [".sas7bdat", ".sav", ".dta"], is: "is of a statistics program, not supported" },
  { suffixes: [".xml", ".html", ".yaml", ".yml"], is: "is a document, which is not supported" },
  { suffixes: [".tar", ".tgz", ".7z"], is: "is an archive, which is not supported yet" },
];

function packed(suffix: string, name: string, unpack: string): OtherFile {
  return {
    suffixes: [suffix],
    is: `is compressed by ${name}, which is not supported yet`,
    read: (path, format) => `${unpack} ${path} | sluice read - --format ${format}`,
    write: (_, format) => `write - --format ${format} | ${name}`,
  };
}

/**
 * Returns the problem with a file of this suffix, and advice, as one clause; undefined for suffixes
 * that are not listed. `format` is the format that the rest of the name suggests.
 */
export function otherFile(
  path: string,
  suffix: string,
  { format, use }: { readonly format: string; readonly use: FileUse },
): OptionText | undefined {
  const other = others.find(({ suffixes }) => suffixes.includes(suffix));
  const advice = other?.[use]?.(path, format);
  if (other === undefined) return undefined;
  return advice === undefined ? [other.is] : optionText`${other.is}; ${advice}`;
}
