import { assertEquals } from "@std/assert";
import {
  type BoxCopy,
  type BoxPlace,
  denseStrides,
} from "../../../../../gpu/column/boxes/box_copy.ts";
import { BoxCopier } from "../../../../../gpu/host/boxes/box_copier.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

const PAGE_BYTES = 1 << 16;
const ITEM_BYTES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 24, 33, 64, 100];

Deno.test("copy() copies every item of a box, and changes no other byte", () => {
  const draws = new Draws([
    ...["no axes", "no items", "a dense box", "an item again and again", "several axes outside"],
    ...["short runs", "long runs", "the first byte of the memory", "the last byte of the memory"],
  ]);
  return forSeeds(300, (random) => {
    const { memory, copy } = randomCopy(random, draws);
    const bytes = new Uint8Array(memory.buffer);
    const expected = bytes.slice();
    copyItems(expected, copy);
    new BoxCopier(memory).copy(copy);
    assertSame(bytes, expected);
  }, draws);
});

Deno.test("copy() goes on with a memory that has grown", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
  const copier = new BoxCopier(memory);
  memory.grow(1);
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(7, 0, 8);
  const place = (offset: number): BoxPlace => ({ offset, strides: [1] });
  copier.copy({ itemBytes: 1, shape: [8], from: place(0), to: place(2 * PAGE_BYTES - 8) });
  assertEquals(bytes.subarray(-9), new Uint8Array([0, 7, 7, 7, 7, 7, 7, 7, 7]));
});

/** Item by item, by the definition of strides. */
function copyItems(bytes: Uint8Array, { itemBytes, shape, from, to }: BoxCopy): void {
  const numItems = shape.reduce((items, length) => items * length, 1);
  for (let item = 0; item < numItems; item++) {
    let rest = item;
    let [source, target] = [from.offset, to.offset];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const at = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
      source += at * from.strides[axis]!;
      target += at * to.strides[axis]!;
    }
    bytes.copyWithin(target, source, source + itemBytes);
  }
}

/** A box between two arrays that lie somewhere in a memory full of noise. */
function randomCopy(random: SeededRandom, draws: Draws): {
  memory: WebAssembly.Memory;
  copy: BoxCopy;
} {
  const itemBytes = random.pick(ITEM_BYTES);
  const most = random.pick([2, 4, 9, 40]);
  const numAxes = random.below(most > 9 ? 3 : 5);
  const shape = Array.from({ length: numAxes }, () => random.below(most) + 1);
  if (numAxes > 0 && random.chance(0.03)) shape[random.below(numAxes)] = 0;
  const sides = [0, 1].map(() => {
    const around = shape.map((length) => random.chance(0.5) ? length : length + random.below(4));
    return { around, strides: denseStrides(around, itemBytes) };
  });
  const repeats = random.chance(0.15);
  if (repeats) sides[0]!.strides.fill(0);
  const sizes = sides.map(({ around, strides }) =>
    around.includes(0)
      ? 0
      : around.reduce((end, length, axis) => end + (length - 1) * strides[axis]!, itemBytes)
  );
  const numPages = Math.ceil((sizes[0]! + sizes[1]! + 64) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: numPages, maximum: numPages });
  const words = new Uint32Array(memory.buffer);
  for (let word = 0; word < words.length; word++) words[word] = random.next() * 2 ** 32;
  const isLow = random.chance(0.5);
  const low = random.pick([0, random.below(40)]);
  const high = numPages * PAGE_BYTES - sizes[isLow ? 1 : 0]! - random.pick([0, random.below(24)]);
  const copy = {
    itemBytes,
    shape,
    from: { offset: isLow ? low : high, strides: sides[0]!.strides },
    to: { offset: isLow ? high : low, strides: sides[1]!.strides },
  };
  if (numAxes === 0) draws.add("no axes");
  if (shape.includes(0)) draws.add("no items");
  if (!shape.includes(0) && sides.every(({ around }) => String(around) === String(shape))) {
    draws.add("a dense box");
  }
  if (repeats) draws.add("an item again and again");
  if (numAxes > 2 && !shape.includes(0)) draws.add("several axes outside");
  draws.add(itemBytes * (shape.at(-1) ?? 1) < 16 ? "short runs" : "long runs");
  if (low === 0) draws.add("the first byte of the memory");
  if (high + sizes[isLow ? 1 : 0]! === numPages * PAGE_BYTES) {
    draws.add("the last byte of the memory");
  }
  return { memory, copy };
}

function assertSame(actual: Uint8Array, expected: Uint8Array): void {
  const place = actual.findIndex((byte, at) => byte !== expected[at]);
  assertEquals(place, -1, `Byte ${place} is ${actual[place]} instead of ${expected[place]}`);
}
