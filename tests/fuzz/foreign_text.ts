/** Text files as DuckDB and Polars write them: their forms of numbers, quotes, escapes and line ends. */

import { DataType } from "apache-arrow";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import { loadPeer } from "../support/judges/peers.ts";
import { duckRows, sqlText } from "./duck_connection.ts";
import type { FileFormat } from "./file_format.ts";

/** Who writes a file, in its usual way or, of CSV, with quotes around each field or CR LF. */
const TEXT_WRITERS = [
  ...["duckdb", "duckdb quotes", "polars", "polars crlf"] as const,
];
export type TextWriter = typeof TEXT_WRITERS[number];

/** The writers of a format. */
export function textWritersOf(format: FileFormat): readonly TextWriter[] {
  if (format === "ndjson") return ["duckdb", "polars"];
  return format === "csv" || format === "tsv" ? TEXT_WRITERS : [];
}

/** The days of the years 1 to 9999, which all write alike. */
const [firstDay, lastDay] = [-719_162, 2_932_896];

/** Whether the values of a column have the form in the files of others that they have in ours. */
export function writesAlike(format: FileFormat, { type, values }: ModelColumn): boolean {
  const given = values.filter((value) => value !== null);
  if (DataType.isDate(type)) {
    return given.every((day) => Number(day) >= firstDay && Number(day) <= lastDay);
  }
  // JSON has no form for them.
  if (DataType.isFloat(type) && format === "ndjson") return given.every(Number.isFinite);
  return true;
}

/** Writes the rows of a Parquet file as text. */
export async function writeAsText(
  from: string,
  to: string,
  format: FileFormat,
  writer: TextWriter,
): Promise<void> {
  const delimiter = format === "tsv" ? "\t" : ",";
  if (writer.startsWith("duckdb")) {
    const options = format === "ndjson" ? ["FORMAT json"] : [
      ...["FORMAT csv", "HEADER true", `DELIMITER ${sqlText(delimiter)}`],
      ...(writer === "duckdb quotes" ? ["FORCE_QUOTE *"] : []),
    ];
    const rows = `SELECT * FROM read_parquet(${sqlText(from)})`;
    await duckRows(`COPY (${rows}) TO ${sqlText(to)} (${options.join(", ")})`);
    return;
  }
  const { default: polars } = await loadPeer("polars");
  const frame = polars.readParquet(from);
  if (format === "ndjson") frame.writeJSON(to, { format: "lines" });
  else {
    frame.writeCSV(to, {
      separator: delimiter,
      ...(writer === "polars crlf" ? { lineTerminator: "\r\n", includeBom: true } : {}),
    });
  }
}
