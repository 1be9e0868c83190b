/**
 * DuckDB as a contender: tables in memory, one thread for each processor.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { fromBatches, write } from "../../mod.ts";
import { loadPeer } from "../../tests/support/judges/peers.ts";

type Row = Readonly<Record<string, unknown>>;

/** A database in memory. */
export class DuckDb {
  /** The name, with the version. */
  readonly name: string;
  /** The number of threads of queries. */
  readonly threads: number;
  // deno-lint-ignore no-explicit-any
  readonly #connection: any;

  // deno-lint-ignore no-explicit-any
  private constructor(name: string, threads: number, connection: any) {
    this.name = name;
    this.threads = threads;
    this.#connection = connection;
  }

  /** Opens a database. */
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

  /** Runs a query, fetches its chunks one by one and drops them. */
  async stream(sql: string): Promise<void> {
    const result = await this.#connection.stream(sql);
    while (((await result.fetchChunk())?.rowCount ?? 0) > 0);
  }

  /** Returns the rows of a query. */
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

  /** Closes the database. */
  close(): void {
    this.#connection.closeSync();
  }
}
