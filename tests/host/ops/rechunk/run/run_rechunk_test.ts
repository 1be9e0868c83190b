import { assertEquals } from "@std/assert";
import { runRechunk } from "../../../../../ops/rechunk/run/run_rechunk.ts";
import { inFolder } from "../../../../support/folder.ts";
import { randomCase } from "../../../../support/rechunk_cases.ts";
import { Draws, forSeeds } from "../../../../support/seeded_random.ts";

const MAX_MEM = 1 << 24;

Deno.test("runRechunk() gives every chunk what brute force gives it", () =>
  inFolder((folder) => {
    const draws = new Draws([
      ...["0 stages", "1 stages", "2 stages", "3 stages", "missing chunks", "no items", "no axes"],
    ]);
    return forSeeds(150, async (random) => {
      const { source, target, expected, plan } = randomCase(random, draws);
      const temp = `${folder}/temp`;
      await runRechunk({ source, target, plan, temp, maxMem: MAX_MEM });
      assertEquals(target.chunks, expected.chunks);
      assertEquals([...Deno.readDirSync(folder)], []);
    }, draws);
  }));
