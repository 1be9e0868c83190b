import { assertEquals, assertThrows } from "@std/assert";
import { LruCache } from "../../../base/lru_cache.ts";
import { forSeeds } from "../../support/random/seeded_random.ts";

Deno.test("a cache keeps the values that were asked for latest, and makes the others again", () =>
  forSeeds(20, (random) => {
    const maxValues = 1 + random.below(6);
    const cache = new LruCache<number | null>(maxValues);
    const requests: number[] = [];
    for (let request = 0; request < 100; request++) {
      const key = random.below(8);
      const latest = [...new Set(requests)].slice(0, maxValues);
      let isMade = false;
      const given = cache.get(`key ${key}`, () => {
        isMade = true;
        return key || null;
      });
      assertEquals([given, isMade], [key || null, !latest.includes(key)]);
      requests.unshift(key);
    }
  }));

Deno.test("a cache keeps nothing for what could not be made", () => {
  const cache = new LruCache<number>(2);
  const fail = () => {
    throw new RangeError("No value");
  };
  assertThrows(() => cache.get("a", fail), RangeError, "No value");
  assertEquals(cache.get("a", () => 1), 1);
  assertEquals(cache.get("a", fail), 1);
});
