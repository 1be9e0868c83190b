import { assertEquals, assertRejects } from "@std/assert";
import { codecNamed, readChain } from "../../../../../../streams/formats/zarr/codecs/registry.ts";
import { UnsupportedZarrError } from "../../../../../../base/errors/data_error.ts";

/** The kinds of the codecs of a chain, as they are read. */
async function kindsOf(names: readonly string[]): Promise<string[]> {
  const kinds: string[] = [];
  const note = (codec: { readonly kind: string }) => void kinds.push(codec.kind);
  const noteLater = (codec: { readonly kind: string }) => Promise.resolve(note(codec));
  const specs = names.map((name) => ({ name, configuration: {} }));
  await readChain(specs, { reorder: note, pack: noteLater, encode: noteLater });
  return kinds;
}

Deno.test("a codec of numcodecs has its name with and without the prefix, and one kind", async () => {
  for (const name of ["delta", "zlib", "shuffle", "lz4", "blosc"]) {
    assertEquals(await codecNamed(`numcodecs.${name}`), await codecNamed(name));
  }
});

Deno.test("a chain goes from arrays to arrays, to bytes once, and from bytes to bytes", async () => {
  assertEquals(await kindsOf(["transpose", "numcodecs.delta", "bytes", "gzip", "crc32c"]), [
    ...["array->array", "array->array", "array->bytes", "bytes->bytes", "bytes->bytes"],
  ]);
  assertEquals(await kindsOf(["sharding_indexed"]), ["array->bytes"]);
  const misplaced = "is not allowed in this position";
  await assertRejects(() => kindsOf(["bytes", "delta"]), TypeError, misplaced);
  await assertRejects(() => kindsOf(["bytes", "vlen-utf8"]), TypeError, misplaced);
  await assertRejects(
    () => kindsOf(["transpose"]),
    TypeError,
    "it has no codec from array to bytes",
  );
  await assertRejects(() => kindsOf(["gzip", "bytes"]), UnsupportedZarrError, "its codec gzip");
});
