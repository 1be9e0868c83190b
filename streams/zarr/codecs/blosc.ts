/**
 * The codec "blosc": by numcodecs, which always shuffles items of four bytes. For items of other
 * sizes, whose bytes that would not sort at all, frames are written here.
 * Source: https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst.
 *
 * @module
 */

import type { Configuration, DataType } from "../data_type.ts";
import type { BytesCodec } from "./codec.ts";
import { decodeSound } from "./damaged.ts";
import {
  checkSize,
  compiledSizes,
  copied,
  loadRegistered,
  type RegisteredCodec,
} from "./registered_codec.ts";
import { shuffleItems } from "./shuffle.ts";

/** The bytes that a signed number of 32 bits counts, beside a header. */
const mostBytes = 2 ** 31 - 17;
const headerBytes = 16;

/** Makes the codec for chunks of so many bytes. Throws a TypeError for a wrong configuration. */
export async function bloscCodec(
  configuration: Configuration,
  type: DataType,
  numBytes: number,
): Promise<BytesCodec> {
  if (numBytes > mostBytes) {
    throw new TypeError(`takes 2 GiB at most, a chunk has ${numBytes} bytes`);
  }
  const shuffle = shuffleIn(configuration["shuffle"] ?? 1, type.itemBytes);
  const { typesize: _, ...settings } = configuration;
  const compiled = await loadRegistered("blosc", { ...settings, shuffle }, type);
  const frames = shuffle === 1 ? await frameSettings(configuration, type) : undefined;
  return {
    ...compiledSizes,
    encode: (bytes) => frames === undefined ? compiled.encode(bytes) : encodeFrame(bytes, frames),
    async decode(bytes, into) {
      checkHeader(bytes, into.length);
      return copied(await decodeSound("blosc", () => compiled.decode(bytes)), into);
    },
  };
}

const shuffles: Readonly<Record<string, number>> = { noshuffle: 0, shuffle: 1, bitshuffle: 2 };

/** 0 for none, 1 for bytes, 2 for bits; -1 chooses by the size of items. */
function shuffleIn(declared: unknown, itemBytes: number): number {
  const number = typeof declared === "string" ? shuffles[declared] : declared;
  if (number === -1) return itemBytes === 1 ? 2 : 1;
  if (number === 0 || number === 1 || number === 2) return number;
  throw new TypeError(`has the shuffle ${JSON.stringify(declared)}`);
}

/** Throws unless a header agrees with the bytes that are there. */
function checkHeader(bytes: Uint8Array, most: number): void {
  if (bytes.length < headerBytes) throw new Error("is shorter than the header of blosc");
  checkSize(bytes, 4, most);
  const numBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  if (numBytes === bytes.length) return;
  throw new Error(`has ${bytes.length} bytes, its blosc header says ${numBytes}`);
}

/** How frames are written here. */
interface FrameSettings {
  readonly typeBytes: number;
  readonly blockBytes: number;
  /** The number of the compressor's format in a header. */
  readonly format: number;
  compress(block: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** Bytes of a block for each byte of an item, unless it is given: twice as far as lz4 looks back. */
const planeBytes = 128 << 10;

/** Undefined where numcodecs does it as well, or knows a compressor that is not known here. */
async function frameSettings(
  configuration: Configuration,
  type: DataType,
): Promise<FrameSettings | undefined> {
  const { cname = "lz4", clevel = 5, blocksize, typesize = type.itemBytes } = configuration;
  const [typeBytes, level, given] = [Number(typesize), Number(clevel), Number(blocksize ?? 0)];
  if (typeBytes === 4 || !(typeBytes > 1 && typeBytes < 256) || level === 0) return undefined;
  const wanted = given > 0 ? given : planeBytes * typeBytes;
  const blockBytes = Math.max(1, Math.floor(wanted / typeBytes)) * typeBytes;
  const common = { typeBytes, blockBytes };
  if (cname === "lz4" || cname === "lz4hc") {
    const acceleration = cname === "lz4" ? 10 - level : 1;
    const lz4: RegisteredCodec = await loadRegistered("lz4", { acceleration }, type);
    // Numcodecs puts the length before a block.
    const compress = async (block: Uint8Array) => (await lz4.encode(block)).subarray(4);
    return { ...common, format: 1, compress };
  }
  const { constants, deflateSync, zstdCompressSync } = await import("node:zlib");
  if (cname === "zlib") {
    return { ...common, format: 3, compress: (block) => deflateSync(block, { level }) };
  }
  if (cname !== "zstd") return undefined;
  const params = { [constants.ZSTD_c_compressionLevel]: zstdLevels[level]! };
  // The library takes less memory where it knows how small a block is.
  const compress = (block: Uint8Array) =>
    zstdCompressSync(block, { params, pledgedSrcSize: block.length });
  return { ...common, format: 4, compress };
}

/** The levels of zstd that c-blosc takes for its own. */
const zstdLevels = [0, 1, 3, 5, 7, 9, 11, 13, 20, 22];

const isShuffled = 1;
const isCopied = 2;
const isNotSplit = 16;

/** Writes a frame: a header, where each block starts, and the blocks, each as one stream. */
async function encodeFrame(bytes: Uint8Array, settings: FrameSettings): Promise<Uint8Array> {
  const { typeBytes, format } = settings;
  const blockBytes = Math.min(settings.blockBytes, bytes.length);
  const numBlocks = bytes.length === 0 ? 0 : Math.ceil(bytes.length / blockBytes);
  // What would be longer than a copy is one.
  const frame = new Uint8Array(headerBytes + bytes.length);
  const view = new DataView(frame.buffer);
  const shuffled = new Uint8Array(blockBytes);
  let at = headerBytes + 4 * numBlocks;
  for (let block = 0; block < numBlocks && at < frame.length; block++) {
    const items = bytes.subarray(block * blockBytes, (block + 1) * blockBytes);
    const planes = shuffled.subarray(0, items.length);
    shuffleItems(items, planes, typeBytes);
    const packed = await settings.compress(planes);
    const stored = packed.length < planes.length ? packed : planes;
    view.setUint32(headerBytes + 4 * block, at, true);
    if (at + 4 + stored.length < frame.length) {
      view.setUint32(at, stored.length, true);
      frame.set(stored, at + 4);
    }
    at += 4 + stored.length;
  }
  const isShorter = at < frame.length;
  if (!isShorter) frame.set(bytes, headerBytes);
  const flags = (format << 5) | (isShorter ? isShuffled | isNotSplit : isCopied);
  frame.set([2, 1, flags, typeBytes]);
  const numBytes = isShorter ? at : frame.length;
  view.setUint32(4, bytes.length, true);
  view.setUint32(8, blockBytes, true);
  view.setUint32(12, numBytes, true);
  return frame.subarray(0, numBytes);
}
