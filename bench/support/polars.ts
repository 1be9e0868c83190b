/**
 * Polars as a contender: data frames in memory, its default number of threads.
 *
 * @module
 */

// The package has types, which are not loaded here.
// deno-lint-ignore-file no-explicit-any

import { Buffer } from "node:buffer";
import type { RecordBatch } from "apache-arrow";
import { fromBatches, write } from "../../mod.ts";
import { loadPeer } from "../../tests/support/judges/peers.ts";
import { polarsInside } from "./polars_version.ts";
import { formatDigest, sampleRows } from "./sampled_text.ts";

/** The package. */
export interface Polars {
  readonly pl: any;
  /** The name, with the versions of Polars and of its npm package. */
  readonly name: string;
  /** The number of its threads. */
  readonly threads: number;
}

/** Loads the package. */
export async function loadPolars(): Promise<Polars> {
  const { default: pl } = await loadPeer("polars");
  const inside = await polarsInside();
  const name = inside === undefined
    ? `nodejs-polars ${pl.version}`
    : `Polars ${inside} in nodejs-polars ${pl.version}`;
  return { pl, name, threads: navigator.hardwareConcurrency };
}

/** Loads batches into a data frame of one chunk. */
export async function loadDataFrame(pl: any, batches: readonly RecordBatch[]): Promise<any> {
  const path = await Deno.makeTempFile({ suffix: ".arrow" });
  try {
    await fromBatches([...batches]).pipeTo(write(path));
    // As bytes, since a path must end in `.ipc` to be recognized.
    return pl.readIPC(Buffer.from(await Deno.readFile(path))).rechunk();
  } finally {
    await Deno.remove(path);
  }
}

/** Returns the digest of a column of a data frame, with its values as text. */
export function digestDataFrame(pl: any, frame: any, column: string): string {
  const series = frame.getColumn(column).cast(pl.Utf8);
  const sample = sampleRows(series.length).map((row) => series.getIndex(row) as string | null);
  return formatDigest(series.length, series.nullCount(), series.str.lengths().sum(), sample);
}
