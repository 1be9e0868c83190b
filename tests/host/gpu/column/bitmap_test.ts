import { assertEquals } from "@std/assert";
import {
  andBitmaps,
  copyBitmap,
  countSetBits,
  filledBitmap,
  gatherBits,
  sliceBitmap,
  writeBits,
} from "../../../../gpu/column/bitmap.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

Deno.test("a range of a bitmap moves to bit 0, whatever bit it starts at", () =>
  forSeeds(200, (random) => {
    const { bits, bitmap } = randomBitmap(random);
    const [start, stop] = randomRange(random, bits.length);
    assertEquals(bitsOf(sliceBitmap(bitmap, start, stop), stop - start), bits.slice(start, stop));
    const copy = copyBitmap(bitmap, start, stop);
    assertEquals(bitsOf(copy, copy.length * 8), padded(bits.slice(start, stop)));
  }));

Deno.test("writeBits() changes the bits of its range and keeps the ones in front", () =>
  forSeeds(200, (random) => {
    const { bits, bitmap } = randomBitmap(random);
    const [start, stop] = randomRange(random, bits.length);
    const target = randomBitmap(random, 100 + stop - start);
    const at = random.below(90);
    writeBits(bitmap, start, target.bitmap, at, stop - start);
    assertEquals(
      bitsOf(target.bitmap, at + stop - start),
      [...target.bits.slice(0, at), ...bits.slice(start, stop)],
    );
  }));

Deno.test("countSetBits() counts the ones of a range", () =>
  forSeeds(200, (random) => {
    const { bits, bitmap } = randomBitmap(random);
    const [start, stop] = randomRange(random, bits.length);
    assertEquals(countSetBits(bitmap, start, stop), bits.slice(start, stop).filter(Boolean).length);
  }));

Deno.test("gatherBits() gives 0 for a missing row, and ones without a source", () =>
  forSeeds(100, (random) => {
    const { bits, bitmap } = randomBitmap(random, 1 + random.below(100));
    const rows = Int32Array.from({ length: random.below(60) }, () => random.below(bits.length + 1));
    const selection = rows.map((row) => row - 1);
    const gathered = Array.from(selection, (row) => row >= 0 && bits[row]!);
    const present = Array.from(selection, (row) => row >= 0);
    const size = Math.ceil(selection.length / 8) * 8;
    assertEquals(bitsOf(gatherBits(bitmap, selection), size), padded(gathered));
    assertEquals(bitsOf(gatherBits(null, selection), size), padded(present));
    const found = selection.filter((row) => row >= 0);
    const numBits = Math.ceil(found.length / 8) * 8;
    const wanted = padded(Array.from(found, (row) => bits[row]!));
    assertEquals(bitsOf(gatherBits(bitmap, found, false), numBits), wanted);
  }));

Deno.test("bitmaps are combined bit by bit, and null stands for ones", () =>
  forSeeds(50, (random) => {
    const left = randomBitmap(random);
    const right = randomBitmap(random, left.bits.length);
    const numBits = left.bits.length;
    assertEquals(
      bitsOf(andBitmaps(left.bitmap, right.bitmap, numBits)!, numBits),
      left.bits.map((bit, at) => bit && right.bits[at]!),
    );
    assertEquals(andBitmaps(null, right.bitmap, numBits), right.bitmap);
    assertEquals(andBitmaps(null, null, numBits), null);
    assertEquals(bitsOf(filledBitmap(11), 16), padded(Array(11).fill(true)));
  }));

/** A bitmap in the middle of a buffer, with rubbish behind its last bit. */
function randomBitmap(random: SeededRandom, numBits = random.below(200)) {
  const bits = Array.from({ length: numBits }, () => random.chance(0.5));
  const bytes = Uint8Array.from({ length: Math.ceil(numBits / 8) + 9 }, () => random.below(256));
  const bitmap = bytes.subarray(5, 5 + Math.ceil(numBits / 8));
  bits.forEach((bit, at) => {
    bitmap[at >> 3]! &= ~(1 << (at & 7));
    if (bit) bitmap[at >> 3]! |= 1 << (at & 7);
  });
  return { bits, bitmap };
}

function randomRange(random: SeededRandom, length: number): [number, number] {
  const start = random.below(length + 1);
  return [start, start + random.below(length - start + 1)];
}

function bitsOf(bitmap: Uint8Array, numBits: number): boolean[] {
  return Array.from({ length: numBits }, (_, at) => ((bitmap[at >> 3]! >> (at & 7)) & 1) === 1);
}

/** The bits with zeros up to a whole byte. */
function padded(bits: readonly boolean[]): boolean[] {
  return [...bits, ...Array(Math.ceil(bits.length / 8) * 8 - bits.length).fill(false)];
}
