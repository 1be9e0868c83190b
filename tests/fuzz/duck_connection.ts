// deno-lint-ignore-file no-explicit-any -- the types of DuckDB are not loaded here
/** The connection to DuckDB that all judges of a process share. */

import { loadPeer } from "../support/judges/peers.ts";

let connection: Promise<any> | undefined;

/** The rows of a query, each a list of values. */
export async function duckRows(sql: string): Promise<unknown[][]> {
  const reader = await (await (connection ??= connect())).runAndReadAll(sql);
  return reader.getRowsJS();
}

async function connect(): Promise<any> {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  return await instance.connect();
}

/** A text as SQL has it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
