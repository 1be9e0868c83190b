/**
 * The messages between the thread that writes a Parquet file and the worker that encodes it.
 *
 * @module
 */

import type { ParquetLayout } from "../module/properties.ts";

/** Messages to a worker, which encodes one file. */
export type ToEncodeWorker =
  | { readonly kind: "open"; readonly layout: ParquetLayout }
  /** Rows as an Arrow stream, whose memory is transferred to the worker. */
  | { readonly kind: "rows"; readonly stream: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" };

/** Messages from a worker: an answer to each "rows", then one to "end". */
export type FromEncodeWorker =
  /** The bytes of the file that are ready, and the memory of the rows, to be reused. */
  | {
    readonly kind: "written";
    readonly chunks: readonly Uint8Array<ArrayBuffer>[];
    readonly memory: ArrayBuffer;
  }
  | { readonly kind: "ended"; readonly chunks: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly kind: "failed"; readonly problem: string };
