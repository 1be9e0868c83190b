import { assertEquals } from "@std/assert";
import { crc32 as crc32OfNode } from "node:zlib";
import { crc32, crc32c } from "../../../../streams/bytes/crc.ts";
import { SeededRandom } from "../../../support/random/seeded_random.ts";

Deno.test("checksums are those of the catalogue, for the digits 1 to 9", () => {
  const digits = new TextEncoder().encode("123456789");
  assertEquals(crc32(digits), 0xcbf4_3926);
  assertEquals(crc32c(digits), 0xe306_9283);
  assertEquals([crc32(new Uint8Array(0)), crc32c(new Uint8Array(0))], [0, 0]);
});

Deno.test("checksums of 32 bytes are those of RFC 3720", () => {
  const of = (byteAt: (k: number) => number) =>
    crc32c(Uint8Array.from({ length: 32 }, (_, k) => byteAt(k)));
  assertEquals(of(() => 0), 0x8a91_36aa);
  assertEquals(of(() => 0xff), 0x62a8_ab43);
  assertEquals(of((k) => k), 0x46dd_794e);
  assertEquals(of((k) => 31 - k), 0x113f_db5c);
});

Deno.test("checksums of any length are those of zlib", () => {
  const random = new SeededRandom(52);
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    assertEquals(crc32(bytes), crc32OfNode(bytes), `${length} bytes`);
  }
});
