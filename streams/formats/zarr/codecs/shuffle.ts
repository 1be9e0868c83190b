/**
 * The filter "shuffle" of numcodecs: the first bytes of all elements, then the second ones.
 *
 * @module
 */

import type { Configuration } from "../metadata/data_type.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { decodeToSize } from "./decode_to_size.ts";
import { shortJson } from "../metadata/short_json.ts";

export const shuffle: BytesToBytes = { kind: "bytes->bytes", make: shuffleCodec };

/** Shuffles elements of `elementsize` bytes. */
function shuffleCodec(configuration: Configuration): BytesCodec {
  const elementBytes = Number(configuration["elementsize"] ?? 4);
  if (!(Number.isInteger(elementBytes) && elementBytes > 0)) {
    throw new TypeError(`has the elementsize ${shortJson(configuration["elementsize"])}`);
  }
  const check = ({ length }: Uint8Array) => {
    if (length % elementBytes === 0) return;
    throw new Error(`cannot shuffle ${length} bytes as elements of ${elementBytes}`);
  };
  const decode = (bytes: Uint8Array, into: Uint8Array) => {
    check(bytes);
    if (bytes.length > into.length) throw new Error(`decodes to more than ${into.length} bytes`);
    unshuffleItems(bytes, into, elementBytes);
    return bytes.length;
  };
  return {
    isFixed: true,
    encodedBytes: (numBytes) => numBytes,
    decodeScratch: () => 0,
    encodeScratch: () => 0,
    encode(bytes, target) {
      check(bytes);
      const into = target.subarray(0, bytes.length);
      shuffleItems(bytes, into, elementBytes);
      return into;
    },
    decode,
    decodeBounded: (bytes, mostBytes) =>
      decodeToSize(bytes, mostBytes, { format: "shuffle", sizeOf: ({ length }) => length, decode }),
  };
}

/** Writes the first bytes of all items, then the second ones; bytes after the last item stay. */
export function shuffleItems(bytes: Uint8Array, into: Uint8Array, itemBytes: number): void {
  const numItems = Math.floor(bytes.length / itemBytes);
  for (let part = 0, to = 0; part < itemBytes; part++) {
    for (let i = 0, from = part; i < numItems; i++, from += itemBytes) into[to++] = bytes[from]!;
  }
  into.set(bytes.subarray(numItems * itemBytes), numItems * itemBytes);
}

/** Restores the order of bytes. */
export function unshuffleItems(planes: Uint8Array, into: Uint8Array, itemBytes: number): void {
  const numItems = Math.floor(planes.length / itemBytes);
  for (let part = 0, from = 0; part < itemBytes; part++) {
    for (let i = 0, to = part; i < numItems; i++, to += itemBytes) into[to] = planes[from++]!;
  }
  into.set(planes.subarray(numItems * itemBytes), numItems * itemBytes);
}
