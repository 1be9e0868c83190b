import { assertEquals } from "@std/assert";
import zlib from "node:zlib";
import { codeInOneCall } from "../../../../../../streams/formats/zarr/codecs/one_call.ts";

const NUM_BYTES = 100_000;
const items = Uint8Array.from({ length: NUM_BYTES }, (_, at) => at * 7919 >>> 3);
const { Z_FINISH, ZSTD_e_end, ZSTD_c_checksumFlag } = zlib.constants;
const formats = {
  gzip: { encoded: zlib.gzipSync(items), decoder: zlib.createGunzip, finish: Z_FINISH },
  zlib: { encoded: zlib.deflateSync(items), decoder: zlib.createInflate, finish: Z_FINISH },
  zstd: {
    encoded: zlib.zstdCompressSync(items, { params: { [ZSTD_c_checksumFlag]: 1 } }),
    decoder: zlib.createZstdDecompress,
    finish: ZSTD_e_end,
  },
};

for (const [name, { encoded, decoder, finish }] of Object.entries(formats)) {
  const decode = (input: Uint8Array, output: Uint8Array) =>
    codeInOneCall(decoder(), { input, output, finish });

  Deno.test(`codeInOneCall() decodes to the place that it is given: ${name}`, () => {
    const memory = new Uint8Array(NUM_BYTES + 3);
    assertEquals(decode(encoded, memory.subarray(1, -2)), NUM_BYTES);
    assertEquals(memory.subarray(1, -2), items);
    assertEquals([memory[0], memory.at(-2), memory.at(-1)], [0, 0, 0]);
    assertEquals(decode(encoded, new Uint8Array(NUM_BYTES + 1)), NUM_BYTES);
  });

  Deno.test(`codeInOneCall() leaves what is unusual to the caller: ${name}`, () => {
    const output = new Uint8Array(NUM_BYTES);
    const damaged = encoded.map((byte, at) => at === encoded.length - 2 ? byte ^ 1 : byte);
    assertEquals(decode(encoded, output.subarray(1)), undefined);
    assertEquals(decode(damaged, output), undefined);
    assertEquals(decode(Uint8Array.of(...encoded, 1, 2, 3), output), undefined);
    assertEquals(decode(Uint8Array.of(...encoded, ...encoded), output), undefined);
    // Frames of zstd are measured before they are decoded.
    if (name === "zstd") return;
    for (const missing of [1, 3, 4, 9, 100, encoded.length]) {
      assertEquals(decode(encoded.subarray(0, encoded.length - missing), output), undefined);
    }
  });
}

Deno.test("codeInOneCall() encodes what the module decodes, where there is room", () => {
  const encode = (output: Uint8Array) =>
    codeInOneCall(zlib.createGzip(), { input: items, output, finish: Z_FINISH });
  const output = new Uint8Array(NUM_BYTES);
  const size = encode(output)!;
  assertEquals(new Uint8Array(zlib.gunzipSync(output.subarray(0, size))), items);
  assertEquals(encode(new Uint8Array(size)), size);
  assertEquals(encode(new Uint8Array(size - 1)), undefined);
});

Deno.test("codeInOneCall() encodes a whole frame of zstd, which says how long its content is", () => {
  const encode = (output: Uint8Array) => {
    const encoder = zlib.createZstdCompress({ pledgedSrcSize: NUM_BYTES });
    const call = { input: items, output, finish: ZSTD_e_end, isEncoder: true };
    return codeInOneCall(encoder, call);
  };
  const expected = zlib.zstdCompressSync(items, { pledgedSrcSize: NUM_BYTES });
  const output = new Uint8Array(NUM_BYTES);
  const size = encode(output)!;
  assertEquals(output.subarray(0, size), new Uint8Array(expected));
  assertEquals(encode(new Uint8Array(size - 1)), undefined);
});

Deno.test("codeInOneCall() leaves all to the caller where a stream has no such call", () => {
  const stream = zlib.createGzip();
  Object.assign(stream, { _handle: { close() {} } });
  const coded = codeInOneCall(stream, { input: items, output: items.slice(), finish: Z_FINISH });
  assertEquals(coded, undefined);
});
