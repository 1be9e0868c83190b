import { assert, assertEquals, assertThrows } from "@std/assert";
import { decodeLz4, encodeLz4, xxh32 } from "../../../../streams/bytes/codecs/lz4.ts";
import { measureFrame, zstdCodec } from "../../../../streams/bytes/codecs/zstd.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** Bytes of which some repeat what stands shortly or long before them. */
function randomBytes(random: SeededRandom): Uint8Array {
  const bytes: number[] = [];
  const length = random.pick([0, 1, 12, 13, 300, 70_000, 200_000]);
  while (bytes.length < length) {
    const start = random.below(bytes.length + 1);
    const count = 1 + random.below(random.pick([5, 30, 3000]));
    const repeats = random.chance(0.7) && bytes.length > 0;
    for (let i = 0; i < count; i++) {
      bytes.push(repeats ? bytes[start % bytes.length + i] ?? 0 : random.below(256));
    }
  }
  return Uint8Array.from(bytes);
}

Deno.test("decodeLz4() gives what encodeLz4() was given, and refuses any other length", () =>
  forSeeds(60, (random) => {
    const bytes = randomBytes(random);
    const frame = encodeLz4(bytes);
    assertEquals(decodeLz4(frame, bytes.length), bytes);
    assertThrows(() => decodeLz4(frame, bytes.length + 1), Error, "LZ4");
    if (bytes.length > 0) assertThrows(() => decodeLz4(frame, bytes.length - 1), Error, "LZ4");
  }));

Deno.test("decodeLz4() refuses a frame that is cut, and never gives wrong bytes for a wrong bit", async () => {
  let numRefused = 0;
  await forSeeds(60, (random) => {
    const bytes = randomBytes(random);
    const frame = encodeLz4(bytes);
    const cut = frame.subarray(0, random.below(frame.length));
    assertThrows(() => decodeLz4(cut, bytes.length), Error, "LZ4");
    const wrong = frame.slice();
    wrong[random.below(frame.length)]! ^= 1 << random.below(8);
    let decoded: Uint8Array | undefined;
    try {
      decoded = decodeLz4(wrong, bytes.length);
    } catch (error) {
      assert((error as Error).message.includes("LZ4"), String(error));
      numRefused++;
    }
    // The last token of a block has four bits that stand for nothing.
    if (decoded !== undefined) assertEquals(decoded, bytes);
  });
  if (Deno.env.get("SLUICE_SEED") === undefined) assert(numRefused > 30, `${numRefused} refused`);
});

Deno.test("decodeLz4() asks for no memory that a frame cannot fill", () => {
  const frame = encodeLz4(new Uint8Array(1000));
  assertThrows(() => decodeLz4(frame, 2 ** 40), Error, "shorter than its content");
});

const hasProgram = await findProgram();

Deno.test({
  name: "the lz4 program reads what encodeLz4() writes, and decodeLz4() what it writes" +
    (hasProgram ? "" : " (ignored: no lz4)"),
  ignore: !hasProgram,
  fn: () =>
    forSeeds(10, async (random) => {
      const bytes = randomBytes(random);
      assertEquals(await runLz4(["-d"], encodeLz4(bytes)), bytes);
      const options = random.pick([["-9", "-BD"], ["-B4", "-BX"], ["--no-frame-crc"], ["-1"]]);
      assertEquals(decodeLz4(await runLz4(options, bytes), bytes.length), bytes);
    }),
});

async function findProgram(): Promise<boolean> {
  try {
    return (await new Deno.Command("lz4", { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}

async function runLz4(options: readonly string[], input: Uint8Array): Promise<Uint8Array> {
  const child = new Deno.Command("lz4", {
    args: [...options, "-q", "-c"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const sent = writer.write(input).then(() => writer.close());
  const { success, stdout } = await child.output();
  await sent;
  assert(success);
  return stdout;
}

Deno.test("xxh32() gives the values that its authors do", () => {
  const cases = {
    "": 0x02cc5d05,
    "abc": 0x32d153ff,
    "Nobody inspects the spammish repetition": 0xe2293b2f,
  };
  for (const [input, hash] of Object.entries(cases)) {
    assertEquals(xxh32(new TextEncoder().encode(input)), hash);
  }
});

const text = new TextEncoder().encode("text that repeats, ".repeat(20_000));
const noise = crypto.getRandomValues(new Uint8Array(50_000));

/** The frames that follow each other, those without content left out. */
function numFrames(bytes: Uint8Array): number {
  let count = 0;
  for (let position = 0; position < bytes.length;) {
    const { numBytes, maxContentBytes } = measureFrame(bytes.subarray(position));
    position += numBytes;
    if (maxContentBytes > 0) count++;
  }
  return count;
}

Deno.test("zstdCodec() writes long buffers as several frames and joins their contents", async () => {
  const codec = await zstdCodec({ maxFrameBytes: 40_000, frameBytes: 15_000 });
  for (const [bytes, frames] of [[text, 26], [noise, 4], [noise.subarray(0, 40_000), 1]] as const) {
    const encoded = codec.encode(bytes);
    assertEquals(numFrames(encoded), frames);
    assertEquals(codec.decode(encoded, bytes.length), bytes);
    assertThrows(() => codec.decode(encoded, bytes.length - 1), Error);
    assertThrows(() => codec.decode(encoded, bytes.length + 1), Error, "bytes claimed");
    assertThrows(() => codec.decode(encoded.subarray(0, -1), bytes.length), Error, "truncated");
  }
});

Deno.test("zstdCodec() gives aligned bytes that share no memory, of any length", async () => {
  const codec = await zstdCodec();
  for (const length of [1, 7, 8, 63, 64, 65, 1000, 49_999]) {
    const decoded = codec.decode(codec.encode(noise.subarray(0, length)), length);
    assertEquals(decoded, noise.slice(0, length));
    assertEquals(decoded.byteOffset % 8, 0);
    assert(decoded.buffer.byteLength <= Math.max(64, length), `${decoded.buffer.byteLength}`);
  }
});

Deno.test("measureFrame() bounds the content without decompressing it", async () => {
  const codec = await zstdCodec();
  for (const bytes of [text, noise, new Uint8Array(1 << 20)]) {
    const encoded = codec.encode(bytes);
    const { maxContentBytes } = measureFrame(encoded);
    assert(maxContentBytes >= bytes.length && maxContentBytes <= bytes.length + (128 << 10));
  }
  assertThrows(() => measureFrame(text), Error, "not a zstd frame");
});
