/**
 * What a thread that writes a Parquet file and one that encodes it say to each other.
 *
 * @module
 */

import type { ParquetLayout } from "../module/properties.ts";

/** To a worker, which writes one file. */
export type ToEncodeWorker =
  | { readonly kind: "open"; readonly layout: ParquetLayout }
  /** Rows as an Arrow stream, whose memory now belongs to the worker. */
  | { readonly kind: "rows"; readonly stream: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" };

/** From a worker: an answer to each "rows", then one to "end". */
export type FromEncodeWorker =
  /** The bytes of the file that are ready, and the memory of the rows, for the next ones. */
  | {
    readonly kind: "written";
    readonly chunks: readonly Uint8Array<ArrayBuffer>[];
    readonly memory: ArrayBuffer;
  }
  | { readonly kind: "ended"; readonly chunks: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly kind: "failed"; readonly problem: string };
