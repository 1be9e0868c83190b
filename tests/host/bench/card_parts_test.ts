import { assertEquals } from "@std/assert";
import { FIRST_TESTS } from "../../../bench/gpu/card_parts.ts";
import { findTestFiles } from "../../../scripts/test_files.ts";

Deno.test("the tests that go first on a card exist", () => {
  const files = findTestFiles(["tests/device"]);
  const found = FIRST_TESTS.filter((name) =>
    files.some((file) => file.endsWith(`/${name}_test.ts`))
  );
  assertEquals(found, FIRST_TESTS);
});
