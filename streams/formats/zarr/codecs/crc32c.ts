/**
 * The codec "crc32c": a checksum of four bytes after the data (RFC 3720).
 *
 * @module
 */

import { crc32c } from "../../../bytes/crc.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { decodeToSize } from "./decode_to_size.ts";

const sumBytes = 4;

/** Appends the checksum, and verifies it when it decodes. */
export const crc32cCodec: BytesCodec = {
  isFixed: true,
  encodedBytes: (numBytes) => numBytes + sumBytes,
  decodeScratch: () => 0,
  encodeScratch: () => 0,
  encode(bytes, target) {
    const encoded = target.subarray(0, bytes.length + sumBytes);
    encoded.set(bytes);
    viewOf(encoded).setUint32(bytes.length, crc32c(bytes), true);
    return encoded;
  },
  decode(bytes, into) {
    const numBytes = bytes.length - sumBytes;
    if (numBytes < 0) throw new Error(`has ${bytes.length} bytes, too few for a checksum`);
    if (numBytes > into.length) throw new Error(`decodes to more than ${into.length} bytes`);
    const content = bytes.subarray(0, numBytes);
    if (crc32c(content) !== viewOf(bytes).getUint32(numBytes, true)) {
      throw new Error("has a checksum that does not match its bytes");
    }
    into.set(content);
    return numBytes;
  },
  decodeBounded: (bytes, mostBytes) =>
    decodeToSize(bytes, mostBytes, {
      ...{ format: "crc32c", decode: crc32cCodec.decode },
      sizeOf: ({ length }) => Math.max(0, length - sumBytes),
    }),
};

export const crc32cChecksum: BytesToBytes = { kind: "bytes->bytes", make: () => crc32cCodec };

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
