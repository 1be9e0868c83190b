import { assertEquals } from "@std/assert";
import { HybridReader } from "../../../../../../streams/formats/parquet/excerpt/levels.ts";
import { PageMemory } from "../../../../../../streams/formats/parquet/excerpt/page_memory.ts";
import { snappyModule } from "../../../../../../streams/formats/parquet/excerpt/snappy_module.ts";
import { loadPeer } from "../../../../../support/judges/peers.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../../support/random/seeded_random.ts";

const folder = new URL("../../../../../../streams/formats/parquet/excerpt/", import.meta.url);

Deno.test("the module that decompresses Snappy is what WABT makes of its text", async () => {
  const wabt = await (await loadPeer("wabt")).default();
  const text = await Deno.readTextFile(new URL("snappy.wat", folder));
  const module = wabt.parseWat("snappy.wat", text, { simd: true, bulk_memory: true });
  const { buffer } = module.toBinary({ write_debug_names: false });
  module.destroy();
  assertEquals(snappyModule().toBase64(), new Uint8Array(buffer).toBase64());
});

/** Random elements of Snappy, and what they stand for. */
function elements(random: SeededRandom, draws: Draws) {
  const input: number[] = [];
  const output: number[] = [];
  /** Where elements end, in both. */
  const ends: (readonly [input: number, output: number])[] = [[0, 0]];
  const little = (value: number, numBytes: number) => {
    for (let i = 0; i < numBytes; i++) input.push(Math.floor(value / 256 ** i) % 256);
  };
  for (let left = 1 + random.below(60); left > 0; left--) {
    if (output.length === 0 || random.chance(0.4)) {
      const length = 1 + random.below(random.pick([3, 16, 59, 61, 300, 70_000]));
      const least = length <= 60 ? 0 : length <= 256 ? 1 : length <= 65_536 ? 2 : 3;
      const numBytes = Math.max(least, random.chance(0.1) ? 1 + random.below(4) : 0);
      if (numBytes === 0) input.push((length - 1) << 2);
      else {
        input.push((59 + numBytes) << 2);
        little(length - 1, numBytes);
      }
      draws.add(`a literal with ${numBytes} bytes of length`);
      for (let i = 0; i < length; i++) {
        const byte = random.below(256);
        input.push(byte);
        output.push(byte);
      }
    } else {
      const back = 1 +
        random.below(Math.min(output.length, random.pick([7, 16, 40, 2047, 90_000])));
      const kind = back < 2048 && random.chance(0.5)
        ? 1
        : back < 65_536 && random.chance(0.9)
        ? 2
        : 3;
      const length = kind === 1 ? 4 + random.below(8) : 1 + random.below(64);
      if (kind === 1) {
        input.push((length - 4) << 2 | (back >> 8) << 5 | 1);
        little(back % 256, 1);
      } else {
        input.push((length - 1) << 2 | kind);
        little(back, kind === 2 ? 2 : 4);
      }
      draws.add(`a copy of kind ${kind}${back < length ? " that overlaps" : ""}`);
      for (let i = 0; i < length; i++) output.push(output[output.length - back]!);
    }
    ends.push([input.length, output.length]);
  }
  return { input: Uint8Array.from(input), output: Uint8Array.from(output), ends };
}

Deno.test("PageMemory decompresses elements as far as they are wanted, and there", async () => {
  const draws = new Draws([
    ...[0, 1, 2, 3, 4].map((count) => `a literal with ${count} bytes of length`),
    ...[1, 2, 3].flatMap((
      kind,
    ) => [`a copy of kind ${kind}`, `a copy of kind ${kind} that overlaps`]),
    "a copy from in front",
  ]);
  await forSeeds(300, (random) => {
    const { input, output, ends } = elements(random, draws);
    using memory = PageMemory.take();
    const from = memory.place(input.length);
    const start = memory.place(output.length);
    new Uint8Array(memory.buffer).set(input, from);
    const all = { start, end: start + output.length };
    let [next, at] = [from, start];
    for (let numBytes = 0; numBytes < output.length;) {
      numBytes += 1 + random.below(output.length);
      const stop = from + Math.min(input.length, random.below(2 * input.length));
      const want = start + Math.min(numBytes, output.length);
      const reached = memory.decode(next, Math.max(next, stop), { ...all, at }, want)!;
      // The first end at which enough is there, or the last one for which there is input.
      const wanted = ends.find(([, own]) => start + own >= want)!;
      const there = ends.findLast(([own]) => from + own <= Math.max(next, stop))!;
      const [read, written] = wanted[0] <= there[0] ? wanted : there;
      assertEquals(reached, {
        from: Math.max(next, from + read),
        at: Math.max(at, start + written),
      });
      [next, at] = [reached.from, reached.at];
    }
    const whole = memory.decode(next, from + input.length, { ...all, at }, all.end);
    assertEquals(whole, { from: from + input.length, at: all.end });
    assertEquals(new Uint8Array(memory.buffer, start, output.length), output);
    // An output that is too small, and a copy from in front of it.
    const less = { start, at: start, end: all.end - 1 };
    assertEquals(memory.decode(from, from + input.length, less, all.end), undefined);
    const [first] = ends.slice(1);
    const later = { start: start + first![1], at: start + first![1], end: all.end };
    const isLost = input.length > first![0] && (input[first![0]]! & 3) !== 0;
    if (!isLost) return;
    draws.add("a copy from in front");
    assertEquals(
      memory.decode(from + first![0], from + input.length, later, all.end),
      undefined,
    );
  }, draws);
});

Deno.test("HybridReader reads runs and packed integers of any width, and skips others", async () => {
  await forSeeds(200, (random) => {
    const bitWidth = random.pick([0, 1, 1, 1, 2, 3, 7, 8, 9, 12, 17, 24, 31, 32]);
    const bytes: number[] = [];
    const values: number[] = [];
    const some = () => random.below(2 ** Math.min(bitWidth, 31)) * (bitWidth === 32 ? 2 : 1);
    const varint = (value: number) => {
      for (; value >= 128; value >>>= 7) bytes.push(value & 127 | 128);
      bytes.push(value);
    };
    for (let left = 1 + random.below(12); left > 0; left--) {
      if (random.chance(0.5)) {
        const [count, value] = [1 + random.below(random.pick([5, 3000])), some()];
        varint(2 * count);
        for (let i = 0; i < Math.ceil(bitWidth / 8); i++) {
          bytes.push(Math.floor(value / 256 ** i) % 256);
        }
        for (let i = 0; i < count; i++) values.push(value);
      } else {
        const numGroups = 1 + random.below(20);
        const own = Array.from({ length: 8 * numGroups }, some);
        varint(2 * numGroups + 1);
        const bits = own.flatMap((value) =>
          Array.from({ length: bitWidth }, (_, bit) => Math.floor(value / 2 ** bit) % 2)
        );
        for (let at = 0; at < bits.length; at += 8) {
          bytes.push(bits.slice(at, at + 8).reduce((sum, bit, i) => sum + bit * 2 ** i, 0));
        }
        values.push(...own);
      }
    }
    const reader = new HybridReader(Uint8Array.from(bytes), bitWidth);
    for (let row = random.below(9); row < values.length; row += 1 + random.below(50)) {
      assertEquals(reader.at(row), values[row]);
      if (bitWidth !== 1) continue;
      assertEquals(reader.onesBefore(row), values.slice(0, row).filter((one) => one === 1).length);
    }
  });
});
