/** Files of ours as DuckDB reads them. */

import { DataType } from "apache-arrow";
import { type ModelColumn, TooLarge } from "../support/models/expr_model_types.ts";
import { duckRows, sqlText } from "./duck_connection.ts";
import { NoSql, quoted } from "./duck_exprs.ts";
import { duckType } from "./duck_query.ts";
import { throughFile } from "./file_model.ts";
import { writesAlike } from "./foreign_text.ts";
import type { FileFormat } from "./file_format.ts";
import type { RowsOutcome } from "./outcome.ts";

/** Whether DuckDB reads a column of a file of a format as the model has it. */
export function readsAlike(format: FileFormat, column: ModelColumn): boolean {
  if (format === "arrow" || format === "arrows") return false;
  try {
    const { type, values } = throughFile(format, [column, column], 1)[0]!;
    duckType(type);
    // Its reader of CSV ends a text at a zero byte.
    const hasZero = DataType.isUtf8(type) && values.some((text) => String(text).includes("\0"));
    return writesAlike(format, column) && !hasZero;
  } catch (error) {
    // The model has no text for a year beyond JavaScript's.
    if (error instanceof NoSql || error instanceof TooLarge) return false;
    throw error;
  }
}

/** The rows of a file that has these columns. */
export async function rowsByDuckDb(
  path: string,
  format: FileFormat,
  columns: readonly ModelColumn[],
): Promise<Pick<RowsOutcome, "numRows" | "columns">> {
  const types = columns.map(({ type }) => duckType(type));
  const list = columns.map(({ name }, index) =>
    types[index] === "VARCHAR" ? `hex(encode(${quoted(name)}))` : quoted(name)
  );
  const named = columns.map(({ name }, index) => `${sqlText(name)}: ${sqlText(types[index]!)}`);
  const rows = await duckRows(
    `SELECT ${list.join(", ")} FROM ${readerSql(path, format, named.join(", "))}`,
  );
  return {
    numRows: rows.length,
    columns: types.map((type, index) =>
      JSON.stringify(rows.map((row) => duckValue(row[index], type === "VARCHAR")))
    ),
  };
}

function readerSql(path: string, format: FileFormat, columns: string): string {
  switch (format) {
    case "parquet":
      return `read_parquet(${sqlText(path)})`;
    case "ndjson":
      return `read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${columns}})`;
    default: {
      const delimiter = sqlText(format === "tsv" ? "\t" : ",");
      return `read_csv(${sqlText(path)}, header = true, delim = ${delimiter}, quote = '"', ` +
        `escape = '"', allow_quoted_nulls = false, auto_detect = false, columns = {${columns}})`;
    }
  }
}

/** A value as `Outcome` has it; a text is given as hexadecimal digits, since the client drops a mark. */
export function duckValue(value: unknown, isText: boolean): unknown {
  if (isText && value !== null) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.fromHex(String(value)));
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number") return value;
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
}
