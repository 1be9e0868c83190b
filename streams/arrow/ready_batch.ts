/**
 * Record batches of which every byte is at hand, described without waiting: what most messages of a
 * stream of small batches are.
 *
 * @module
 */

import { MetadataVersion } from "apache-arrow";
import { rootTable } from "./flat_table.ts";
import { continuation } from "./message.ts";

/** What the description of a record batch says of its columns. */
export interface BatchDescription {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly variadicBufferCounts: readonly number[];
  readonly compression: { readonly type: number } | null;
}

/** A record batch whose bytes are next in the input, all of them at hand. */
export interface ReadyBatch {
  readonly header: BatchDescription;
  readonly unionsHaveValidity: boolean;
  /** Bytes of its length and its description. */
  readonly frontBytes: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The mark in front of a message, and its length. */
const lengthBytes = 8;
const recordBatch = 3;

/**
 * The record batch at the beginning of some bytes. Undefined where it does not end in them, and
 * wherever anything about it is out of the ordinary: the reader of messages knows what to say.
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
    const header = {
      length: table.long(0),
      nodes: pairs(table.longs(1, 2), (length, nullCount) => ({ length, nullCount })),
      buffers: pairs(table.longs(2, 2), (offset, length) => ({ offset, length })),
      variadicBufferCounts: table.longs(4, 1),
      compression: compression === undefined ? null : { type: compression.byte(0) },
    };
    if (compression !== undefined && compression.byte(1) !== 0) return undefined;
    if (!(header.length >= 0 && header.length < 2 ** 31)) return undefined;
    const unionsHaveValidity = version < MetadataVersion.V5;
    return { header, unionsHaveValidity, frontBytes, body: bytes.subarray(frontBytes, stop) };
  } catch {
    return undefined;
  }
}

function pairs<T>(longs: readonly number[], pair: (first: number, second: number) => T): T[] {
  const result: T[] = [];
  for (let i = 0; i < longs.length; i += 2) result.push(pair(longs[i]!, longs[i + 1]!));
  return result;
}
