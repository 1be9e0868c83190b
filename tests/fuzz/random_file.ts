/** Random ways through files, and what is taken of them. */

import type { DataType } from "apache-arrow";
import type { SeededRandom } from "../support/seeded_random.ts";
import { fitsFile } from "./file_model.ts";
import { ARROW_WRITERS, keepsType } from "./foreign_arrow.ts";
import type { CaseStep, FileFormat } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { dialectsOf } from "./text_dialect.ts";
import { sliceSlices } from "./random_slice.ts";

type FileStep = CaseStep & { do: "file" };

/** The formats of files. */
export const FORMATS: readonly FileFormat[] = [
  ...["arrow", "arrows", "parquet", "csv", "tsv", "ndjson"] as const,
];

/** Steps that write what a file of some format can hold and read it again, and then some rows of it. */
export function throughFile(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const format = random.pick(FORMATS);
  const fitting = table.columns.filter(({ type }) => fitsFile(format, type));
  if (fitting.length === 0) return undefined;
  const names = fitting.map(({ name }) => name);
  const dialects = dialectsOf(format);
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
      ...(format === "parquet" ? parquetOptions(random) : {}),
      ...(dialects.length > 0 && random.chance(0.5) ? { dialect: random.pick(dialects) } : {}),
      ...(random.chance(0.2) ? { served: random.pick(["ranges", "shaky"] as const) } : {}),
      ...((isArrow || format === "parquet") && random.chance(0.2) ? { isMended: true } : {}),
    },
    ...(random.chance(0.5) ? sliceSlices(random, table) : []),
  ];
}

function arrowOptions(
  random: SeededRandom,
  format: FileFormat,
  types: readonly DataType[],
): Partial<FileStep> {
  if (random.chance(0.4)) {
    const able = ARROW_WRITERS.filter((writer) =>
      types.every((type) => keepsType(writer, type)) &&
      // Streams of Polars are not compressed.
      (format === "arrow" || !writer.startsWith("polars "))
    );
    return { writer: random.pick(able) };
  }
  return {
    ...(random.chance(0.2) ? { compression: random.pick(["zstd", "lz4"] as const) } : {}),
    ...(format === "arrow" && random.chance(0.4) ? { isForeign: true } : {}),
  };
}

function parquetOptions(random: SeededRandom): Partial<FileStep> {
  return {
    ...(random.chance(0.5) ? { batchRows: random.pick([1, 7, 30]) } : {}),
    ...(random.chance(0.2) ? { compression: "none" } : {}),
  };
}
