/**
 * DuckDB as a contender: tables in memory, as many threads as there are processors.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { fromBatches, write } from "../../mod.ts";
import { loadPeer } from "../../tests/support/peers.ts";
import { formatDigest, sampleRows } from "./sampled_text.ts";

type Row = Readonly<Record<string, unknown>>;

/** A database in memory. */
export class DuckDb {
  /** The name, with the version. */
  readonly name: string;
  /** Threads that queries use. */
  readonly threads: number;
  // deno-lint-ignore no-explicit-any
  readonly #connection: any;

  // deno-lint-ignore no-explicit-any
  private constructor(name: string, threads: number, connection: any) {
    this.name = name;
    this.threads = threads;
    this.#connection = connection;
  }

  /** Starts one. */
  static async open(): Promise<DuckDb> {
    const { DuckDBInstance, version } = await loadPeer("duckdb");
    const threads = navigator.hardwareConcurrency;
    const instance = await DuckDBInstance.create(":memory:", { threads: `${threads}` });
    return new DuckDb(`DuckDB ${version().replace(/^v/, "")}`, threads, await instance.connect());
  }

  /** Runs a statement. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** The rows of a query. */
  async rows(sql: string): Promise<Row[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowObjectsJS();
  }

  /** Loads batches into a table. */
  async load(table: string, batches: readonly RecordBatch[]): Promise<void> {
    const path = await Deno.makeTempFile({ suffix: ".parquet" });
    try {
      await fromBatches([...batches]).pipeTo(write(path, { compression: "none" }));
      await this.run(`create table ${table} as select * from '${path}'`);
    } finally {
      await Deno.remove(path);
    }
  }

  /** The digest of a column of a table, its values as text. */
  async digest(table: string, column: string): Promise<string> {
    const [counts] = await this.rows(`
      select count(*) as rows, count(*) - count(${column}) as nulls,
        coalesce(sum(strlen(${column}::varchar)), 0)::bigint as bytes from ${table}`);
    const { rows, nulls, bytes } = counts!;
    const numbers = sampleRows(Number(rows));
    const sample = await this.rows(`
      select rowid, ${column}::varchar as value from ${table} where rowid in (${numbers.join()})`);
    const byRow = new Map(sample.map(({ rowid, value }) => [Number(rowid), value as string]));
    const values = numbers.map((row) => byRow.get(row) ?? null);
    return formatDigest(Number(rows), Number(nulls), Number(bytes), values);
  }

  /** Ends it. */
  close(): void {
    this.#connection.closeSync();
  }
}
