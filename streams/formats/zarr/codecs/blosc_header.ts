/**
 * The header of a blosc frame: sixteen bytes.
 * Source: https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst.
 *
 * @module
 */

/** The fields of a header. */
export interface BloscHeader {
  /** The compressor and the transformations of the items, as bits. */
  readonly flags: number;
  readonly typeBytes: number;
  /** The number of decoded bytes. */
  readonly numBytes: number;
  /** The number of decoded bytes of every block but the last. */
  readonly blockBytes: number;
  /** The number of bytes of the frame. */
  readonly frameBytes: number;
}

/** The number of bytes of a header. */
export const headerBytes = 16;

/** The bits of `flags`, besides the compressor's format in the highest three. */
export const bloscFlags = { shuffled: 1, copied: 2, bitShuffled: 4, notSplit: 16 } as const;
/** The formats of compressors. */
export const bloscFormats = { blosclz: 0, lz4: 1, snappy: 2, zlib: 3, zstd: 4 } as const;

const formatVersion = 2;

/** Writes a header at the start of a frame. */
export function writeHeader(frame: Uint8Array, header: BloscHeader): void {
  const view = new DataView(frame.buffer, frame.byteOffset);
  frame.set([formatVersion, 1, header.flags, header.typeBytes]);
  view.setUint32(4, header.numBytes, true);
  view.setUint32(8, header.blockBytes, true);
  view.setUint32(12, header.frameBytes, true);
}

/** Reads a header. Throws where it does not agree with the frame. */
export function readHeader(frame: Uint8Array): BloscHeader {
  if (frame.length < headerBytes) throw new Error("its header is incomplete");
  const view = new DataView(frame.buffer, frame.byteOffset);
  const [version, , flags, typeBytes] = frame;
  const frameBytes = view.getUint32(12, true);
  if (frameBytes !== frame.length) {
    throw new Error(`it has ${frame.length} bytes, but its header states ${frameBytes}`);
  }
  if (version! > formatVersion) throw new Error(`unsupported format version ${version}`);
  const header = {
    flags: flags!,
    typeBytes: Math.max(1, typeBytes!),
    numBytes: view.getUint32(4, true),
    blockBytes: view.getUint32(8, true),
    frameBytes,
  };
  if (header.numBytes > 0 && header.blockBytes === 0) {
    throw new Error("blocks of 0 bytes");
  }
  return header;
}
