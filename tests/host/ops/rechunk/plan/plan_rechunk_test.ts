import { assert, assertEquals } from "@std/assert";
import { planRechunk } from "../../../../../ops/rechunk/plan/plan_rechunk.ts";

const era5 = {
  shape: [350640, 721, 1440],
  itemsize: 4,
  source: [31, 721, 1440],
  target: [350640, 10, 10],
  minMem: 10e6,
  maxMem: 500e6,
};

Deno.test("planRechunk() of ERA5 takes no more operations than the best known plans", () => {
  for (const [stages, reads, writes] of [[3, 163_307, 149_169], [4, 119_366, 105_228]] as const) {
    const plan = planRechunk({ ...era5, stages });
    assertEquals(plan.stages.length, stages);
    assert(plan.reads <= reads, `${plan.reads} reads in ${stages} stages`);
    assert(plan.writes <= writes, `${plan.writes} writes in ${stages} stages`);
  }
});
