/**
 * Contenders that take some rows of a file, with all columns, as a table in memory. Results are small, so no garbage
 * is collected between runs; that would also discard the compiled code of short jobs.
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

/** Returns Sluice on a device; `open` opens a new stream. */
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

/** Returns DuckDB, with `label` after its name. `query` returns the statement, and may run another one first. */
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

/** Returns Polars; `open` returns a new lazy frame. */
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

/** Returns the number of rows, and the FNV-1a hash of their values as text, in order. */
function digestRows(rows: readonly (readonly unknown[])[]): string {
  let hash = 0x811c9dc5;
  for (const row of rows) {
    for (const char of `${row.map(String).join("\t")}\n`) {
      hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
    }
  }
  return `${rows.length} rows, hash ${(hash >>> 0).toString(16)}, first ${rows[0]}`;
}
