import { assertEquals } from "@std/assert";
import { assertCase, corpusFiles, readCase } from "../../fuzz/assert_case.ts";
import { decodeCase, encodeCase } from "../../fuzz/fuzz_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";

for (const path of corpusFiles()) {
  Deno.test(`${path} gives the rows of the model on every variant of the host`, async () => {
    const given = readCase(path);
    assertEquals(encodeCase(decodeCase(encodeCase(given))), encodeCase(given));
    await assertCase({ ...given, variants: VARIANT_NAMES.filter((name) => !needsAdapter(name)) });
  });
}
