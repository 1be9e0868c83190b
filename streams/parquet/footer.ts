/**
 * Reads and writes the footer of a Parquet file: metadata, length, magic.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";
import { type FileMetadata, fileMetadata } from "./metadata.ts";
import { readThrift, writeThrift } from "./thrift.ts";

/** Length of the metadata and magic, at the end. */
const tailBytes = 4 + 4;
const magic = "PAR1";
const encryptedMagic = "PARE";
const onPipe = "Parquet, whose footer comes last, cannot be read from a pipe; save it to a file";

/** Metadata, and the byte at which it begins. */
interface Footer {
  readonly metadata: FileMetadata;
  readonly start: number;
}

/** Reads the footer. Throws a TypeError if the file is not Parquet, or not supported. */
export async function readFooter(input: FileInput): Promise<Footer> {
  const { numBytes } = input;
  if (numBytes === undefined) throw new TypeError(onPipe);
  if (numBytes === 0) throw new TypeError("is empty, not a Parquet file");
  const front = await magicAt(input, 0);
  if (front === encryptedMagic) throw new TypeError("is encrypted, which is not supported yet");
  if (front !== magic) throw new TypeError("is not a Parquet file");
  if (await magicAt(input, Math.max(4, numBytes - 4)) !== magic) {
    throw new TypeError("is a truncated Parquet file, its footer is missing");
  }
  await input.seek(numBytes - tailBytes);
  const tail = await input.read(tailBytes);
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  const start = numBytes - tailBytes - length;
  if (start < magic.length) {
    throw new TypeError(`is corrupt: its footer claims a length of ${length} bytes`);
  }
  await input.seek(start);
  return { metadata: decodeMetadata(await input.read(length)), start };
}

export function decodeMetadata(bytes: Uint8Array): FileMetadata {
  try {
    return readThrift(bytes, fileMetadata).value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError(`is corrupt: its footer is broken, ${error.message}`);
  }
}

/** The footer for encoded metadata. */
export function footerOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const footer = new Uint8Array(bytes.length + tailBytes);
  footer.set(bytes);
  new DataView(footer.buffer).setUint32(bytes.length, bytes.length, true);
  footer.set(new TextEncoder().encode(magic), bytes.length + 4);
  return footer;
}

/** Splits the end of a file, which must hold the whole footer. */
export function splitFooter(bytes: Uint8Array): { pages: Uint8Array; metadata: Uint8Array } {
  const stop = bytes.length - tailBytes;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(stop, true);
  return { pages: bytes.subarray(0, stop - length), metadata: bytes.subarray(stop - length, stop) };
}

/** The file as a Blob, with other metadata at its end. */
export function withMetadata(input: FileInput, metadata: FileMetadata, start: number): Blob {
  const footer = footerOf(writeThrift(metadata, fileMetadata));
  const inFile = fileRanges(input);
  return rangeBlob(start + footer.length, async (from, to) => {
    if (to <= start) return await inFile(from, to);
    const end = footer.slice(Math.max(0, from - start), to - start);
    if (from >= start) return end.buffer;
    const bytes = new Uint8Array(to - from);
    bytes.set(new Uint8Array(await inFile(from, start)));
    bytes.set(end, start - from);
    return bytes.buffer;
  });
}

async function magicAt(input: FileInput, position: number): Promise<string> {
  await input.seek(position);
  return new TextDecoder().decode(await input.read(4));
}

/** The part of a Blob that parquet-wasm calls. */
interface BlobRange {
  readonly size: number;
  slice(start: number, stop: number): BlobRange;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Reads the bytes [start, stop) of a file. */
export type ReadRange = (start: number, stop: number) => Promise<ArrayBuffer>;

/** A Blob of `numBytes` bytes that reads its ranges lazily. */
export function rangeBlob(numBytes: number, read: ReadRange): Blob {
  const range = (start: number, stop: number): BlobRange => ({
    size: stop - start,
    slice: (from, to) => range(start + from, Math.min(start + to, stop)),
    arrayBuffer: () => read(start, stop),
  });
  return range(0, numBytes) as Blob;
}

/** Reads ranges of an open file one at a time, in the order of the calls. */
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
