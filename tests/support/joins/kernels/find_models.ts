/** Models of the kernels that find integer keys and packed text. */

import type { KeyWidth } from "../../../../gpu/key/key_words.ts";
import { type Model, putValidity, type Scene } from "./scene.ts";

/** Slots of a hash table, in words of 32 bits, the last of which is the row + 1. */
interface Slots {
  readonly words: Int32Array;
  /** Words of a slot. */
  readonly size: 2 | 4;
  readonly numSlots: number;
  readonly shift: number;
}

/** An empty table: only the rows of its slots are zeros. */
export function emptySlots(scene: Scene, size: 2 | 4): Slots {
  const log = 1 + scene.random.below(7);
  const numSlots = 2 ** log;
  const words = scene.words(numSlots * size, () => scene.word());
  for (let slot = 0; slot < numSlots; slot++) words[(slot + 1) * size - 1] = 0;
  return { words, size, numSlots, shift: 32 - log };
}

/**
 * Puts words of a key and its row + 1 into the first slot that is empty, from its own on; returns the
 * number of slots that it passes.
 */
export function insertAt(
  { words, size, numSlots, shift }: Slots,
  hash: number,
  key: readonly number[],
  row: number,
): number {
  const own = hash >>> shift;
  for (let steps = 0;; steps++) {
    const slot = ((own + steps) % numSlots) * size;
    if (words[slot + size - 1] !== 0) continue;
    words.set(key, slot);
    words[slot + size - 1] = row;
    return steps;
  }
}

/** Keys of some words: few of them, so that they meet, and with words that are like in others. */
function randomKey({ random }: Scene, width: KeyWidth): number[] {
  return Array.from({ length: width }, () => random.pick([0, 1, -1, 7, 1 << 31, random.below(30)]));
}

function sameKey(key: readonly number[]) {
  return (other: readonly number[]) => key.every((word, at) => word === other[at]);
}

/** Multiply-shift: the sum of each word times its factor, whose high bits are the slot. */
function hashOf(key: readonly number[], factors: readonly number[]): number {
  return key.reduce((sum, word, at) => (sum + Math.imul(word, factors[at]!)) | 0, 0);
}

/** A table of some keys, half full at most, and the keys that are looked up in it. */
function wordTable(scene: Scene, width: KeyWidth) {
  const { random } = scene;
  const factors = Array.from({ length: 3 }, () => scene.word() | 1);
  const slots = emptySlots(scene, width === 1 ? 2 : 4);
  const known: { readonly key: readonly number[]; readonly row: number }[] = [];
  for (let count = random.below(slots.numSlots / 2 + 1); count > 0; count--) {
    const key = randomKey(scene, width);
    if (known.some((other) => sameKey(key)(other.key))) continue;
    const row = 1 + random.below(1000);
    known.push({ key, row });
    insertAt(slots, hashOf(key, factors), key, row);
  }
  const hashing = [slots.shift, ...factors];
  return { slots, known, factors, hashing };
}

const widths = [1, 2, 3] as const;

function findWords(width: KeyWidth): Model {
  return (scene) => {
    const { work, table, random } = scene;
    const { slots, known, hashing } = wordTable(scene, width);
    const keys = Array.from(
      { length: scene.numRows() },
      () =>
        known.length > 0 && random.chance(0.5) ? random.pick(known).key : randomKey(scene, width),
    );
    const found = keys.map((key) => known.find((other) => sameKey(key)(other.key))?.row ?? 0);
    const at = work.put(Int32Array.from(keys.flat()));
    const [slotsAt, to] = [table.put(slots.words), work.reserve(4 * keys.length)];
    const mask = slots.words.byteLength - 1;
    return {
      places: [at, at + 4 * width * keys.length, slotsAt, mask, ...hashing, to],
      targets: [work.target(to, Int32Array.from(found))],
    };
  };
}

function insertWords(width: KeyWidth): Model {
  return (scene) => {
    const { work, table, random } = scene;
    const { slots, known, factors, hashing } = wordTable(scene, width);
    const before = slots.words.slice();
    const next = 1 + random.below(1000);
    const keys = Array.from({ length: scene.numRows() }, () => randomKey(scene, width));
    const { validity, bit, isValid } = putValidity(scene, keys.length);
    let steps = 0;
    const found = keys.map((key, row) => {
      if (!isValid(row)) return 0;
      const other = known.find((other) => sameKey(key)(other.key));
      if (other !== undefined) return other.row;
      // One slot stays empty, as more than that do in tables that are half full.
      if (known.length === slots.numSlots - 1) {
        key.splice(0, width, ...known[0]!.key);
        return known[0]!.row;
      }
      known.push({ key, row: next + row });
      steps += insertAt(slots, hashOf(key, factors), key, next + row);
      return next + row;
    });
    const at = work.put(Int32Array.from(keys.flat()));
    const [slotsAt, to] = [table.put(before), work.reserve(4 * keys.length)];
    const end = at + 4 * width * keys.length;
    const mask = slots.words.byteLength - 1;
    return {
      places: [at, end, slotsAt, mask, ...hashing, to, next, validity, bit],
      result: steps,
      targets: [
        work.target(to, Int32Array.from(found)),
        table.target(slotsAt, slots.words),
      ],
    };
  };
}

function touchWords(width: KeyWidth): Model {
  return (scene) => {
    const { work, table } = scene;
    const { slots, factors, hashing } = wordTable(scene, width);
    const keys = Array.from({ length: scene.numRows() }, () => randomKey(scene, width));
    const at = work.put(Int32Array.from(keys.flat()));
    const read = keys.map((key) =>
      slots.words[(hashOf(key, factors) >>> slots.shift) * slots.size]!
    );
    return {
      places: [at, at + 4 * width * keys.length, table.put(slots.words), ...hashing],
      result: read.reduce((sum, word) => sum | word, 0),
      targets: [],
    };
  };
}

/** Rows of values from the least on, keys around them, and the rows + 1 of those. */
function findDense(width: 1 | 2): Model {
  return (scene) => {
    const { work, table, random } = scene;
    const bits = 32 * width;
    const numValues = 1 + random.below(60);
    const least = BigInt.asIntN(
      bits,
      random.pick([0n, -3n, 2n ** 31n - 5n, 2n ** 32n - 9n, 2n ** 63n - 7n, -(2n ** 40n)]),
    );
    const rows = scene.words(numValues + 1, () => random.below(100));
    rows[numValues] = 0;
    const keys = Array.from({ length: scene.numRows() }, () => {
      const any = (BigInt(scene.word()) << 32n) + BigInt(scene.word());
      const near = least + BigInt(random.below(2 * numValues) - 5);
      const far = near + random.pick([2n ** 31n, 2n ** 32n, -(2n ** 32n), 2n ** 63n]);
      return BigInt.asIntN(bits, random.pick([any, near, near, near, far]));
    });
    const found = keys.map((key) => {
      const distance = BigInt.asUintN(bits, key - least);
      return distance < BigInt(numValues) ? rows[Number(distance)]! : 0;
    });
    const words = keys.flatMap((key) => [key, key >> 32n].slice(0, width));
    const at = work.put(Int32Array.from(words, (word) => Number(BigInt.asIntN(32, word))));
    const [rowsAt, to] = [table.put(rows), work.reserve(4 * keys.length)];
    const leastWords = [least, least >> 32n].slice(0, width).map((word) =>
      Number(BigInt.asIntN(32, word))
    );
    return {
      places: [at, at + 4 * width * keys.length, rowsAt, numValues, ...leastWords, to],
      targets: [work.target(to, Int32Array.from(found))],
    };
  };
}

/** Integers of 64 bits on both sides of what 32 bits hold. */
const packPairs: Model = (scene) => {
  const { work, random } = scene;
  const keys = Array.from({ length: scene.numRows() }, () => {
    const near = random.pick([0n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 63n]);
    return BigInt.asIntN(64, near + BigInt(random.below(5) - 2));
  });
  const at = work.put(BigInt64Array.from(keys));
  const [words, list] = [work.reserve(4 * keys.length), work.reserve(4 * keys.length)];
  const unpacked = [...keys.keys()].filter((row) => keys[row] !== BigInt.asIntN(32, keys[row]!));
  return {
    places: [at, at + 8 * keys.length, words, list],
    result: unpacked.length,
    targets: [
      work.target(words, Int32Array.from(keys, (key) => Number(BigInt.asIntN(32, key)))),
      work.target(list, Int32Array.from(unpacked), unpacked.length < keys.length ? 4 : 0),
    ],
  };
};

/** The kernels of `find_words.ts`, `find_dense.ts` and `pack_pairs.ts`. */
export const findModels: Readonly<Record<string, Model>> = {
  ...Object.fromEntries(widths.flatMap((width) => [
    [`findWords${width}`, findWords(width)],
    [`insertWords${width}`, insertWords(width)],
    [`touchWords${width}`, touchWords(width)],
  ])),
  findDense1: findDense(1),
  findDense2: findDense(2),
  packPairs,
};
