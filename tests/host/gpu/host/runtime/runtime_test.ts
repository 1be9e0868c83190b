import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  growArray,
  growForKernel,
  roomFor,
  withoutSlack,
} from "../../../../../gpu/host/runtime/grow_array.ts";
import { ColumnFullError } from "../../../../../base/errors/value_error.ts";
import { viewBytes } from "../../../../../gpu/host/runtime/copy_bytes.ts";
import { readDecimal } from "../../../../../gpu/host/runtime/host_functions.ts";
import { seekByte, seekBytes } from "../../../../../gpu/host/runtime/seek_bytes.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

Deno.test("an array grows to twice its length at least and keeps what was said", () => {
  const bytes = new Uint8Array(1000).fill(7);
  const grown = growArray(bytes, 3, 1001);
  assert(grown instanceof Uint8Array && grown.length >= 2000);
  assertEquals([...grown!.subarray(0, 5)], [7, 7, 7, 0, 0]);
  const items = growArray(Int32Array.of(-1, -2), 2, 5000);
  assert(items instanceof Int32Array && items.length >= 5000);
  assertEquals([...items!.subarray(0, 3)], [-1, -2, 0]);
});

Deno.test("no array grows past what offsets of 32 bits address, and kernels throw the row", () => {
  const most = 2 ** 31 - 1;
  assertEquals([roomFor(0.5) >= 1, roomFor(most), roomFor(2 ** 40)], [true, most, most]);
  for (
    const [array, unit] of [[new Uint8Array(1), "bytes"], [new Int32Array(1), "items"]] as const
  ) {
    const message = `Size of output exceeds ${most} ${unit}`;
    assertEquals(growArray(array, 0, most + 1), null);
    const grow = () => growForKernel(array, 0, most + 1, 5);
    const error = assertThrows(grow, ColumnFullError, message);
    assertEquals([error.row, error.dataBytes], [5, most + 1]);
  }
});

Deno.test("what a result does not use is kept up to a quarter of it and 4096 bytes", () => {
  for (const array of [new Uint8Array(100_000), new Int32Array(25_000)]) {
    const scale = array.BYTES_PER_ELEMENT;
    const isView = (bytes: number) => {
      const used = withoutSlack(array, bytes / scale);
      assertEquals(used.byteLength, bytes);
      return used.buffer === array.buffer;
    };
    assertEquals([100_000, 80_000, 76_000, 0].map(isView), [true, true, false, false]);
  }
});

/** Where a needle starts, asked place by place; the first start that was not asked for, else. */
function seekSlowly(text: Uint8Array, at: number, end: number, needle: readonly number[]) {
  for (let start = at; start <= end - needle.length; start++) {
    if (needle.every((byte, index) => text[start + index] === byte)) return start;
  }
  return end;
}

/** The search for a needle of any size. */
function seek(
  text: Uint8Array,
  at: number,
  last: number,
  end: number,
  needle: readonly number[],
): number {
  const view = viewBytes(text);
  return needle.length === 1
    ? seekByte(view, at, last, end, needle[0]!)
    : seekBytes(view, at, last, end, needle);
}

function randomBytes(random: SeededRandom, size: number, kinds: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: size }, () => random.pick(kinds));
}

Deno.test("seekByte() and seekBytes() find what a search place by place finds, whatever the bytes", () =>
  forSeeds(300, (random) => {
    // Bytes that differ in one bit or by one are what a search by words could mistake.
    const kinds = random.pick([[0, 1], [0x80, 0x81, 0], [0x7f, 0xff, 0x80], [97, 98, 99, 0xc3]]);
    const text = randomBytes(random, 1 + random.below(60), kinds);
    const end = random.below(text.length + 1);
    const needle = [...randomBytes(random, 1 + random.below(5), kinds)];
    for (let at = 0; at <= end; at++) {
      const found = seek(text, at, end - needle.length, end, needle);
      const wanted = seekSlowly(text, at, end, needle);
      if (found >= 0) assertEquals(found, wanted);
      else assertEquals([wanted, ~found > end - needle.length], [end, true]);
    }
  }));

Deno.test("seekByte() looks at the whole row and at some bytes behind it, not at all text", () => {
  const text = new Uint8Array(100_000).fill(97);
  text[90_000] = 98;
  const found = (last: number) => seek(text, 0, last, text.length, [98]);
  assertEquals(found(95_000), 90_000);
  const seen = ~found(10);
  assertEquals(seen > 10 && seen < 90_000, true);
});

Deno.test("decimal text is read as JavaScript reads it, and all other text is NaN", async () => {
  const isDecimal = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
  const draws = new Draws(["a number", "no number", "no exponent behind e", "many digits"]);
  await forSeeds(2_000, (random) => {
    const digits = () =>
      Array.from({ length: random.pick([0, 1, 2, 3, 18]) }, () => random.below(10)).join("");
    const sign = () => random.pick(["", "", "-", "+"]);
    const mantissa = sign() + digits() + random.pick(["", ".", `.${digits()}`]);
    const exponent = random.chance(0.5)
      ? ""
      : random.pick(["e", "E"]) + sign() + digits().slice(0, 4);
    const text = mantissa + exponent +
      (random.chance(0.05) ? random.pick(["x", "-", "e"]) : "");
    const bytes = new TextEncoder().encode(`7${text}7`);
    const expected = isDecimal.test(text) ? Number(text) : NaN;
    assertEquals(readDecimal(bytes, 1, bytes.length - 1), expected, JSON.stringify(text));
    draws.add(isDecimal.test(text) ? "a number" : "no number");
    if (/\de[-+]?$/i.test(text)) draws.add("no exponent behind e");
    if (/\d{16}/.test(text)) draws.add("many digits");
  }, draws);
});
