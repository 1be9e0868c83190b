import { randomCase } from "../../fuzz/random_case.ts";
import { Tally } from "../../fuzz/tally.ts";
import { ZARR_PEERS } from "../../fuzz/zarr_layout.ts";
import { assertEquals } from "@std/assert";
import { firstSeed, SeededRandom } from "../../support/random/seeded_random.ts";

/** Cases that are drawn at most: the rarest of what they are to have is in one of three hundred. */
const NUM_CASES = 5000;

Deno.test("random cases have every step, operation, type, layout, file and variant", () => {
  const first = firstSeed();
  const tally = new Tally();
  // Outcomes are what running them shows.
  const missing = () =>
    tally.never(true, ZARR_PEERS).filter((name) => !name.startsWith("outcome "));
  for (let number = 0; number < NUM_CASES; number++) {
    tally.addCase(randomCase(new SeededRandom((first + number) | 0), {
      deviceShare: 0.15,
      // As a run does, which calls one operation after another.
      operation: number,
      peers: ZARR_PEERS,
    }));
    if (number % 250 === 0 && missing().length === 0) break;
  }
  assertEquals(missing(), [], `of ${NUM_CASES} cases from seed ${first} on`);
});
