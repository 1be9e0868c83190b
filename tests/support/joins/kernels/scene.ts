/**
 * The two memories of the kernels of joins, full of noise, and the expected content after a call. All
 * other bytes are noise, too, and must stay as they are.
 */

import { assertEquals } from "@std/assert";
import { MASKS_AT } from "../../../../gpu/host/table/kernels/instance.ts";
import { type TableKernels, tableKernelsOf } from "../../../../gpu/host/table/kernels/instance.ts";
import { tableModule } from "../../../../gpu/host/table/kernels/module.ts";
import type { SeededRandom } from "../../random/seeded_random.ts";

/** Bytes of values of one width. */
export const VALUE_WIDTHS = [1, 2, 4, 8, 16];
/** Bytes at the start of a memory that no array has. */
const FIRST = 1024;
/** Bytes after each array, which loads and stores of 16 bytes may reach. */
const SLACK = 16;

/** Bytes that a call is to write somewhere. */
interface Target {
  readonly heap: Heap;
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Bytes after these that it may change. */
  readonly slack: number;
}

/** A call of a kernel, and its expected result. */
interface Call {
  readonly places: readonly number[];
  /** Its return value; absent for kernels without one. */
  readonly result?: number;
  readonly targets: readonly Target[];
}

/** A kernel by brute force: writes its input into the memories, and returns the expected effect. */
export type Model = (scene: Scene) => Call;

/** A memory in which arrays lie at any place, the first one at the end. */
export class Heap {
  readonly bytes: Uint8Array;
  readonly #random: SeededRandom;
  #stop: number;

  constructor({ buffer }: WebAssembly.Memory, random: SeededRandom) {
    this.bytes = new Uint8Array(buffer);
    this.#random = random;
    this.#stop = this.bytes.length;
    const words = new Int32Array(buffer);
    for (let word = 0; word < words.length; word++) words[word] = random.next() * 2 ** 32;
  }

  /** A place for some bytes, with slack after it. */
  reserve(numBytes: number): number {
    const at = this.#stop - SLACK - numBytes;
    if (at < FIRST) throw new RangeError("The memory is full");
    this.#stop = at - this.#random.below(20);
    return at;
  }

  /** The place of a copy of an array. */
  put({ buffer, byteOffset, byteLength }: Int32Array | BigInt64Array | Uint8Array): number {
    const at = this.reserve(byteLength);
    this.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    return at;
  }

  /** What is to be written at a place. */
  target(
    at: number,
    { buffer, byteOffset, byteLength }: Int32Array | Uint8Array,
    slack = 0,
  ): Target {
    return { heap: this, at, bytes: new Uint8Array(buffer, byteOffset, byteLength), slack };
  }
}

/** The memory of a thread and that of a table. */
export class Scene {
  readonly work: Heap;
  readonly table: Heap;
  readonly kernels: TableKernels;
  /** The sizes that texts have. */
  readonly sizes: readonly number[];

  constructor(readonly random: SeededRandom) {
    const work = new WebAssembly.Memory({ initial: 1 });
    const table = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
    this.kernels = tableKernelsOf(tableModule(), work, table);
    this.sizes = Array.from({ length: 1 + random.below(4) }, () => random.pick(TEXT_SIZES));
    this.work = new Heap(work, random);
    this.table = new Heap(table, random);
    this.work.bytes.fill(0xff, MASKS_AT - 16, MASKS_AT).fill(0, MASKS_AT, MASKS_AT + 16);
  }

  /** A number of rows: none, one, some, or as many as bytes or words of bits end at. */
  numRows(): number {
    return this.random.pick([0, 1, 7, 8, 9, 33, 64, 100]);
  }

  /** Words that are drawn one by one. */
  words(length: number, draw: () => number): Int32Array {
    return Int32Array.from({ length }, draw);
  }

  /** Any word. */
  word(): number {
    return (this.random.next() * 2 ** 32) | 0;
  }

  noise(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.random.below(256));
  }

  /** Calls a kernel, and compares its return value and all bytes of both memories. */
  check(name: string, { places, result, targets }: Call): void {
    const heaps = [this.work, this.table];
    const wanted = heaps.map(({ bytes }) => bytes.slice());
    const actual = this.kernels[name]!(...places);
    for (const { heap, at, bytes } of targets) wanted[heaps.indexOf(heap)]!.set(bytes, at);
    for (const { heap, at, bytes, slack } of targets) {
      const start = at + bytes.length;
      wanted[heaps.indexOf(heap)]!.set(heap.bytes.subarray(start, start + slack), start);
    }
    assertEquals(actual, result);
    heaps.forEach(({ bytes }, index) => {
      const different = bytes.findIndex((byte, at) => byte !== wanted[index]![at]);
      if (different < 0) return;
      const memory = index === 0 ? "thread" : "table";
      const { [different]: is } = bytes;
      const nearest = targets.map(({ at, bytes }) => `${at} to ${at + bytes.length}`);
      throw new Error(
        `Byte ${different} of the memory of the ${memory} is ${is} and not ` +
          `${wanted[index]![different]}; targets are at ${nearest.join(", ")}`,
      );
    });
  }
}

/** The bits of rows as bytes; those after the last row are zeros. */
export function bitsOf(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((isSet, row) => bytes[row >> 3]! |= Number(isSet) << (row & 7));
  return bytes;
}

/** A text of one of a few sizes, with zero bytes at times, and often like others but for a byte. */
export function randomText({ random, sizes }: Scene): Uint8Array {
  const text = new Uint8Array(random.pick(sizes)).fill(97);
  if (text.length > 0 && random.chance(0.7)) text[random.below(text.length)] = random.below(3);
  if (text.length > 0 && random.chance(0.3)) text[text.length - 1] = random.pick([0, 98, 255]);
  return text;
}

/** Sizes of text around those of words and vectors. */
const TEXT_SIZES = [0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 50];

/** Text as a column has it. */
interface PlacedText {
  readonly texts: readonly Uint8Array[];
  readonly offsets: number;
  /** Where the offsets of the rows end: the last row has another one after it. */
  readonly end: number;
  /** Where position 0 would be: far outside of the memory, at times. */
  readonly data: number;
  /** Where the text of each row lies. */
  readonly places: readonly number[];
}

/** Puts texts into a memory, and their offsets into that of the thread. */
export function putTexts(
  { random, work }: Scene,
  heap: Heap,
  texts: readonly Uint8Array[],
): PlacedText {
  const first = random.pick([0, 1, 70_000, 2 ** 31 - 20_000]);
  const offsets = new Int32Array(texts.length + 1).fill(first);
  texts.forEach((text, row) => offsets[row + 1] = offsets[row]! + text.length);
  const at = heap.put(new Uint8Array(texts.flatMap((text) => [...text])));
  const offsetsAt = work.put(offsets);
  return {
    texts,
    offsets: offsetsAt,
    end: offsetsAt + 4 * texts.length,
    data: (at - first) | 0,
    places: texts.map((_, row) => at + offsets[row]! - first),
  };
}

/** Rows of which some are null: where their bits lie, and from which bit on. */
export function putValidity({ random, work }: Scene, numRows: number) {
  if (random.chance(0.3)) {
    return { validity: 0, bit: random.below(100), isValid: () => true };
  }
  const bit = random.below(20);
  const bits = Array.from({ length: bit + numRows }, () => random.chance(0.6));
  return { validity: work.put(bitsOf(bits)), bit, isValid: (row: number) => bits[bit + row]! };
}

/** Bits at a place, for kernels that count the set ones. */
export function bitTarget({ work }: Scene, at: number, bits: readonly boolean[]) {
  return {
    result: bits.filter((isSet) => isSet).length,
    targets: [work.target(at, bitsOf(bits))],
  };
}

/** Some of a number of rows, in any order. */
export function randomRows(scene: Scene, numRows: number): Int32Array {
  return scene.words(scene.numRows(), () => scene.random.below(numRows));
}

/** Where each text ends that follows the one before, from `first` on, which comes first. */
export function endsOf(first: number, sizes: readonly number[]): Int32Array {
  const ends = new Int32Array(sizes.length + 1).fill(first);
  sizes.forEach((size, row) => ends[row + 1] = ends[row]! + size);
  return ends;
}

/** Writes the first of some ends, after which a kernel writes the others. */
export function putFirstEnd(scene: Scene, ends: Int32Array) {
  const given = ends.map((end, row) => row === 0 ? end : scene.word());
  const at = scene.work.put(given);
  return { at, target: scene.work.target(at + 4, ends.subarray(1)) };
}

/** Texts one after another. */
export function joined(texts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(texts.flatMap((text) => [...text]));
}
