/**
 * Contenders that compute a few columns of numbers from a table in their own memory. All keep the whole result.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { type BatchStream, createEngine, fromBatches, read, toTable } from "../../mod.ts";
import { collectGarbage } from "./collect_garbage.ts";
import { batchBytes } from "./columns.ts";
import type { Contender } from "./contest.ts";
import type { BenchDevice } from "./devices.ts";
import { digestText } from "./digest_text.ts";
import type { DuckDb } from "./duckdb.ts";
import type { Polars } from "./polars.ts";

/** Returns Sluice on a device; `pipe` computes the columns of the result. */
export function sluiceTable(
  { name: device, engine }: BenchDevice,
  batches: readonly RecordBatch[],
  pipe: (stream: BatchStream) => BatchStream,
): Contender {
  let output: RecordBatch[] = [];
  return {
    name: "Sluice",
    role: "ours",
    device,
    async prepare() {
      output = [];
      await collectGarbage();
    },
    async run() {
      for await (const batch of pipe(fromBatches([...batches], { engine }))) output.push(batch);
    },
    digest: () => Promise.resolve(digestBatches(output)),
  };
}

/** Returns the bytes of the result of a pipeline. */
export async function resultBytes(
  { engine }: BenchDevice,
  batches: readonly RecordBatch[],
  pipe: (stream: BatchStream) => BatchStream,
): Promise<number> {
  let numBytes = 0;
  for await (const batch of pipe(fromBatches([...batches], { engine }))) {
    numBytes += batchBytes([batch]);
  }
  return numBytes;
}

/** Returns DuckDB, which materialises the result of a query. */
export function duckDbTable(db: DuckDb, query: string): Contender {
  return {
    name: db.name,
    role: "peer",
    device: `host, ${db.threads} threads`,
    prepare: collectGarbage,
    run: () => db.run(query),
    digest: () =>
      digestOf(
        ".parquet",
        (path) => db.run(`copy (${query}) to '${path}' (format parquet, compression uncompressed)`),
      ),
  };
}

/** Returns Polars; `select` makes the lazy frame of the result. */
export function polarsTable(
  { name, threads }: Polars,
  // deno-lint-ignore no-explicit-any
  select: () => any,
): Contender {
  // deno-lint-ignore no-explicit-any
  let kept: any;
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    async prepare() {
      kept = undefined;
      await collectGarbage();
    },
    async run() {
      kept = await select().collect();
    },
    digest: () =>
      digestOf(".arrow", (path) => {
        kept.writeIPC(path, { compression: "uncompressed" });
        return Promise.resolve();
      }),
  };
}

/** Returns the digest of a file that `write` wrote. */
async function digestOf(suffix: string, write: (path: string) => Promise<void>): Promise<string> {
  const path = await Deno.makeTempFile({ prefix: "sluice-bench-", suffix });
  const engine = createEngine({ device: "cpu", threads: 1 });
  try {
    await write(path);
    const { batches } = await toTable(read(path, { engine }));
    return digestBatches(batches);
  } finally {
    await engine.close();
    await Deno.remove(path);
  }
}

/** Returns the digests of all columns; values count as their text, whatever their width. */
function digestBatches(batches: readonly RecordBatch[]): string {
  const fields = batches[0]?.schema.fields ?? [];
  return fields.map(({ name }) => `${name}: ${digestText(batches, name)}`).join("; ");
}
