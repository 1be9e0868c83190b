/**
 * Looks up the keys of a batch in a table.
 *
 * @module
 */

import type { TableKernels } from "./kernels/instance.ts";
import type { IndexPlaces } from "./index_places.ts";
import type { Work } from "./work.ts";

/** A table for lookups, as plain data for threads. */
export interface SearchedTable {
  readonly index: IndexPlaces;
  /** The row + 1 that null keys match; 0 if they match nothing. */
  readonly nullRow: number;
  /**
   * The place of a byte for each row + 1, which is set once a key matched it; 0 if they are not
   * needed.
   */
  readonly matched: number;
}

/** Keys in the memory of the thread: the places of their arrays, 0 for those that they lack. */
interface PlacedKeys {
  readonly data: number;
  readonly offsets: number;
  readonly validity: number;
}

/** The number of rows whose memory accesses overlap. */
const BLOCK = 512;
/**
 * The bytes of a table above which it does not stay in the cache, so kernels touch its slots ahead.
 */
const CACHE_BYTES = 1 << 20;

/** Looks up keys in a table. Returns the place of the row + 1 that each matches, 0 for none. */
export function findRows(
  work: Work,
  { index, nullRow, matched }: SearchedTable,
  kernels: TableKernels,
  key: PlacedKeys,
  numRows: number,
): number {
  const found = work.area("found", 4 * numRows);
  if (index.kind === "text") findTexts(work, kernels, index, key.offsets, key.data, numRows, found);
  else if (index.kind === "dense") {
    const { rows, numValues, least: { low, high } } = index;
    const end = key.data + 4 * index.width * numRows;
    if (index.width === 1) kernels.findDense1!(key.data, end, rows, numValues, low, found);
    else kernels.findDense2!(key.data, end, rows, numValues, low, high, found);
  } else if (index.packs !== null) findPacked(work, kernels, index, key, numRows, found);
  else findWords(kernels, index, key.data, numRows, found);
  if (key.validity !== 0) kernels.setNulls!(key.validity, numRows, nullRow, found);
  if (matched !== 0) kernels.noteFound!(found, found + 4 * numRows, matched);
  return found;
}

function findWords(
  kernels: TableKernels,
  { width, slots, numBytes, shift, factors }: IndexPlaces & { readonly kind: "hash" },
  keys: number,
  numRows: number,
  found: number,
): void {
  const findKeys = kernels[`findWords${width}`]!;
  const touch = kernels[`touchWords${width}`]!;
  const size = 4 * width;
  const [factor0, factor1, factor2] = factors;
  const step = numBytes > CACHE_BYTES ? BLOCK : numRows;
  for (let start = 0; start < numRows; start += step) {
    const stop = Math.min(start + step, numRows);
    const [at, end] = [keys + size * start, keys + size * stop];
    if (step < numRows) touch(at, end, slots, shift, factor0, factor1, factor2);
    const to = found + 4 * start;
    findKeys(at, end, slots, numBytes - 1, shift, factor0, factor1, factor2, to);
  }
}

function findPacked(
  work: Work,
  kernels: TableKernels,
  index: IndexPlaces & { readonly kind: "hash" },
  { offsets, data }: PlacedKeys,
  numRows: number,
  found: number,
): void {
  const packed = work.area("words", 4 * index.width * numRows);
  const list = work.area("list", 4 * numRows + 4);
  const end = offsets + 4 * numRows;
  const numListed = index.packs === "pairs"
    ? kernels.packPairs!(data, data + 8 * numRows, packed, list)
    : kernels.packText!(offsets, end, data, 4 * index.width, packed, list);
  findWords(kernels, index, packed, numRows, found);
  if (numListed > 0) kernels.clearRows!(list, list + 4 * numListed, found);
}

function findTexts(
  work: Work,
  kernels: TableKernels,
  { slots, numBytes, shift, seed }: IndexPlaces & { readonly kind: "text" },
  offsets: number,
  data: number,
  numRows: number,
  found: number,
): void {
  const hashes = work.area("words", 4 * numRows);
  kernels.hashTexts!(offsets, offsets + 4 * numRows, data, seed, hashes);
  const step = numBytes > CACHE_BYTES ? BLOCK : numRows;
  for (let start = 0; start < numRows; start += step) {
    const stop = Math.min(start + step, numRows);
    const [at, end] = [hashes + 4 * start, hashes + 4 * stop];
    if (step < numRows) {
      kernels.touchSlots!(at, end, slots, shift);
      kernels.touchTexts!(at, end, slots, shift);
    }
    const [from, to] = [offsets + 4 * start, found + 4 * start];
    kernels.findTexts!(at, end, slots, numBytes - 1, shift, from, data, to);
  }
}
