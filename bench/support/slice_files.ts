/**
 * The files of the slice benches: parcels with a number, two floats, the name of a city and a line of text, about
 * 104 bytes a row, so that twenty million of them are 2.1 GB of Arrow.
 *
 * @module
 */

import { createEngine, read, regroup, write } from "../../mod.ts";
import { airportsFile } from "../../tests/support/processes/sluice.ts";
import { DuckDb } from "./duckdb.ts";

/** Rows of a batch of the Arrow file. */
const BATCH_ROWS = 65_536;

/** The columns, in order. */
export const parcelColumns = ["id", "price", "score", "city", "note"] as const;

/** Files of the same rows, for any number of rows. Each is written at its first request. */
export class SliceFiles {
  /** The default number of rows of a file. */
  static readonly numRows = 20_000_000;

  readonly #files = new Map<string, Promise<string>>();
  #folder: Promise<string> | undefined;

  /** Returns the path of a Parquet file that DuckDB writes, with groups of 122,880 rows. */
  parquet(numRows: number): Promise<string> {
    return this.#file(`${numRows}.parquet`, async (path) => {
      const db = await DuckDb.open();
      await db.run(`copy (${parcelsSql(numRows)}) to '${path}' (format parquet)`);
      db.close();
    });
  }

  /** Returns the path of an Arrow file that Sluice writes, with batches of 65,536 rows. */
  arrow(numRows: number): Promise<string> {
    return this.#file(`${numRows}.arrow`, async (path) => {
      const engine = createEngine({ device: "cpu" });
      await read(await this.parquet(numRows), { engine })
        .pipeThrough(regroup({ rows: BATCH_ROWS }))
        .pipeTo(write(path));
      await engine.close();
    });
  }

  /** Returns the path of a DuckDB database with the table `parcels`, since DuckDB reads no Arrow files. */
  database(numRows: number): Promise<string> {
    return this.#file(`${numRows}.duckdb`, async (path) => {
      const parquet = await this.parquet(numRows);
      const db = await DuckDb.open();
      await db.run(`attach '${path}' as written`);
      await db.run(`create table written.parcels as from '${parquet}'`);
      await db.run("detach written");
      db.close();
    });
  }

  /** Removes all files. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await Deno.remove(await this.#folder, { recursive: true });
  }

  #file(name: string, make: (path: string) => Promise<void>): Promise<string> {
    const known = this.#files.get(name) ?? this.#make(name, make);
    this.#files.set(name, known);
    return known;
  }

  async #make(name: string, make: (path: string) => Promise<void>): Promise<string> {
    this.#folder ??= Deno.makeTempDir({ prefix: "sluice-bench-" });
    const path = `${await this.#folder}/${name}`;
    console.error(`writing ${name} ...`);
    await make(path);
    return path;
  }
}

/** Returns the query for the rows: numbers from hashes of `id`, and names of cities with an airport. */
function parcelsSql(numRows: number): string {
  const city = (of: string) => `names[(1 + hash(id, '${of}') % count)::bigint]`;
  return `
    with cities as (
      select list(city order by iata) as names, count(*)::ubigint as count
      from read_csv('${airportsFile}')
    )
    select id, (hash(id, 'price') % 1000000)::double / 100 as price,
      (hash(id, 'score') >> 11)::double / 9007199254740992 as score,
      ${city("city")} as city,
      format('parcel {:08d} for {}, by way of {}, on shelf {}', id, ${city("to")}, ${city("way")},
        hash(id, 'shelf') % 1000) as note
    from range(${numRows}) as rows(id), cities`;
}
