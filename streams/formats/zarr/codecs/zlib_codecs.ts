/**
 * gzip, zlib and zstd with the runtime: from buffer to buffer where it can, else in a stream, since a
 * buffer of the whole size that the runtime allocates takes three times as much memory.
 *
 * @module
 */

import type { Transform } from "node:stream";
import { measureFrame } from "../../../bytes/codecs/zstd.ts";
import type { Configuration } from "../metadata/data_type.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { decodeSound } from "./damaged.ts";
import { inflateBounded } from "./inflate.ts";
import { codeInOneCall, oneCallOptions } from "./one_call.ts";
import { shortJson } from "../metadata/short_json.ts";

/** Imported with the first chunk that needs it, since browsers have no such module. */
type Zlib = typeof import("node:zlib");

/** The most bytes that a stream decodes at once. */
const streamBytes = 256 << 10;

/** The memory of the library's internal state. */
const stateBytes = 4 * streamBytes;

export const gzip: BytesToBytes = {
  kind: "bytes->bytes",
  make: (configuration) => deflateCodec("gzip", configuration),
};
export const zlib: BytesToBytes = {
  kind: "bytes->bytes",
  make: (configuration) => deflateCodec("zlib", configuration),
};
export const zstd: BytesToBytes = { kind: "bytes->bytes", make: zstdCodec };

/** Creates the codec for gzip (RFC 1952) or zlib (RFC 1950). */
async function deflateCodec(
  format: "gzip" | "zlib",
  configuration: Configuration,
): Promise<BytesCodec> {
  const zlib = await import("node:zlib");
  const level = levelIn(configuration, -1, 9) ?? (format === "gzip" ? 5 : 1);
  const [decoder, decode, encoder, encode] = format === "gzip"
    ? [zlib.createGunzip, zlib.gunzipSync, zlib.createGzip, zlib.gzipSync]
    : [zlib.createInflate, zlib.inflateSync, zlib.createDeflate, zlib.deflateSync];
  const finish = zlib.constants.Z_FINISH;
  return {
    ...lengths,
    encode(bytes, target) {
      const size = codeInOneCall(encoder({ level, ...oneCallOptions }), {
        ...{ input: bytes, output: target, finish },
      });
      return size === undefined ? encode(bytes, { level }) : target.subarray(0, size);
    },
    decode: (bytes, into) =>
      decodeSound(format, () => {
        const size = codeInOneCall(decoder(oneCallOptions), { input: bytes, output: into, finish });
        if (size !== undefined) return size;
        return into.length <= streamBytes
          ? filled(decode(bytes, { maxOutputLength: into.length + 1 }), into, 0)
          : decodeStream(decoder({ chunkSize: streamBytes }), bytes, into, 0);
      }),
    decodeBounded: (bytes, mostBytes) => inflateBounded(zlib, format, bytes, mostBytes),
  };
}

/** Creates the codec for zstd (RFC 8878). Its frames state their size, as Python requires. */
async function zstdCodec(configuration: Configuration): Promise<BytesCodec> {
  const zlib = await import("node:zlib");
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants;
  const params = {
    [ZSTD_c_compressionLevel]: levelIn(configuration, -(2 ** 17), 22) ?? 0,
    [ZSTD_c_checksumFlag]: Number(configuration["checksum"] === true),
  };
  return {
    ...lengths,
    encode(bytes, target) {
      const options = { params, pledgedSrcSize: bytes.length };
      const finish = zlib.constants.ZSTD_e_end;
      const encoder = zlib.createZstdCompress({ ...options, ...oneCallOptions });
      const call = { input: bytes, output: target, finish, isEncoder: true };
      const size = codeInOneCall(encoder, call);
      return size === undefined ? zlib.zstdCompressSync(bytes, options) : target.subarray(0, size);
    },
    decode: (bytes, into) => decodeSound("zstd", () => decodeFrames(zlib, bytes, into)),
    decodeBounded: (bytes, mostBytes) => inflateBounded(zlib, "zstd", bytes, mostBytes),
  };
}

/**
 * The sizes of all these codecs. The worst growth is 9 bits for 8, where a fast encoder uses the fixed
 * codes of deflate without looking at the data.
 */
const lengths = {
  isFixed: false,
  encodedBytes: (numBytes: number) => numBytes + Math.ceil(numBytes / 7) + 1024,
  decodeScratch: () => stateBytes,
  encodeScratch: () => stateBytes,
};

/** Returns the level, if there is one. Throws for an invalid one. */
function levelIn({ level }: Configuration, least: number, most: number): number | undefined {
  if (level === undefined || level === null) return undefined;
  if (Number.isInteger(level) && Number(level) >= least && Number(level) <= most) {
    return Number(level);
  }
  throw new TypeError(`has the level ${shortJson(level)}`);
}

/** Decodes frames one at a time, as the runtime requires. */
async function decodeFrames(zlib: Zlib, bytes: Uint8Array, into: Uint8Array): Promise<number> {
  let written = 0;
  for (let from = 0; from < bytes.length;) {
    const { numBytes } = measureFrame(bytes.subarray(from));
    const frame = bytes.subarray(from, from += numBytes);
    const output = into.subarray(written);
    const finish = zlib.constants.ZSTD_e_end;
    const size = codeInOneCall(zlib.createZstdDecompress(oneCallOptions), {
      input: frame,
      output,
      finish,
    });
    if (size !== undefined && size > 0) written += size;
    else if (output.length <= streamBytes) {
      const maxOutputLength = Math.max(64, output.length + 1);
      written = filled(zlib.zstdDecompressSync(frame, { maxOutputLength }), into, written);
    } else {
      const stream = zlib.createZstdDecompress({ chunkSize: streamBytes });
      written = await decodeStream(stream, frame, into, written);
    }
  }
  return written;
}

/** Writes the output of a stream into a buffer, and returns the position after it. */
async function decodeStream(
  stream: Transform,
  bytes: Uint8Array,
  into: Uint8Array,
  start: number,
): Promise<number> {
  let at = start;
  stream.end(bytes);
  for await (const decoded of stream) at = filled(decoded, into, at);
  return at;
}

/** Copies decoded bytes, and returns the position after them. */
function filled(decoded: Uint8Array, into: Uint8Array, at: number): number {
  if (decoded.length > into.length - at) {
    throw new Error(`decodes to more than ${into.length} bytes`);
  }
  into.set(decoded, at);
  return at + decoded.length;
}
