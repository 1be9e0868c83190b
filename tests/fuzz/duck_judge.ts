/**
 * What DuckDB says of a case.
 *
 * @module
 */

// The package has types of its own, which are not loaded here.
// deno-lint-ignore-file no-explicit-any

import { loadPeer } from "../support/peers.ts";
import { NoSql, quoted } from "./duck_exprs.ts";
import { sqlOf } from "./duck_sql.ts";
import type { FuzzCase } from "./fuzz_case.ts";
import type { RowsOutcome } from "./run_case.ts";

let connection: Promise<any> | undefined;

async function connect(): Promise<any> {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  return await instance.connect();
}

/** The columns of the result as DuckDB has them, as text as in `Outcome`; undefined where it has no SQL. */
export async function askDuckDb(
  given: FuzzCase,
): Promise<Pick<RowsOutcome, "numRows" | "columns"> | undefined> {
  let query: ReturnType<typeof sqlOf>;
  try {
    query = sqlOf(given);
  } catch (error) {
    if (error instanceof NoSql) return undefined;
    throw error;
  }
  const names = [...query.columns.keys()];
  // Its client drops a byte order mark of a text.
  const isText = names.map((name) => query.columns.get(name) === "VARCHAR");
  const values = names.map((name, index) =>
    isText[index] ? `hex(encode(${quoted(name)}))` : quoted(name)
  );
  const list = ["1 AS _one", ...values].join(", ");
  const reader = await (await (connection ??= connect()))
    .runAndReadAll(`SELECT ${list} FROM (${query.sql}) ORDER BY _row`);
  const rows = reader.getRowsJS() as unknown[][];
  return {
    numRows: rows.length,
    columns: names.map((_, index) =>
      JSON.stringify(rows.map((row) => encoded(row[index + 1], isText[index]!)))
    ),
  };
}

function encoded(value: unknown, isText: boolean): unknown {
  if (isText && value !== null) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.fromHex(String(value)));
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number") return value;
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
}
