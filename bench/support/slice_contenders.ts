/**
 * Contenders that take some rows of a file, all columns of them, as a table in memory. Results are
 * small: nothing is collected between runs, which takes the code of short jobs away with the garbage.
 *
 * @module
 */

import type { Table } from "apache-arrow";
import { type BatchStream, toTable } from "../../mod.ts";
import type { Contender } from "./contest.ts";
import type { BenchDevice } from "./devices.ts";
import type { DuckDb } from "./duckdb.ts";
import type { Polars } from "./polars.ts";
import { parcelColumns } from "./slice_files.ts";

/** This library on a device; `open` begins a stream anew. */
export function sluiceSlice({ name: device }: BenchDevice, open: () => BatchStream): Contender {
  let output: Table;
  return {
    name: "Sluice",
    role: "ours",
    device,
    async run() {
      output = await toTable(open());
    },
    digest() {
      const columns = parcelColumns.map((name) => output.getChild(name)!);
      return Promise.resolve(
        digestRows(
          Array.from(
            { length: output.numRows },
            (_, row) => columns.map((column) => column.get(row)),
          ),
        ),
      );
    },
  };
}

/** DuckDB; `label` stands behind its name. `query` gives the statement, and may ask something first. */
export function duckDbSlice(
  db: DuckDb,
  label: string,
  query: () => string | Promise<string>,
): Contender {
  return {
    name: `${db.name}${label}`,
    role: "peer",
    device: `host, ${db.threads} threads`,
    run: async () => await db.run(await query()),
    async digest() {
      const rows = await db.rows(await query());
      return digestRows(rows.map((row) => parcelColumns.map((name) => row[name])));
    },
  };
}

/** Polars, with a lazy frame that `open` makes anew. */
export function polarsSlice(
  { name, threads }: Polars,
  // deno-lint-ignore no-explicit-any
  open: () => any,
): Contender {
  // deno-lint-ignore no-explicit-any
  let output: any;
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    async run() {
      output = await open().collect();
    },
    digest: () => Promise.resolve(digestRows(output.select(...parcelColumns).rows())),
  };
}

/** The number of rows and a hash, FNV-1a, of their values as text, in order. */
function digestRows(rows: readonly (readonly unknown[])[]): string {
  let hash = 0x811c9dc5;
  for (const row of rows) {
    for (const char of `${row.map(String).join("\t")}\n`) {
      hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
    }
  }
  return `${rows.length} rows, hash ${(hash >>> 0).toString(16)}, first ${rows[0]}`;
}
