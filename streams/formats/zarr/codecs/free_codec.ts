/**
 * Codecs from bytes to bytes where nobody knows how many come out: those of chunks whose items have any
 * length, and of shards, which may have unused bytes.
 *
 * @module
 */

import { measureFrame } from "../../../bytes/codecs/zstd.ts";
import type { CodecSpec } from "../metadata/array_spec.ts";
import { rawType } from "../metadata/data_type.ts";
import { readHeader } from "./blosc_header.ts";
import { bytesCodecOf, plainName } from "./bytes_codec.ts";
import { decodeSound } from "./damaged.ts";
import { loadRegistered } from "./registered_codec.ts";
import { checkDecoded, decodesTo } from "./too_large.ts";
import { joinBytes } from "../items/join_bytes.ts";

/** A codec from bytes to bytes. */
export interface FreeCodec {
  /** Bytes that so many become at most. */
  encodedBytes(numBytes: number): number;
  encode(bytes: Uint8Array): Promise<Uint8Array>;
  /**
   * Throws an Error whose message is a clause about the chunk: a TooLargeError as soon as it is seen that
   * more than `mostBytes` come out.
   */
  decode(bytes: Uint8Array, mostBytes: number): Promise<Uint8Array>;
}

/** Content of a piece that the runtime decodes, at least and at most. */
const pieceBytes = 256 << 10;
const mostPieceBytes = 1 << 30;
/** The least size that the runtime takes for a piece. */
const leastPieceBytes = 64;
/** Of the codecs behind it, each item is a byte. */
const byteType = rawType(1);

/** Makes a codec by its name. Throws a TypeError or an UnsupportedZarrError, its message a clause. */
export async function freeCodec({ name, configuration }: CodecSpec): Promise<FreeCodec> {
  const codec = await bytesCodecOf(name, configuration, byteType, 0);
  const roomFor = rooms[plainName(name)];
  const inflate = await inflater(plainName(name));
  const compiled = roomFor === undefined && inflate === undefined
    ? await loadRegistered(name, configuration, byteType)
    : undefined;
  return {
    encodedBytes: (numBytes) => codec.encodedBytes(numBytes),
    async encode(bytes) {
      return await codec.encode(bytes, new Uint8Array(codec.encodedBytes(bytes.length)));
    },
    async decode(bytes, mostBytes) {
      if (inflate !== undefined) {
        return await decodeSound(plainName(name), () => alone(inflate(bytes, mostBytes)));
      }
      if (compiled !== undefined) {
        const decoded = await decodeSound(name, () => compiled.decode(bytes));
        checkDecoded(decoded.length, mostBytes);
        return decoded;
      }
      const numBytes = await decodeSound(plainName(name), () => roomFor!(bytes));
      checkDecoded(numBytes, mostBytes);
      const room = new Uint8Array(numBytes);
      return room.subarray(0, await codec.decode(bytes, room));
    },
  };
}

/** How many bytes come out, at most, by codecs that say so. */
const rooms: Readonly<Record<string, (bytes: Uint8Array) => number>> = {
  blosc: (bytes) => readHeader(bytes).numBytes,
  lz4(bytes) {
    if (bytes.length < 4) throw new Error("no whole header");
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  },
  // Four bytes are the checksum.
  crc32c: ({ length }) => Math.max(0, length - 4),
  shuffle: ({ length }) => length,
};

/** Decodes all of some bytes, as `FreeCodec.decode`. */
type Inflate = (bytes: Uint8Array, mostBytes: number) => Uint8Array;

/** What decodes all of some bytes with the runtime: in one piece, where the bytes say how long it is. */
async function inflater(name: string): Promise<Inflate | undefined> {
  if (!["gzip", "zlib", "zstd"].includes(name)) return undefined;
  const zlib = await import("node:zlib");
  const bounded = (
    decode: (options: { chunkSize: number; maxOutputLength: number }) => Uint8Array,
    numBytes: number,
    mostBytes: number,
  ) => {
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
  };
  if (name === "gzip") {
    return (bytes, most) =>
      bounded((options) => zlib.gunzipSync(bytes, options), gzipBytes(bytes), most);
  }
  if (name === "zlib") {
    return (bytes, most) => bounded((options) => zlib.inflateSync(bytes, options), 0, most);
  }
  // The runtime decodes one frame at a time.
  return (bytes, most) => {
    const contents: Uint8Array[] = [];
    let left = most;
    for (let from = 0; from < bytes.length;) {
      const { numBytes, maxContentBytes } = measureFrame(bytes.subarray(from));
      const frame = bytes.subarray(from, from += numBytes);
      const decode = (options: object) => zlib.zstdDecompressSync(frame, options);
      contents.push(bounded(decode, maxContentBytes, left));
      left -= contents.at(-1)!.length;
    }
    return contents.length === 1 ? contents[0]! : joinBytes(contents);
  };
}

/** How many bytes come out as the end of the last member says; no more than deflate can make. */
function gzipBytes(bytes: Uint8Array): number {
  if (bytes.length < 18) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Math.min(view.getUint32(bytes.length - 4, true), 1032 * bytes.length);
}

/** The bytes as an array of their own, where the runtime gives a part of a buffer that others use. */
function alone({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, length);
  const isAlone = length > pieceBytes && buffer.byteLength - length <= pieceBytes;
  return isAlone ? bytes : bytes.slice();
}
