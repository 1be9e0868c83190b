/**
 * The format of the codecs "vlen-utf8" and "vlen-bytes": the number of items, then for each its length
 * and its bytes. Numbers are uint32 in little-endian order.
 * Source: https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8.
 *
 * @module
 */

import { firstInvalid } from "../../../text/valid_utf8.ts";
import type { VariableItems } from "./array.ts";
import { dataBytes, mostDataBytes } from "./variable_items.ts";

/** The number of bytes of a number. */
const lengthBytes = 4;
/** The greatest number of bytes of an encoded chunk, less than the codecs after this one accept. */
const mostBytes = 2 ** 31 - 17;

/** The kinds of items. */
type ItemKind = "string" | "bytes";

/**
 * Reads all items of a chunk. They share the memory of `bytes`, in which they are moved together. Throws
 * an Error whose message is a clause about the chunk.
 */
export function decodeItems(bytes: Uint8Array, numItems: number, kind: ItemKind): VariableItems {
  if (bytes.length < lengthBytes) {
    throw new Error(`has ${bytes.length} bytes, too few for its number of items`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const declared = view.getUint32(0, true);
  if (declared !== numItems) {
    throw new Error(`states ${declared} items, but a chunk has ${numItems}`);
  }
  if (bytes.length < lengthBytes * (numItems + 1)) {
    throw new Error(`has ${bytes.length} bytes, too few for ${numItems} items`);
  }
  const offsets = new Int32Array(numItems + 1);
  let from = lengthBytes;
  let to = 0;
  for (let item = 0; item < numItems; item++) {
    if (from + lengthBytes > bytes.length) {
      throw new Error(`ends before item ${item} of ${numItems}`);
    }
    const length = view.getUint32(from, true);
    from += lengthBytes;
    if (length > bytes.length - from) {
      throw new Error(
        `has an item ${item} of ${length} bytes, but only ${bytes.length - from} are left`,
      );
    }
    if (to + length > mostDataBytes) throw new Error("has items of 2 GiB or more");
    move(bytes, to, from, length);
    from += length;
    offsets[item + 1] = to += length;
  }
  if (from < bytes.length) throw new Error(`has ${bytes.length - from} bytes after its last item`);
  const items = { offsets, data: bytes.subarray(0, to) };
  checkItems(items, kind);
  return items;
}

/** Throws where an item of text is not valid UTF-8. */
export function checkItems(items: VariableItems, kind: ItemKind): void {
  const invalid = kind === "string" ? firstInvalid(items) : -1;
  if (invalid >= 0) throw new Error(`has an item ${invalid} that is not UTF-8`);
}

/** Encodes items. Throws where they are too large for one chunk. */
export function encodeItems(items: VariableItems): Uint8Array<ArrayBuffer> {
  const { offsets, data } = items;
  const numItems = offsets.length - 1;
  const numBytes = lengthBytes * (numItems + 1) + dataBytes(items);
  if (numBytes > mostBytes) {
    throw new Error(`gets ${numBytes} bytes, but a chunk must have less than 2 GiB`);
  }
  const encoded = new Uint8Array(numBytes);
  const view = new DataView(encoded.buffer);
  view.setUint32(0, numItems, true);
  let to = lengthBytes;
  for (let item = 0; item < numItems; item++) {
    const start = offsets[item]!;
    const length = offsets[item + 1]! - start;
    view.setUint32(to, length, true);
    copy(data, start, encoded, to += lengthBytes, length);
    to += length;
  }
  return encoded;
}

/** Items of at most this size are copied byte by byte. */
const shortBytes = 32;

/** Moves bytes to an earlier position. */
function move(bytes: Uint8Array, to: number, from: number, length: number): void {
  if (length > shortBytes) bytes.copyWithin(to, from, from + length);
  else for (let i = 0; i < length; i++) bytes[to + i] = bytes[from + i]!;
}

function copy(from: Uint8Array, start: number, into: Uint8Array, to: number, length: number): void {
  if (length > shortBytes) into.set(from.subarray(start, start + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[start + i]!;
}
