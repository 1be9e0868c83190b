/**
 * Decodes and encodes the levels of a page: definition levels say which values are null, repetition
 * levels which continue a list.
 *
 * Format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 *
 * @module
 */

import { PageFactError } from "../../../../base/errors/data_error.ts";

/** Returns the bits of a level. */
function levelBits(most: number): number {
  return 32 - Math.clz32(most);
}

/** Consecutive levels: a run of one level, or packed integers. */
interface LevelRun {
  readonly count: number;
  readonly level: number;
  readonly packed: Uint8Array | undefined;
  /** The number of levels in the run, of which `count` are wanted. */
  readonly room: number;
  /** The byte at which the run ends. */
  readonly stop: number;
}

/** Yields the runs of the first `count` levels. Throws a PageFactError if there are fewer. */
function* levelRuns(
  bytes: Uint8Array,
  most: number,
  count: number,
): Generator<LevelRun, void, void> {
  const width = levelBits(most);
  let position = 0;
  for (let done = 0; done < count;) {
    let header = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[position++];
      if (byte === undefined || scale > 2 ** 28) throw tooFew(done, count);
      header += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const length = Math.floor(header / 2);
    const isPacked = header % 2 === 1;
    const packed = isPacked ? bytes.subarray(position, position + length * width) : undefined;
    const room = packed === undefined ? length : Math.floor(packed.length * 8 / width);
    // A level takes one byte: no file has more than 255 levels.
    const level = isPacked ? 0 : bytes[position]!;
    if (room === 0 && position >= bytes.length || level === undefined) throw tooFew(done, count);
    position += isPacked ? length * width : 1;
    const own = Math.min(room, count - done);
    yield { count: own, level, packed, room, stop: position };
    done += own;
  }
}

/**
 * Decodes `count` levels from runs and packed integers. Throws a PageFactError if there are fewer.
 */
export function hybridLevels(bytes: Uint8Array, most: number, count: number): Uint8Array {
  const levels = new Uint8Array(count);
  let done = 0;
  for (const { count: own, level, packed } of levelRuns(bytes, most, count)) {
    if (packed === undefined) levels.fill(level, done, done + own);
    else unpack(packed, levelBits(most), levels.subarray(done, done + own));
    done += own;
  }
  return levels;
}

/**
 * Returns the first of `count` levels, and the number of levels that equal `value`. Throws a
 * PageFactError if there are fewer.
 */
export function countHybrid(
  bytes: Uint8Array,
  most: number,
  count: number,
  value: number,
): { readonly first: number | undefined; readonly found: number } {
  const width = levelBits(most);
  const table = 8 % width === 0 ? tableOf(width, value) : undefined;
  let first: number | undefined;
  let found = 0;
  for (const { count: own, level, packed } of levelRuns(bytes, most, count)) {
    if (packed === undefined) {
      first ??= level;
      if (level === value) found += own;
      continue;
    }
    first ??= packed[0]! & (1 << width) - 1;
    // Whole bytes at a time, where no level crosses a byte.
    const whole = table === undefined ? 0 : Math.floor(own * width / 8);
    for (let at = 0; at < whole; at++) found += table![packed[at]!]!;
    const rest = new Uint8Array(own - whole * 8 / width);
    unpack(packed.subarray(whole), width, rest);
    found += countLevels(rest, value);
  }
  return { first, found };
}

/**
 * Whether there are exactly `count` levels, apart from zeros that pad packed integers. Throws a
 * PageFactError if there are fewer.
 */
export function endsWithLevels(bytes: Uint8Array, most: number, count: number): boolean {
  let last: LevelRun | undefined;
  for (const run of levelRuns(bytes, most, count)) last = run;
  if (last === undefined) return bytes.length === 0;
  const { count: own, room, packed, stop } = last;
  if (stop < bytes.length || room - own > 7) return false;
  if (packed === undefined) return room === own;
  const levels = new Uint8Array(room);
  unpack(packed, levelBits(most), levels);
  return countLevels(levels.subarray(own), 0) === room - own;
}

const tables = new Map<number, Uint8Array>();

/** Returns for each byte the number of levels of `width` bits in it that equal `value`. */
function tableOf(width: number, value: number): Uint8Array {
  const key = width * 256 + value;
  let table = tables.get(key);
  if (table === undefined) {
    const levels = new Uint8Array(8 / width);
    table = Uint8Array.from({ length: 256 }, (_, byte) => {
      unpack(Uint8Array.of(byte), width, levels);
      return countLevels(levels, value);
    });
    tables.set(key, table);
  }
  return table;
}

/** Unpacks integers of `width` bits, stored from the least significant bit of each byte on. */
function unpack(bytes: Uint8Array, width: number, levels: Uint8Array): void {
  const mask = (1 << width) - 1;
  for (let index = 0, bit = 0; index < levels.length; index++, bit += width) {
    const at = bit >>> 3;
    const both = bytes[at]! | (bytes[at + 1] ?? 0) << 8;
    levels[index] = both >>> (bit & 7) & mask;
  }
}

/** Returns the bytes of `count` levels in the old encoding. */
export function oldLevelBytes(most: number, count: number): number {
  return Math.ceil(count * levelBits(most) / 8);
}

/**
 * Decodes levels of the old encoding BIT_PACKED, stored from the most significant bit of each byte
 * on. Throws a PageFactError if there are too few.
 */
export function oldLevels(bytes: Uint8Array, most: number, count: number): Uint8Array {
  const width = levelBits(most);
  if (bytes.length < oldLevelBytes(most, count)) {
    throw tooFew(Math.floor(8 * bytes.length / width), count);
  }
  const mask = (1 << width) - 1;
  const levels = new Uint8Array(count);
  for (let index = 0, bit = 0; index < count; index++, bit += width) {
    const at = bit >>> 3;
    const both = bytes[at]! << 8 | (bytes[at + 1] ?? 0);
    levels[index] = both >>> (16 - width - (bit & 7)) & mask;
    if (levels[index]! > most) {
      throw new PageFactError(`a page has the invalid level ${levels[index]}`);
    }
  }
  return levels;
}

/** Encodes levels as one run of packed integers. */
export function packedLevels(levels: Uint8Array, most: number): Uint8Array {
  const width = levelBits(most);
  const numGroups = Math.ceil(levels.length / 8);
  const header: number[] = [];
  let rest = 2 * numGroups + 1;
  for (; rest >= 128; rest = Math.floor(rest / 128)) header.push(rest % 128 | 128);
  header.push(rest);
  const bytes = new Uint8Array(header.length + numGroups * width);
  bytes.set(header);
  for (let index = 0, bit = 8 * header.length; index < levels.length; index++, bit += width) {
    const shifted = levels[index]! << (bit & 7);
    bytes[bit >>> 3]! |= shifted & 255;
    if (shifted > 255) bytes[(bit >>> 3) + 1]! |= shifted >>> 8;
  }
  return bytes;
}

/** Counts the levels that equal `value`. */
export function countLevels(levels: Uint8Array, value: number): number {
  let count = 0;
  for (const level of levels) if (level === value) count++;
  return count;
}

function tooFew(found: number, count: number): PageFactError {
  return new PageFactError(`a page has ${found} levels, but its header states ${count} values`);
}
