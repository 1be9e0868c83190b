/**
 * Decodes frames of blosc block by block, without a copy of the whole.
 *
 * @module
 */

import { decodeLz4Block } from "../../../bytes/codecs/lz4.ts";
import { unshuffleBits } from "./bit_shuffle.ts";
import { decodeBlosclz } from "./blosclz.ts";
import {
  bloscFlags,
  bloscFormats,
  type BloscHeader,
  headerBytes,
  readHeader,
} from "./blosc_header.ts";
import { codeInOneCall, oneCallOptions } from "./one_call.ts";
import { unshuffleItems } from "./shuffle.ts";
import { decodeSnappy } from "../../../bytes/codecs/snappy.ts";

/** Decodes a compressed block into a buffer; false where the block does not fill it exactly. */
type Decompress = (packed: Uint8Array, into: Uint8Array) => boolean;

/** Returns a function that decodes a frame into a buffer and returns the number of bytes written. */
export async function bloscDecoder(): Promise<(frame: Uint8Array, into: Uint8Array) => number> {
  const zlib = await import("node:zlib");
  const { Z_FINISH, ZSTD_e_end } = zlib.constants;
  const options = ({ length }: Uint8Array) => ({ maxOutputLength: Math.max(64, length + 1) });
  const decompressors: Readonly<Record<number, Decompress>> = {
    [bloscFormats.blosclz]: (packed, into) => decodeBlosclz(packed, into) === into.length,
    [bloscFormats.lz4]: (packed, into) => decodeLz4Block(packed, into, 0) === into.length,
    [bloscFormats.snappy]: (packed, into) => decodeSnappy(packed, into) === into.length,
    [bloscFormats.zlib]: (input, output) =>
      codeInOneCall(zlib.createInflate(oneCallOptions), { input, output, finish: Z_FINISH }) ===
        output.length ||
      fill(zlib.inflateSync(input, options(output)), output),
    [bloscFormats.zstd]: (input, output) =>
      codeInOneCall(zlib.createZstdDecompress(oneCallOptions), {
          input,
          output,
          finish: ZSTD_e_end,
        }) ===
        output.length || fill(zlib.zstdDecompressSync(input, options(output)), output),
  };
  return (frame, into) => {
    const header = readHeader(frame);
    const { flags, numBytes } = header;
    if (numBytes > into.length) throw new Error(`it decodes to more than ${into.length} bytes`);
    const out = into.subarray(0, numBytes);
    if ((flags & bloscFlags.copied) !== 0) {
      if (frame.length !== headerBytes + numBytes) throw damaged();
      out.set(frame.subarray(headerBytes));
      return numBytes;
    }
    const decompress = decompressors[flags >> 5];
    if (decompress === undefined) throw new Error(`unknown compressor ${flags >> 5}`);
    decodeBlocks(frame, header, out, decompress);
    return numBytes;
  };
}

function fill(bytes: Uint8Array, into: Uint8Array): boolean {
  if (bytes.length !== into.length) return false;
  into.set(bytes);
  return true;
}

function decodeBlocks(
  frame: Uint8Array,
  { flags, typeBytes, blockBytes }: BloscHeader,
  out: Uint8Array,
  decompress: Decompress,
): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const isShuffled = (flags & bloscFlags.shuffled) !== 0 && typeBytes > 1;
  const areBits = (flags & bloscFlags.bitShuffled) !== 0;
  const planes = new Uint8Array(isShuffled || areBits ? Math.min(blockBytes, out.length) : 0);
  for (let first = 0, block = 0; first < out.length; first += blockBytes, block++) {
    const items = out.subarray(first, first + blockBytes);
    const target = planes.length > 0 ? planes.subarray(0, items.length) : items;
    const start = headerBytes + 4 * block;
    if (start + 4 > frame.length) throw damaged();
    const isWhole = items.length === blockBytes;
    const numParts = isWhole ? partsOf(flags, typeBytes, blockBytes) : 1;
    decodeParts(frame, view, view.getUint32(start, true), target, numParts, decompress);
    if (areBits) unshuffleBits(target, items, typeBytes);
    else if (isShuffled) unshuffleItems(target, items, typeBytes);
  }
  planes.buffer.transfer(0);
}

/** A block splits into a stream for each byte of an item only within these limits. */
const mostParts = 16;
const leastPartBytes = 128;

/** Returns the number of streams in a whole block. */
function partsOf(flags: number, typeBytes: number, blockBytes: number): number {
  const isSplit = (flags & bloscFlags.notSplit) === 0 && typeBytes <= mostParts &&
    Math.floor(blockBytes / typeBytes) >= leastPartBytes;
  return isSplit ? typeBytes : 1;
}

/** Decodes the streams of a block. A length precedes each; a stream as long as its output is a copy. */
function decodeParts(
  frame: Uint8Array,
  view: DataView,
  start: number,
  target: Uint8Array,
  numParts: number,
  decompress: Decompress,
): void {
  const partBytes = Math.floor(target.length / numParts);
  let at = start;
  for (let part = 0; part < numParts; part++) {
    if (at + 4 > frame.length) throw damaged();
    const length = view.getUint32(at, true);
    at += 4;
    if (length > frame.length - at) throw damaged();
    const packed = frame.subarray(at, at += length);
    const into = target.subarray(part * partBytes, (part + 1) * partBytes);
    if (length === partBytes) into.set(packed);
    else if (!decompress(packed, into)) throw damaged();
  }
}

function damaged(): Error {
  return new Error("a corrupt block");
}
