/** The formats of files that a case goes through. */

/** How a table goes through a file and comes back. */
export type FileFormat = "arrow" | "arrows" | "parquet" | "csv" | "tsv" | "ndjson" | "zarr";
