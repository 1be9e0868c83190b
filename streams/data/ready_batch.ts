/**
 * A fast path for streams of small record batches: synchronously parses those that are fully
 * buffered.
 *
 * @module
 */

import { MetadataVersion } from "apache-arrow";
import { rootTable } from "./flat_table.ts";
import { continuation } from "./message.ts";

/** The metadata of a record batch. */
export interface BatchDescription {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly variadicBufferCounts: readonly number[];
  readonly compression: { readonly type: number } | null;
}

/** A fully buffered message that comes next in the input. */
export interface ReadyMessage {
  /** The bytes of its length and metadata. */
  readonly frontBytes: number;
  readonly bodyBytes: number;
  readonly numRows: number;
}

/** Byte offsets of fields of the metadata, from the start of the message. */
interface BatchPlaces {
  readonly bodyBytes: number;
  readonly numRows: number;
  readonly nodes: number;
  readonly buffers: number;
}

/** A fully buffered record batch that comes next in the input. */
export interface ReadyBatch extends ReadyMessage {
  readonly header: BatchDescription;
  readonly unionsHaveValidity: boolean;
  readonly places: BatchPlaces;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Bytes of the continuation marker and the length of a message. */
export const lengthBytes = 8;
const recordBatch = 3;

/**
 * Parses the record batch at the start of `bytes`. Undefined if it is incomplete or unusual in any
 * way: `readMessage` then reads it or reports the error.
 */
export function readyBatch(bytes: Uint8Array<ArrayBuffer>): ReadyBatch | undefined {
  if (bytes.length < lengthBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const frontBytes = lengthBytes + view.getInt32(4, true);
  const isFramed = view.getUint32(0, true) === continuation && frontBytes > lengthBytes;
  if (!isFramed || frontBytes > bytes.length) return undefined;
  try {
    const message = rootTable(bytes.subarray(lengthBytes, frontBytes));
    const version = message.short(0);
    const stop = frontBytes + message.long(3);
    const table = message.table(2);
    const isOrdinary = message.byte(1) === recordBatch && table !== undefined &&
      version >= MetadataVersion.V4 && message.vector(4, 4).length === 0 && stop >= frontBytes;
    if (!isOrdinary || stop > bytes.length) return undefined;
    const compression = table.table(3);
    const nodes = table.longs(1, 2);
    const buffers = table.longs(2, 2);
    const variadicBufferCounts = table.longs(4, 1);
    const longs = [...nodes, ...buffers, ...variadicBufferCounts];
    const header = {
      length: table.long(0),
      nodes: pairs(nodes, (length, nullCount) => ({ length, nullCount })),
      buffers: pairs(buffers, (offset, length) => ({ offset, length })),
      variadicBufferCounts,
      compression: compression === undefined ? null : { type: compression.byte(0) },
    };
    if (compression !== undefined && compression.byte(1) !== 0) return undefined;
    if (!(header.length >= 0 && header.length < 2 ** 31)) return undefined;
    if (nodes.length > 0 && nodes[0] !== header.length) return undefined;
    if (!longs.every(Number.isSafeInteger)) return undefined;
    const unionsHaveValidity = version < MetadataVersion.V5;
    const places = {
      bodyBytes: lengthBytes + message.placeOf(3),
      numRows: lengthBytes + table.placeOf(0),
      nodes: lengthBytes + table.vector(1, 16).start,
      buffers: lengthBytes + table.vector(2, 16).start,
    };
    const body = bytes.subarray(frontBytes, stop);
    const bodyBytes = body.length;
    const numRows = header.length;
    return { numRows, header, unionsHaveValidity, places, frontBytes, bodyBytes, body };
  } catch {
    return undefined;
  }
}

function pairs<T>(longs: readonly number[], pair: (first: number, second: number) => T): T[] {
  const result: T[] = [];
  for (let i = 0; i < longs.length; i += 2) result.push(pair(longs[i]!, longs[i + 1]!));
  return result;
}
