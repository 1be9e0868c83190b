/**
 * gzip, zlib and zstd by the runtime where nobody knows how many bytes come out: no more than a bound.
 *
 * @module
 */

import { measureFrame } from "../../../bytes/codecs/zstd.ts";
import { joinBytes } from "../items/join_bytes.ts";
import { decodeSound } from "./damaged.ts";
import { checkDecoded, decodesTo } from "./too_large.ts";

type Zlib = typeof import("node:zlib");

/** Content of a piece that the runtime decodes, at least and at most. */
const pieceBytes = 256 << 10;
const mostPieceBytes = 1 << 30;
/** The least size that the runtime takes for a piece. */
const leastPieceBytes = 64;

/** Decodes all of some bytes, as `BytesCodec.decodeBounded`. */
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
  return contents.length === 1 ? contents[0]! : joinBytes(contents);
}

/** Decodes in one piece where the number of bytes is known, and stops where more than a bound come out. */
function bounded(
  decode: (options: { chunkSize: number; maxOutputLength: number }) => Uint8Array,
  numBytes: number,
  mostBytes: number,
): Uint8Array {
  // One byte more than comes out, or there is one piece more.
  const wanted = Math.min(Math.max(pieceBytes, numBytes + 1), mostPieceBytes, mostBytes + 1);
  const maxOutputLength = Math.max(1, mostBytes);
  try {
    const bytes = decode({ chunkSize: Math.max(leastPieceBytes, wanted), maxOutputLength });
    checkDecoded(bytes.length, mostBytes);
    return bytes;
  } catch (error) {
    // The runtime stops as soon as more comes out.
    if ((error as { code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw decodesTo(mostBytes);
  }
}

/** How many bytes come out as the end of the last member says; no more than deflate can make. */
function gzipBytes(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Math.min(view.getUint32(bytes.length - 4, true), 1032 * bytes.length);
}

/** Copies bytes that the runtime returned as a part of a buffer that others use. */
function alone({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, length);
  const isAlone = length > pieceBytes && buffer.byteLength - length <= pieceBytes;
  return isAlone ? bytes : bytes.slice();
}
