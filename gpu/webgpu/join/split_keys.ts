/**
 * Divides the keys of a build side by their hash into parts whose tables fit the device.
 *
 * @module
 */

import type { KeyType } from "../../backend.ts";
import { columnBytes, type HostColumn, isNull, stringDataBytes } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { planWindows } from "../transfer/upload.ts";
import { hashInt32, hashInt64, hashText, partOfHash } from "./join_hash.ts";

/**
 * Returns the binary logarithm of the words of a slot: a number, and the key or its hash and place.
 */
export function slotShift(keyType: KeyType): 1 | 2 {
  return keyType.kind === "int" && keyType.bits === 32 ? 1 : 2;
}

/** The keys of one part. */
export interface KeyPart {
  readonly key: HostColumn;
  /** For each key, its row of the build side; null if the part has all rows. */
  readonly rows: Int32Array | null;
  readonly numSlots: number;
  /** Whether there are fewer slots than all keys would need if they were different. */
  readonly isCapped: boolean;
}

/** The most parts of a build side. */
const MOST_PARTS = 256;

/** Returns the number of parts to start with: the fewest that can fit. */
export function fewestParts(
  { windowBytes }: WebGpuContext,
  key: HostColumn,
  keyType: KeyType,
): number {
  const slotBytes = 4 << slotShift(keyType);
  const textBytes = key.offsets === null ? 0 : stringDataBytes(key) + 4 * key.length;
  const wanted = Math.max(2 * slotBytes * key.length, textBytes) / windowBytes;
  return powerOfTwo(Math.ceil(wanted), 1);
}

/**
 * Divides the keys into `numParts` parts, a power of two, or into more if they do not fit. Returns
 * null where the rows of some part do not fit a window even so: all rows of a key are in one part.
 */
export function splitKeys(
  context: WebGpuContext,
  key: HostColumn,
  keyType: KeyType,
  numParts: number,
  seed: number,
): KeyPart[] | null {
  for (let tried = numParts; tried <= MOST_PARTS; tried *= 2) {
    const parts = tried === 1 ? [{ key, rows: null }] : divide(key, keyType, tried, seed);
    const fit = parts.every((part) =>
      (planWindows(part.key, context.windowBytes)?.length ?? 2) < 2
    );
    if (fit) return parts.map((part) => ({ ...part, ...planSlots(context, part.key, keyType) }));
  }
  return null;
}

function planSlots(
  { windowBytes }: WebGpuContext,
  { length }: HostColumn,
  keyType: KeyType,
): Pick<KeyPart, "numSlots" | "isCapped"> {
  const wanted = powerOfTwo(2 * length, 2);
  const most = powerOfTwo(Math.floor(windowBytes / (4 << slotShift(keyType))) + 1, 2) / 2;
  return { numSlots: Math.min(wanted, most), isCapped: wanted > most };
}

/**
 * Estimates the bytes that the index of a key takes while it is built: keys, slots, and eight words
 * a row.
 */
export function indexBytes(key: HostColumn, keyType: KeyType): number {
  const slotBytes = 4 << slotShift(keyType);
  return columnBytes(key) + slotBytes * powerOfTwo(2 * key.length, 2) + 32 * key.length;
}

/**
 * Returns the smallest power of two that is at least `wanted` and at least `least`, a power of two
 * itself.
 */
function powerOfTwo(wanted: number, least: number): number {
  let power = least;
  while (power < wanted) power *= 2;
  return power;
}

function divide(
  key: HostColumn,
  keyType: KeyType,
  numParts: number,
  seed: number,
): Pick<KeyPart, "key" | "rows">[] {
  const parts = partOfRows(key, keyType, numParts, seed);
  const sizes = new Int32Array(numParts);
  for (const part of parts) sizes[part]!++;
  const rows = Array.from(sizes, (size) => new Int32Array(size));
  const next = new Int32Array(numParts);
  parts.forEach((part, row) => rows[part]![next[part]!++] = row);
  return rows.map((rows) => ({ key: gatherColumn(key, rows, { mayMiss: false }), rows }));
}

/** Returns the part of each row; null keys are in the first. */
function partOfRows(
  key: HostColumn,
  keyType: KeyType,
  numParts: number,
  seed: number,
): Uint16Array {
  const parts = new Uint16Array(key.length);
  const each = (row: number, hash: number) => {
    if (!isNull(key, row)) parts[row] = partOfHash(hash, numParts);
  };
  if (keyType.kind === "string") {
    const { offsets, data } = key;
    for (let row = 0; row < key.length; row++) {
      each(row, hashText(data, offsets![row]!, offsets![row + 1]!, seed));
    }
    return parts;
  }
  const width = keyType.bits === 64 ? 2 : 1;
  const read = readIntKeys(key, width);
  for (let start = 0; start < key.length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, key.length);
    const { words, at } = read(start, stop);
    for (let row = start, word = at; row < stop; row++, word += width) {
      const low = words[word]!;
      each(row, width === 1 ? hashInt32(low, seed) : hashInt64(low, words[word + 1]!, seed));
    }
  }
  return parts;
}
