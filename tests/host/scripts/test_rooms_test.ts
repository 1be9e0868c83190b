import { assertEquals } from "@std/assert";
import { testsAndSources, testsWithoutRoom } from "../../../scripts/test_rooms.ts";

Deno.test("a test lies in a room of the code, below tests/host or tests/device", () => {
  const sources = ["gpu/column/slice.ts", "mod.ts", "tests/support/random/seeded_random.ts"];
  const right = [
    ...["tests/host/gpu/column/slice_test.ts", "tests/device/gpu/column/other_test.ts"],
    ...["tests/host/gpu/whole_test.ts", "tests/host/mod_test.ts"],
    ...["tests/host/support/random/seeded_random_test.ts", "tests/support/no_test.ts"],
  ];
  const wrong = ["tests/host/kernel/slice_test.ts", "tests/device/gpu/columns/slice_test.ts"];
  assertEquals(testsWithoutRoom([...right, ...wrong], sources), wrong);
});

Deno.test("every test of the checkout has a room", () => {
  const { tests, sources } = testsAndSources();
  assertEquals(testsWithoutRoom(tests, sources), []);
});
