/** Queries of cases in DuckDB: tables, and rows that have numbers. */

import { DataType } from "apache-arrow";
import { typeOf } from "./case_types.ts";
import { literalSql, NoSql, quoted, type SqlColumns } from "./duck_exprs.ts";
import type { CaseTable } from "./fuzz_case.ts";

/** Columns of a query, each with its type in DuckDB; `_row` is the order of the rows. */
export interface Query {
  readonly sql: string;
  readonly columns: SqlColumns;
}

/** The rows of a table. */
export function tableSql({ columns }: CaseTable): Query {
  const types = new Map(columns.map(({ name, type }) => [name, duckType(typeOf(type))]));
  const lists = columns.map(({ name, values }) => {
    const type = types.get(name)!;
    const items = values.map((value) => value === null ? "NULL" : literalSql(value, type));
    return `unnest([${items.join(", ")}]::${type}[]) AS ${quoted(name)}`;
  });
  return {
    sql: `SELECT row_number() OVER () AS _row, * FROM (SELECT ${lists.join(", ")})`,
    columns: types,
  };
}

/** The type in DuckDB; throws a `NoSql` for one that it has not. */
export function duckType(type: DataType): string {
  if (DataType.isUtf8(type)) return "VARCHAR";
  if (DataType.isBool(type)) return "BOOLEAN";
  if (DataType.isInt(type)) {
    const name = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" }[type.bitWidth];
    return type.isSigned ? name : `U${name}`;
  }
  if (DataType.isFloat(type) && type.precision === 2) return "DOUBLE";
  throw new NoSql(String(type));
}

/** Rows with new numbers, in an order. */
export function renumbered(from: string, columns: Query["columns"], order = "_row"): Query {
  const list = [...columns.keys()].map(quoted);
  return {
    sql: `SELECT row_number() OVER (ORDER BY ${order}) AS _row, ${list.join(", ")} ${from}`,
    columns,
  };
}
