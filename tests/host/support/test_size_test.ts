import { assert, assertEquals } from "@std/assert";
import { fewOr, someOf } from "../../support/random/test_size.ts";

Deno.test("some of the items come once each, in their order, and others at each run", () => {
  const items = Array.from({ length: 1000 }, (_, at) => at);
  const drawsAll = Deno.env.get("SLUICE_TEST_DRAWS") === "all";
  const some = someOf(items, 300);
  assertEquals(some.length, drawsAll ? 1000 : 300);
  assertEquals(some, [...new Set(some)].sort((left, right) => left - right));
  assert(some.every((item) => items.includes(item)));
  assertEquals(someOf(items, 1000), items);
  assertEquals(someOf(items, 2000), items);
  assertEquals(fewOr(3, 30), drawsAll ? 30 : 3);
  const before = Deno.env.get("SLUICE_FIRST_SEED");
  const ofSeed = (seed: number) => {
    Deno.env.set("SLUICE_FIRST_SEED", String(seed));
    return someOf(items, 300);
  };
  try {
    assertEquals(ofSeed(1), ofSeed(1));
    // Each of them comes in one of many runs.
    const seen = new Set(Array.from({ length: 60 }, (_, seed) => ofSeed(seed)).flat());
    assertEquals(seen.size, 1000);
  } finally {
    if (before === undefined) Deno.env.delete("SLUICE_FIRST_SEED");
    else Deno.env.set("SLUICE_FIRST_SEED", before);
  }
});
