import { assertEquals } from "@std/assert";
import { viewBytes } from "../../../gpu/host/runtime/copy_bytes.ts";
import { seekByte, seekBytes } from "../../../gpu/host/runtime/seek_bytes.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";

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

Deno.test("seekByte() and seekBytes() find what a search place by place finds, whatever the bytes", async () => {
  await forSeeds(300, (random) => {
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
  });
});

Deno.test("seekByte() looks at the whole row and at some bytes behind it, not at all text", () => {
  const text = new Uint8Array(100_000).fill(97);
  text[90_000] = 98;
  const found = (last: number) => seek(text, 0, last, text.length, [98]);
  assertEquals(found(95_000), 90_000);
  const seen = ~found(10);
  assertEquals(seen > 10 && seen < 90_000, true);
});
