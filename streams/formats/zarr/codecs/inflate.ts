/**
 * Decodes gzip, zlib and zstd of unknown size with the runtime, up to a bound.
 *
 * @module
 */

import { measureFrame } from "../../../bytes/codecs/zstd.ts";
import { joinSeveral } from "../../../bytes/join_bytes.ts";
import { decodeSound } from "./damaged.ts";
import { checkDecoded, decodesTo } from "./too_large.ts";

type Zlib = typeof import("node:zlib");

/** The least and the greatest default size of the buffers into which the runtime decodes. */
const bufferBytes = 256 << 10;
const mostBufferBytes = 1 << 30;
/** The least size of a buffer that the runtime accepts. */
const leastBufferBytes = 64;

/** Decodes all of some bytes, as `BytesCodec.decodeBounded` does. */
export function inflateBounded(
  zlib: Zlib,
  format: "gzip" | "zlib" | "zstd",
  bytes: Uint8Array,
  mostBytes: number,
): Promise<Uint8Array> {
  return decodeSound(format, () => alone(inflate(zlib, format, bytes, mostBytes)));
}

function inflate(
  zlib: Zlib,
  format: "gzip" | "zlib" | "zstd",
  bytes: Uint8Array,
  mostBytes: number,
): Uint8Array {
  if (format === "gzip") {
    return bounded((options) => zlib.gunzipSync(bytes, options), gzipBytes(bytes), mostBytes);
  }
  if (format === "zlib") {
    return bounded((options) => zlib.inflateSync(bytes, options), 0, mostBytes);
  }
  // The runtime decodes one frame at a time.
  const contents: Uint8Array[] = [];
  let left = mostBytes;
  for (let from = 0; from < bytes.length;) {
    const { numBytes, maxContentBytes } = measureFrame(bytes.subarray(from));
    const frame = bytes.subarray(from, from += numBytes);
    const decode = (options: object) => zlib.zstdDecompressSync(frame, options);
    contents.push(bounded(decode, maxContentBytes, left));
    left -= contents.at(-1)!.length;
  }
  return joinSeveral(contents);
}

/** Decodes into one buffer where the size is known, and stops where the output exceeds the bound. */
function bounded(
  decode: (options: { chunkSize: number; maxOutputLength: number }) => Uint8Array,
  numBytes: number,
  mostBytes: number,
): Uint8Array {
  // One byte more than the output, or the runtime allocates another buffer.
  const wanted = Math.min(Math.max(bufferBytes, numBytes + 1), mostBufferBytes, mostBytes + 1);
  const maxOutputLength = Math.max(1, mostBytes);
  try {
    const bytes = decode({ chunkSize: Math.max(leastBufferBytes, wanted), maxOutputLength });
    checkDecoded(bytes.length, mostBytes);
    return bytes;
  } catch (error) {
    // The runtime stops as soon as the output exceeds the bound.
    if ((error as { code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw decodesTo(mostBytes);
  }
}

/** Returns the size that the end of the last member states, at most what deflate can produce. */
function gzipBytes(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Math.min(view.getUint32(bytes.length - 4, true), 1032 * bytes.length);
}

/** Copies bytes that the runtime returned as part of a shared buffer. */
function alone({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, length);
  const isAlone = length > bufferBytes && buffer.byteLength - length <= bufferBytes;
  return isAlone ? bytes : bytes.slice();
}
