/**
 * A file as the Blob that parquet-wasm reads from: only the ranges that it asks for are read.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";

/** The part of a Blob that parquet-wasm calls. */
interface BlobRange {
  readonly size: number;
  slice(start: number, stop: number): BlobRange;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Gives the bytes [start, stop) of a file. */
export type ReadRange = (start: number, stop: number) => Promise<ArrayBuffer>;

/** A Blob of `numBytes` bytes whose ranges are read when they are asked for. */
export function rangeBlob(numBytes: number, read: ReadRange): Blob {
  const range = (start: number, stop: number): BlobRange => ({
    size: stop - start,
    slice: (from, to) => range(start + from, Math.min(start + to, stop)),
    arrayBuffer: () => read(start, stop),
  });
  return range(0, numBytes) as Blob;
}

/** Reads ranges of an open file, one after the other, in the order of asking. */
export function fileRanges(input: FileInput): ReadRange {
  let last: Promise<unknown> = Promise.resolve();
  return (start, stop) => {
    const next = last.then(async () => {
      await input.seek(start);
      const bytes = await input.read(stop - start);
      if (bytes.length < stop - start) throw new TypeError("is a truncated Parquet file");
      const { buffer, byteLength } = bytes;
      return byteLength === buffer.byteLength ? buffer : bytes.slice().buffer;
    });
    last = next.catch(() => {});
    return next;
  };
}
