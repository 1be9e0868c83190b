/** Chunks of the codec "lz4": numcodecs writes the same, with the same acceleration. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import Lz4 from "numcodecs/lz4";
import { dataTypeOf } from "../../../../../../streams/formats/zarr/metadata/data_type.ts";
import { lz4 } from "../../../../../../streams/formats/zarr/codecs/lz4_codec.ts";

const text = new TextEncoder().encode(
  Array.from({ length: 400 }, (_, k) => `${k * k % 977} of ${k % 31};`).join(""),
);

Deno.test("the acceleration of lz4 is that of the configuration, and chunks come back", async () => {
  const sizes: number[] = [];
  for (const acceleration of [1, 20, 1000]) {
    const codec = await lz4.make({ acceleration }, dataTypeOf("uint8"), 0);
    const room = new Uint8Array(codec.encodedBytes(text.length));
    const encoded = await codec.encode(text, room);
    const peer = Lz4.fromConfig({ id: "lz4", acceleration });
    assertEquals(encoded, await peer.encode(text), `acceleration ${acceleration}`);
    const decoded = new Uint8Array(text.length);
    assertEquals(await codec.decode(encoded, decoded), text.length);
    assertEquals(decoded, text);
    sizes.push(encoded.length);
  }
  assert(sizes[0]! < sizes[1]! && sizes[1]! < sizes[2]!, String(sizes));
});

Deno.test("a chunk of lz4 that does not fit, or says another length, is refused", async () => {
  const codec = await lz4.make({}, dataTypeOf("uint8"), 0);
  const encoded = await codec.encode(text, new Uint8Array(codec.encodedBytes(text.length)));
  const refuses = (bytes: Uint8Array, numBytes: number, problem: string) =>
    assertRejects(async () => await codec.decode(bytes, new Uint8Array(numBytes)), Error, problem);
  await refuses(encoded, text.length - 1, `it decodes to more than ${text.length - 1} bytes`);
  await refuses(encoded.subarray(0, 3), text.length, "its header is incomplete");
  const other = Uint8Array.from(encoded);
  new DataView(other.buffer).setUint32(0, text.length + 1, true);
  await refuses(
    other,
    text.length + 1,
    `it decodes to ${text.length} bytes, but its header states ${text.length + 1}`,
  );
});
