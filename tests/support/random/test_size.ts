/**
 * How much the tests draw. `deno task test` is to end within a few minutes, so a test that has much to
 * draw, and would take more than a few seconds of processor time for it, draws some of it, other parts
 * at each run; `deno task test:long draws`, which runs all files that import this one, draws it all.
 */

import { firstSeed, SeededRandom } from "./seeded_random.ts";

const drawsAll = Deno.env.get("SLUICE_TEST_DRAWS") === "all";

/** How often something is done: few times, or as often as it is worth. */
export function fewOr(few: number, all: number): number {
  return drawsAll ? all : few;
}

/** Returns `few` of the items, in their order; or all of them. */
export function someOf<T>(items: readonly T[], few: number): readonly T[] {
  if (drawsAll || items.length <= few) return items;
  const random = new SeededRandom(firstSeed());
  const places = [...items.keys()];
  for (let at = 0; at < few; at++) {
    const other = at + random.below(items.length - at);
    [places[at], places[other]] = [places[other]!, places[at]!];
  }
  return places.slice(0, few).sort((left, right) => left - right).map((at) => items[at]!);
}
