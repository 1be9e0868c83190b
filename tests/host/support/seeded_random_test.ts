import { assertEquals, assertRejects } from "@std/assert";
import { Draws, forSeeds } from "../../support/random/seeded_random.ts";

const ignore = Deno.env.get("SLUICE_SEED") !== undefined;

Deno.test({
  name:
    "rounds go on until each kind was drawn, and of late cases those count that have a new kind",
  ignore,
  fn: async () => {
    const draws = new Draws(["often", "seldom", "when checked"]);
    const checked: number[] = [];
    let round = 0;
    await forSeeds(3, () => {
      const at = round++;
      const kinds = at === 700 ? ["often", "seldom"] : ["often"];
      if (!draws.needs([...kinds, ...(at < 900 ? [] : ["when checked"])])) return;
      checked.push(at);
      for (const kind of kinds) draws.add(kind);
      if (at === 901) draws.add("when checked");
    }, draws);
    assertEquals(checked, [0, 1, 2, 700, 900, 901]);
    assertEquals(round, 902);
  },
});

Deno.test({
  name: "a kind that is never drawn is a failure that says from which seed on",
  ignore,
  fn: async () => {
    const first: number[] = [];
    const never = (draws: Draws, needs: boolean) =>
      forSeeds(2, (random) => {
        first.push(random.seed);
        if (needs) draws.needs([]);
        draws.add("drawn");
      }, draws);
    for (const [needs, numRounds] of [[false, 500], [true, 20_000]] as const) {
      first.length = 0;
      const { message } = await assertRejects(
        () => never(new Draws(["drawn", "a", "b"]), needs),
        Error,
      );
      assertEquals(message, `Never drawn: a, b (from SLUICE_FIRST_SEED=${first[0]} on)`);
      assertEquals(first.length, numRounds);
    }
  },
});
