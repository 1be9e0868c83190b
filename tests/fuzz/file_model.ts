/** The model of files: the table that is read back, and the types to read it with. */

import { DataType, DateDay, Float64, Int64, TimestampMillisecond, Utf8 } from "apache-arrow";
import { type ModelColumn, TooLarge } from "../support/models/expr_model_types.ts";
import { isoDay } from "../support/models/time_model.ts";
import type { FileFormat } from "./file_format.ts";

/** A column of a file: what it becomes, and what a reader has to be told. */
interface FileColumn {
  /** The type to name when it is read; undefined where the file knows it. */
  readonly readAs?: "string" | "int64" | "float64" | "bool" | "date";
  readonly type: DataType;
  value(value: unknown): unknown;
}

const same = (value: unknown) => value;

/** Returns a column as a format stores it; undefined if readers disagree on its form. */
function fileColumn(format: FileFormat, type: DataType): FileColumn | undefined {
  switch (format) {
    case "arrow":
    case "arrows":
      return { type, value: same };
    case "parquet":
      return parquetColumn(type);
    case "zarr":
      return undefined;
    default:
      return textColumn(type, format === "ndjson");
  }
}

function parquetColumn(type: DataType): FileColumn | undefined {
  if (DataType.isTimestamp(type) && type.unit === 0) {
    return {
      type: new TimestampMillisecond(type.timezone),
      value: (value) => BigInt(value as bigint) * 1000n,
    };
  }
  const isFlat = DataType.isBool(type) || DataType.isInt(type) || DataType.isUtf8(type) ||
    DataType.isBinary(type) || (DataType.isFloat(type) && type.precision > 0) ||
    (DataType.isDate(type) && type.unit === 0) || DataType.isTimestamp(type);
  const isTexts = DataType.isList(type) && DataType.isUtf8(type.valueType);
  // As chunks of arrays are.
  const isNumbers = DataType.isFixedSizeList(type) && type.listSize > 0 &&
    isNumber((type.children as { type: DataType }[])[0]!.type);
  return isFlat || isTexts || isNumbers ? { type, value: same } : undefined;
}

function isNumber(type: DataType): boolean {
  return DataType.isInt(type) || (DataType.isFloat(type) && type.precision > 0);
}

function textColumn(type: DataType, isJson: boolean): FileColumn | undefined {
  if (DataType.isUtf8(type)) return { readAs: "string", type, value: same };
  if (DataType.isBool(type)) return { readAs: "bool", type, value: same };
  if (DataType.isInt(type) && (type.isSigned || type.bitWidth < 64)) {
    return { readAs: "int64", type: new Int64(), value: (value) => BigInt(value as number) };
  }
  if (DataType.isFloat(type) && type.precision === 2) {
    const isLost = (value: unknown) => isJson && !Number.isFinite(value);
    return {
      readAs: "float64",
      type: new Float64(),
      value: (value) => isLost(value) ? null : value,
    };
  }
  if (DataType.isDate(type) && type.unit === 0) {
    return isJson
      ? { readAs: "string", type: new Utf8(), value: (value) => isoDay(value as number, type) }
      : { readAs: "date", type: new DateDay(), value: same };
  }
}

/** Whether a column of the type can go through a file of the format. */
export function fitsFile(format: FileFormat, type: DataType): boolean {
  return fileColumn(format, type) !== undefined;
}

/** The columns as they come back. Throws where the format has no form for them. */
export function throughFile(
  format: FileFormat,
  columns: readonly ModelColumn[],
  numRows: number,
): readonly ModelColumn[] {
  const isText = !["arrow", "arrows", "parquet"].includes(format);
  // Without rows NDJSON has no columns, and without columns a line of CSV is no row.
  if (columns.length === 0 || (format === "ndjson" && numRows === 0)) {
    throw new TooLarge("no rows");
  }
  // A line of one empty field is a row to some and none to others.
  if (isText && columns.length < 2 && format !== "ndjson") throw new TooLarge("one column");
  return columns.map(({ name, type, values }) => {
    const column = fileColumn(format, type);
    if (column === undefined) throw new TooLarge(`${type} in ${format}`);
    return {
      name,
      type: column.type,
      values: values.map((value) => value === null ? null : column.value(value)),
    };
  });
}

/** The types to read columns with, by name; undefined where the file has them. */
export function readTypes(
  format: FileFormat,
  columns: readonly ModelColumn[],
): Readonly<Record<string, never>> | undefined {
  const named = columns.flatMap(({ name, type }) => {
    const readAs = fileColumn(format, type)?.readAs;
    return readAs === undefined ? [] : [[name, readAs]];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
