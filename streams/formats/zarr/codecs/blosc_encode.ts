/**
 * Writes frames of blosc block by block.
 *
 * @module
 */

import type { Configuration, DataType } from "../metadata/data_type.ts";
import { movedTo } from "../items/free_bytes.ts";
import { shuffleBits } from "./bit_shuffle.ts";
import { bloscFlags, bloscFormats, headerBytes, writeHeader } from "./blosc_header.ts";
import { codeInOneCall, oneCallOptions } from "./one_call.ts";
import { loadRegistered } from "./registered_codec.ts";
import { shuffleItems } from "./shuffle.ts";
import { shortJson } from "../metadata/short_json.ts";

/** The settings for writing frames. */
interface BloscSettings {
  readonly typeBytes: number;
  /** The kind of shuffle: 0 none, 1 bytes, 2 bits. */
  readonly shuffle: 0 | 1 | 2;
  readonly blockBytes: number;
  /** The number of the compressor's format in the header. */
  readonly format: number;
  /** Compresses a block into `target`, which has `packedBytes` of the block's size, or into another buffer. */
  compress(block: Uint8Array, target: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** The default bytes of a block for each byte of an item: twice the window of lz4. */
const planeBytes = 128 << 10;
/** The greatest default size of a block. */
const mostBlockBytes = 2 << 20;

/** Reads settings; undefined for a compressor that only numcodecs has. */
export async function bloscSettings(
  configuration: Configuration,
  shuffle: 0 | 1 | 2,
  type: DataType,
): Promise<BloscSettings | undefined> {
  const { cname = "lz4", clevel = 5, blocksize, typesize = type.itemBytes } = configuration;
  // The header stores the size in eight bits.
  const typeBytes = Number(typesize) > 0 && Number(typesize) < 256 ? Number(typesize) : 1;
  const given = Number(blocksize ?? 0);
  const wanted = given > 0 ? given : Math.min(mostBlockBytes, planeBytes * typeBytes);
  // Bits are shuffled for eight items at a time.
  const unit = 8 * typeBytes;
  const common = { typeBytes, shuffle, blockBytes: Math.max(1, Math.floor(wanted / unit)) * unit };
  const level = Number(clevel);
  if (!(Number.isInteger(level) && level >= 0 && level <= 9)) {
    throw new TypeError(`has the clevel ${shortJson(clevel)}`);
  }
  // A compressed block that is not shorter than its input is stored as a copy.
  if (level === 0) return { ...common, format: bloscFormats.lz4, compress: (block) => block };
  switch (cname) {
    case "lz4":
    case "lz4hc": {
      const acceleration = cname === "lz4" ? 10 - level : 1;
      const lz4 = await loadRegistered("lz4", { acceleration }, type);
      // numcodecs writes the length before a block.
      const compress = async (block: Uint8Array, target: Uint8Array) =>
        movedTo(target, await lz4.encode(block), block).subarray(4);
      return { ...common, format: bloscFormats.lz4, compress };
    }
    case "zlib": {
      const { constants, createDeflate, deflateSync } = await import("node:zlib");
      const compress = (input: Uint8Array, output: Uint8Array) => {
        const call = { input, output, finish: constants.Z_FINISH };
        const size = codeInOneCall(createDeflate({ level, ...oneCallOptions }), call);
        return size === undefined ? deflateSync(input, { level }) : output.subarray(0, size);
      };
      return { ...common, format: bloscFormats.zlib, compress };
    }
    case "zstd": {
      const { constants, createZstdCompress, zstdCompressSync } = await import("node:zlib");
      const params = { [constants.ZSTD_c_compressionLevel]: zstdLevels[level]! };
      // The library takes less memory if it knows the size of a block.
      const compress = (input: Uint8Array, output: Uint8Array) => {
        const options = { params, pledgedSrcSize: input.length };
        const call = { input, output, finish: constants.ZSTD_e_end, isEncoder: true };
        const size = codeInOneCall(createZstdCompress({ ...options, ...oneCallOptions }), call);
        return size === undefined ? zstdCompressSync(input, options) : output.subarray(0, size);
      };
      return { ...common, format: bloscFormats.zstd, compress };
    }
    default:
      return undefined;
  }
}

/** The levels of zstd for c-blosc's levels. */
const zstdLevels = [0, 1, 3, 5, 7, 9, 11, 13, 20, 22];

/** Returns the bytes to reserve for a compressed block, which may be longer than its input. */
const packedBytes = (numBytes: number) => numBytes + Math.ceil(numBytes / 7) + 1024;

/**
 * Writes a frame into a buffer that can hold a copy of the bytes after a header. The frame has the offset
 * of each block, then the blocks, each as one stream.
 */
export async function encodeBlosc(
  bytes: Uint8Array,
  settings: BloscSettings,
  target: Uint8Array,
): Promise<Uint8Array> {
  const { typeBytes, format, shuffle } = settings;
  const blockBytes = Math.min(settings.blockBytes, bytes.length);
  const numBlocks = bytes.length === 0 ? 0 : Math.ceil(bytes.length / blockBytes);
  // A frame that would be longer than a copy is written as a copy.
  const frame = target.subarray(0, headerBytes + bytes.length);
  const view = new DataView(frame.buffer, frame.byteOffset);
  const scratch = new Uint8Array((shuffle === 0 ? 0 : blockBytes) + packedBytes(blockBytes));
  const packedTarget = scratch.subarray(scratch.length - packedBytes(blockBytes));
  const sorted = scratch.subarray(0, scratch.length - packedTarget.length);
  let at = headerBytes + 4 * numBlocks;
  for (let block = 0; block < numBlocks && at < frame.length; block++) {
    const items = bytes.subarray(block * blockBytes, (block + 1) * blockBytes);
    const planes = shuffle === 0 ? items : sorted.subarray(0, items.length);
    if (shuffle === 1) shuffleItems(items, planes, typeBytes);
    if (shuffle === 2) shuffleBits(items, planes, typeBytes);
    const packed = await settings.compress(planes, packedTarget);
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
  const sorting = [0, bloscFlags.shuffled, bloscFlags.bitShuffled][shuffle]!;
  const flags = (format << 5) | (isShorter ? sorting | bloscFlags.notSplit : bloscFlags.copied);
  scratch.buffer.transfer(0);
  const frameBytes = isShorter ? at : frame.length;
  writeHeader(frame, { flags, typeBytes, numBytes: bytes.length, blockBytes, frameBytes });
  return frame.subarray(0, frameBytes);
}
