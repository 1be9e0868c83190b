/** Random ways through files, and what is taken of them. */

import type { DataType } from "apache-arrow";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { fitsFile } from "./file_model.ts";
import { ARROW_WRITERS, keepsType } from "./foreign_arrow.ts";
import { keepsParquetType, PARQUET_WRITERS } from "./foreign_parquet.ts";
import { readsAlike } from "./duck_files.ts";
import { textWritersOf, writesAlike } from "./foreign_text.ts";
import type { FileFormat } from "./file_format.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { throughZarr, writeArray, type ZarrPeers } from "./random_array.ts";
import { arrayIn } from "./zarr_model.ts";
import { dialectsOf } from "./text_dialect.ts";
import { sliceRows, sliceSlices } from "./random_slice.ts";

type FileStep = CaseStep & { do: "file" };

/** The formats of files. */
export const FORMATS: readonly FileFormat[] = [
  ...["arrow", "arrows", "parquet", "csv", "tsv", "ndjson", "zarr"] as const,
];

/** Whether files of a format have columns, and no chunks of arrays. */
function isOfColumns(format: FileFormat): boolean {
  return format !== "zarr";
}

/** Steps that write what a file of some format can hold and read it again, and then some rows of it. */
export function throughFile(
  random: SeededRandom,
  table: ModelTable,
  peers: ZarrPeers,
): CaseStep[] | undefined {
  if (arrayIn(table) !== undefined && random.chance(0.3)) return throughZarr(random, table, peers);
  // Parquet has the most ways in which others write it.
  const format = random.chance(0.25) ? "parquet" : random.pick(FORMATS.filter(isOfColumns));
  const fitting = table.columns.filter(({ type }) => fitsFile(format, type));
  if (fitting.length === 0) return undefined;
  const names = fitting.map(({ name }) => name);
  const isArrow = format === "arrow" || format === "arrows";
  return [
    ...(names.length < table.columns.length ? [{ do: "select", names } as const] : []),
    // Rows of their own batches, where there is more than one to choose from.
    ...(random.chance(0.4) ? [{ do: "regroup", rows: random.pick([1, 3, 7]) } as const] : []),
    {
      do: "file",
      format,
      ...(random.chance(0.3) ? { parts: random.pick([2, 3, 5]) } : {}),
      ...(isArrow ? arrowOptions(random, format, fitting.map(({ type }) => type)) : {}),
      ...(format === "parquet" ? parquetOptions(random, fitting.map(({ type }) => type)) : {}),
      ...textOptions(random, format, fitting),
      ...(random.chance(0.2) ? { served: random.pick(["ranges", "shaky"] as const) } : {}),
      ...((isArrow || format === "parquet") && random.chance(0.2) ? { isMended: true } : {}),
    },
    ...(random.chance(0.5) ? sliceSlices(random, table) : []),
  ];
}

/** Steps that write the rows of a table, or some of them, on the way, in a format that holds them. */
export function writeRows(
  random: SeededRandom,
  table: ModelTable,
  peers: ZarrPeers,
): CaseStep[] | undefined {
  if (arrayIn(table) !== undefined && random.chance(0.5)) return writeArray(random, table, peers);
  const format = random.pick(FORMATS.filter(isOfColumns));
  const fitting = table.columns.filter(({ type }) => fitsFile(format, type));
  if (fitting.length === 0) return undefined;
  const names = fitting.map(({ name }) => name);
  const compression = random.pick(COMPRESSIONS[format] ?? [undefined]);
  const isJudged = fitting.every((column) => readsAlike(format, column));
  return [
    ...(names.length < table.columns.length ? [{ do: "select", names } as const] : []),
    ...(random.chance(0.4) ? sliceRows(random, table) : []),
    {
      do: "write",
      format,
      ...(format === "parquet" && random.chance(0.3) ? { batchRows: random.pick([1, 7, 30]) } : {}),
      ...(compression === undefined ? {} : { compression }),
      ...(isJudged && random.chance(0.6) ? { judge: "duckdb" } : {}),
    },
  ];
}

const COMPRESSIONS: Readonly<
  Partial<Record<FileFormat, (CaseStep & { do: "write" })["compression"][]>>
> = {
  arrow: [undefined, "none", "zstd", "lz4"],
  arrows: [undefined, "none", "zstd", "lz4"],
  parquet: [undefined, "none", "zstd", "lz4", "snappy", "gzip"],
};

function arrowOptions(
  random: SeededRandom,
  format: FileFormat,
  types: readonly DataType[],
): Partial<FileStep> {
  if (random.chance(0.5)) {
    const able = ARROW_WRITERS.filter((writer) =>
      types.every((type) => keepsType(writer, type)) &&
      // Streams of Polars are not compressed.
      (format === "arrow" || !writer.startsWith("polars "))
    );
    // Few tables have types alone that Polars keeps.
    const rare = able.filter((writer) => writer.startsWith("polars"));
    return { writer: random.pick(rare.length > 0 && random.chance(0.5) ? rare : able) };
  }
  return {
    ...(random.chance(0.2) ? { compression: random.pick(["zstd", "lz4"] as const) } : {}),
    ...(format === "arrow" && random.chance(0.4) ? { isForeign: true } : {}),
  };
}

function parquetOptions(random: SeededRandom, types: readonly DataType[]): Partial<FileStep> {
  const able = PARQUET_WRITERS.filter((writer) =>
    types.every((type) => keepsParquetType(writer, type))
  );
  return {
    ...(random.chance(0.5) ? { batchRows: random.pick([1, 7, 30]) } : {}),
    ...(random.chance(0.2) ? { compression: "none" } : {}),
    ...(random.chance(0.6) ? { writer: random.pick(able), style: random.below(2 ** 30) } : {}),
  };
}

function textOptions(
  random: SeededRandom,
  format: FileFormat,
  columns: readonly ModelColumn[],
): Partial<FileStep> {
  const dialects = dialectsOf(format);
  const writers = columns.every((column) => writesAlike(format, column))
    ? textWritersOf(format)
    : [];
  if (writers.length > 0 && random.chance(0.4)) return { writer: random.pick(writers) };
  return dialects.length > 0 && random.chance(0.7) ? { dialect: random.pick(dialects) } : {};
}
