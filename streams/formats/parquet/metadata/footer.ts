/**
 * Reads and writes the footer of a Parquet file: metadata, length, magic.
 *
 * @module
 */

import type { FileInput } from "../../../bytes/file_input.ts";
import { type FileMetadata, fileMetadata, textOf } from "./metadata.ts";
import type { RangedFile, ReadRange } from "./range_blob.ts";
import { brokenFooter, readThrift, writeThrift } from "./thrift.ts";

/** Bytes of the metadata length and the magic, at the end of a file. */
const tailBytes = 4 + 4;
/** Bytes to read at the end, usually enough for the footer and the page index before it. */
const endBytes = 64 << 10;
const magic = "PAR1";
const encryptedMagic = "PARE";
const onPipe = "Parquet, whose footer comes last, cannot be read from a pipe; save it to a file";

/** Encoded metadata, and its byte offset in the file. */
interface Footer {
  readonly bytes: Uint8Array;
  readonly start: number;
}

/**
 * Reads the footer, nearly always in one read of the end of the file; `likelyStart` is where an
 * earlier footer of the file began. Throws a TypeError if the file is not Parquet or not supported.
 */
export async function readFooter(input: FileInput, likelyStart = Infinity): Promise<Footer> {
  const { numBytes } = input;
  if (numBytes === undefined) throw new TypeError(onPipe);
  if (numBytes === 0) throw new TypeError("is empty, not a Parquet file");
  const end = await readAt(
    input,
    Math.max(0, Math.min(numBytes - endBytes, likelyStart)),
    numBytes,
  );
  await checkMagics(input, end);
  const length = new DataView(end.buffer, end.byteOffset).getUint32(end.length - tailBytes, true);
  const start = numBytes - tailBytes - length;
  if (start < magic.length) {
    throw new TypeError(`is corrupt: its footer claims a length of ${length} bytes`);
  }
  const before = end.length - tailBytes - length;
  const bytes = before >= 0
    ? end.subarray(before, before + length)
    : await readAt(input, start, start + length);
  return { bytes, start };
}

/** Throws if a file that ends with these bytes is not a complete Parquet file. */
async function checkMagics(input: FileInput, end: Uint8Array): Promise<void> {
  const last = textOf(end.subarray(-magic.length));
  const isAll = end.length === input.numBytes;
  const isLong = end.length >= magic.length + tailBytes;
  if (isLong && last === magic && !isAll) return;
  const first = textOf(
    isAll ? end.subarray(0, magic.length) : await readAt(input, 0, magic.length),
  );
  if (first === encryptedMagic) throw new TypeError("is encrypted, which is not supported yet");
  if (first !== magic) throw new TypeError("is not a Parquet file");
  if (!isLong || last !== magic) {
    throw new TypeError("is a truncated Parquet file: its footer is missing");
  }
}

async function readAt(input: FileInput, start: number, stop: number): Promise<Uint8Array> {
  await input.seek(start);
  return await input.read(stop - start);
}

/** Decodes metadata. Throws a TypeError if it is broken. */
export function decodeMetadata(bytes: Uint8Array): FileMetadata {
  try {
    return readThrift(bytes, fileMetadata).value;
  } catch (error) {
    throw brokenFooter(error);
  }
}

/** Returns the footer for encoded metadata. */
export function footerOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const footer = new Uint8Array(bytes.length + tailBytes);
  footer.set(bytes);
  new DataView(footer.buffer).setUint32(bytes.length, bytes.length, true);
  footer.set(new TextEncoder().encode(magic), bytes.length + 4);
  return footer;
}

/** Splits the end of a file, which must contain the whole footer, into pages and metadata. */
export function splitFooter(bytes: Uint8Array): { pages: Uint8Array; metadata: Uint8Array } {
  const stop = bytes.length - tailBytes;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(stop, true);
  return { pages: bytes.subarray(0, stop - length), metadata: bytes.subarray(stop - length, stop) };
}

/** Returns a file with other metadata at its end. `read` reads its pages, which end at `start`. */
export function withMetadata(metadata: FileMetadata, start: number, read: ReadRange): RangedFile {
  const footer = footerOf(writeThrift(metadata, fileMetadata));
  const readAll: ReadRange = async (from, to) => {
    if (to <= start) return await read(from, to);
    const end = footer.slice(Math.max(0, from - start), to - start);
    if (from >= start) return end.buffer;
    const bytes = new Uint8Array(to - from);
    bytes.set(new Uint8Array(await read(from, start)));
    bytes.set(end, start - from);
    return bytes.buffer;
  };
  return { numBytes: start + footer.length, read: readAll };
}
