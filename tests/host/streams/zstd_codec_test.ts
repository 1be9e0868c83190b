import { assert, assertEquals, assertThrows } from "@std/assert";
import { measureFrame, zstdCodec } from "../../../streams/arrow/zstd.ts";

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
  const codec = await zstdCodec({ maxFrameBytes: 40_000, pieceBytes: 15_000 });
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
