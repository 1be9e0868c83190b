import { assertEquals } from "@std/assert";
import { firstWhere, lowerBound, upperBound } from "../../../base/search.ts";
import { forSeeds } from "../../support/random/seeded_random.ts";

Deno.test("a binary search finds what a walk from the front finds, also among equal numbers", () =>
  forSeeds(300, (random) => {
    const numbers = Array.from({ length: random.below(20) }, () => random.below(12) - 3)
      .sort((left, right) => left - right);
    const wanted = random.below(14) - 4;
    const walk = (test: (value: number) => boolean) => {
      const index = numbers.findIndex(test);
      return index < 0 ? numbers.length : index;
    };
    for (const sorted of [numbers, Float64Array.from(numbers)]) {
      assertEquals(lowerBound(sorted, wanted), walk((value) => value >= wanted));
      assertEquals(upperBound(sorted, wanted), walk((value) => value > wanted));
    }
    const start = random.below(numbers.length + 1);
    const found = firstWhere(start, numbers.length, (index) => numbers[index]! >= wanted);
    assertEquals(found, Math.max(start, lowerBound(numbers, wanted)));
  }));

Deno.test("a binary search may go over more integers than 32 bits have", () => {
  const large = 2 ** 40 + 12345;
  assertEquals(firstWhere(0, 2 ** 52, (integer) => integer >= large), large);
});
