/** Models of the kernels that find text, and of the one that packs it. */

import { emptySlots, insertAt } from "./find_models.ts";
import { type Heap, type Model, putTexts, putValidity, randomText, type Scene } from "./scene.ts";

const UINT64 = 2n ** 64n - 1n;
const FACTOR = 0x9e3779b97f4a7c15n;

/** The hash that `find_text.ts` describes: words of 8 bytes, the last one after zeros. */
function hashOf(text: Uint8Array, seed: number): number {
  const factor = FACTOR ^ (BigInt(seed >>> 0) << 32n) ^ BigInt((seed << 1) >>> 0);
  const mixed = (hash: bigint) => ((hash ^ (hash >> 32n)) * factor) & UINT64;
  let hash = (BigInt((text.length ^ seed) >>> 0) << 32n) | BigInt(text.length);
  for (let start = 0; start < text.length; start += 8) {
    const bytes = [...text.slice(start, start + 8)];
    while (bytes.length < 8) bytes.unshift(0);
    const word = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
    hash = mixed(hash ^ word);
  }
  return Number(mixed(hash) >> 32n) | 0;
}

function sameText(text: Uint8Array) {
  return (other: Uint8Array) =>
    text.length === other.length && text.every((byte, at) => byte === other[at]);
}

function hashTexts(heapOf: (scene: Scene) => Heap): Model {
  return (scene) => {
    const { work } = scene;
    const texts = Array.from({ length: scene.numRows() }, () => randomText(scene));
    const { offsets, end, data } = putTexts(scene, heapOf(scene), texts);
    const [seed, to] = [scene.word(), work.reserve(4 * texts.length)];
    return {
      places: [offsets, end, data, seed, to],
      targets: [work.target(to, Int32Array.from(texts, (text) => hashOf(text, seed)))],
    };
  };
}

/** A hash that many texts share. */
function poorHash(text: Uint8Array): number {
  return Math.imul(text.reduce((sum, byte) => sum + byte, 0) % 3, 0x9e3779b1);
}

/** A table of some texts, half full at most, in the memory of a table. */
function textTable(scene: Scene) {
  const { random, table } = scene;
  const slots = emptySlots(scene, 4);
  const known: { readonly text: Uint8Array; readonly row: number }[] = [];
  for (let slot = 0; slot < slots.numSlots; slot++) {
    // The place of an empty slot is read ahead.
    slots.words[4 * slot + 2] = random.below(1000);
  }
  for (let count = random.below(slots.numSlots / 2 + 1); count > 0; count--) {
    const text = randomText(scene);
    if (known.some((other) => sameText(text)(other.text))) continue;
    const [hash, row] = [poorHash(text), 1 + random.below(1000)];
    known.push({ text, row });
    insertAt(slots, hash, [hash, text.length, table.put(text)], row);
  }
  return { slots, known };
}

const findTexts: Model = (scene) => {
  const { work, table, random } = scene;
  const { slots, known } = textTable(scene);
  const texts = Array.from(
    { length: scene.numRows() },
    () => known.length > 0 && random.chance(0.5) ? random.pick(known).text : randomText(scene),
  );
  const found = texts.map((text) => known.find((other) => sameText(text)(other.text))?.row ?? 0);
  const { offsets, data } = putTexts(scene, work, texts);
  const hashes = work.put(Int32Array.from(texts, poorHash));
  const [slotsAt, to] = [table.put(slots.words), work.reserve(4 * texts.length)];
  const mask = slots.words.byteLength - 1;
  const end = hashes + 4 * texts.length;
  return {
    places: [hashes, end, slotsAt, mask, slots.shift, offsets, data, to],
    targets: [work.target(to, Int32Array.from(found))],
  };
};

const insertTexts: Model = (scene) => {
  const { work, table, random } = scene;
  const { slots, known } = textTable(scene);
  const before = slots.words.slice();
  const next = 1 + random.below(1000);
  // One slot stays empty at least.
  const mostRows = slots.numSlots - 1 - known.length;
  const texts = Array.from(
    { length: Math.min(scene.numRows(), mostRows) },
    () => known.length > 0 && random.chance(0.2) ? random.pick(known).text : randomText(scene),
  );
  const { offsets, data, places } = putTexts(scene, table, texts);
  const { validity, bit, isValid } = putValidity(scene, texts.length);
  let steps = 0;
  const found = texts.map((text, row) => {
    if (!isValid(row)) return 0;
    const other = known.find((other) => sameText(text)(other.text));
    if (other !== undefined) return other.row;
    known.push({ text, row: next + row });
    const hash = poorHash(text);
    steps += insertAt(slots, hash, [hash, text.length, places[row]!], next + row);
    return next + row;
  });
  const hashes = work.put(Int32Array.from(texts, poorHash));
  const [slotsAt, to] = [table.put(before), work.reserve(4 * texts.length)];
  const searched = [slotsAt, slots.words.byteLength - 1, slots.shift, offsets, data];
  return {
    places: [hashes, hashes + 4 * texts.length, ...searched, to, next, validity, bit],
    result: steps,
    targets: [work.target(to, Int32Array.from(found)), table.target(slotsAt, slots.words)],
  };
};

/** Reads a word of the slot of each hash, or of the text of that slot. */
function touch(read: (scene: Scene, slot: Int32Array) => number): Model {
  return (scene) => {
    const { work, table } = scene;
    const { slots } = textTable(scene);
    const hashes = scene.words(scene.numRows(), () => scene.word());
    const slotsAt = table.put(slots.words);
    const all = [...hashes].map((hash) => {
      const slot = 4 * (hash >>> slots.shift);
      return read(scene, slots.words.subarray(slot, slot + 4));
    });
    const at = work.put(hashes);
    return {
      places: [at, at + hashes.byteLength, slotsAt, slots.shift],
      result: all.reduce((sum, word) => sum | word, 0),
      targets: [],
    };
  };
}

const packText: Model = (scene) => {
  const { work, random } = scene;
  const texts = Array.from({ length: scene.numRows() }, () => randomText(scene));
  const width = random.pick([4, 8, 12]);
  const { offsets, end, data } = putTexts(scene, work, texts);
  const [words, list] = [work.reserve(width * texts.length), work.reserve(4 * texts.length)];
  const packed = new Uint8Array(width * texts.length);
  texts.forEach((text, row) => packed.set(text.subarray(0, width), width * row));
  const unpacked = [...texts.keys()].filter((row) =>
    texts[row]!.length > width || texts[row]!.at(-1) === 0
  );
  return {
    places: [offsets, end, data, width, words, list],
    result: unpacked.length,
    targets: [
      work.target(words, packed, 12),
      work.target(list, Int32Array.from(unpacked), 4),
    ],
  };
};

/** The kernels of `find_text.ts` and `pack_text.ts`. */
export const textModels: Readonly<Record<string, Model>> = {
  hashTexts: hashTexts(({ work }) => work),
  hashTableTexts: hashTexts(({ table }) => table),
  findTexts,
  insertTexts,
  touchSlots: touch((_, slot) => slot[3]!),
  touchTexts: touch(({ table: { bytes } }, slot) =>
    new DataView(bytes.buffer).getInt32(slot[2]!, true)
  ),
  packText,
};
