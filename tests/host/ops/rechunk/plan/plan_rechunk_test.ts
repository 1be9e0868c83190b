import { assert, assertEquals, equal } from "@std/assert";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { countChain, countOperations } from "../../../../../ops/rechunk/plan/count_operations.ts";
import { limitsOf } from "../../../../../ops/rechunk/plan/limits.ts";
import { planRechunk } from "../../../../../ops/rechunk/plan/plan_rechunk.ts";
import type {
  PlanRechunkOptions,
  RechunkPlan,
} from "../../../../../ops/rechunk/plan/rechunk_plan.ts";
import { rechunkerChain } from "../../../../../ops/rechunk/plan/rechunker_plan.ts";
import {
  assertKeepsTo,
  optionsOfCase,
  randomRechunk,
  rechunkerCases,
} from "../../../../support/zarr/rechunk_plans.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const era5 = optionsOfCase(rechunkerCases[0]!);

Deno.test("planRechunk() of ERA5 takes no more operations than the best known plans", () => {
  for (const [stages, reads, writes] of [[3, 163_307, 149_169], [4, 119_366, 105_228]] as const) {
    const plan = planRechunk({ ...era5, stages });
    assertKeepsTo(plan, era5);
    assertNests(plan, era5.shape);
    assertEquals(plan.stages.length, stages);
    assert(plan.reads <= reads, `${plan.reads} reads in ${stages} stages`);
    assert(plan.writes <= writes, `${plan.writes} writes in ${stages} stages`);
  }
});

Deno.test("planRechunk() of ERA5 in one stage takes no more than rechunker does", () => {
  const plan = planRechunk({ ...era5, minMem: 0, stages: 1 });
  assertEquals(plan.stages.length, 1);
  assert(plan.reads + plan.writes <= 13_235_407 + 13_224_096, `${plan.reads} reads`);
});

Deno.test("planRechunk() chooses the number of stages by cost, among those that beat rechunker", () => {
  const chosen = planRechunk(era5);
  assertKeepsTo(chosen, era5);
  assertEquals(chosen, planRechunk({ ...era5, stages: 3 }));
  const given = [4, 5].map((stages) => planRechunk({ ...era5, stages }));
  assert(given.every(({ cost }) => cost > chosen.cost));
  // The cost is the time of all operations and of all bytes, and bytes grow with every stage.
  assertEquals(given[1]!.bytes / given[0]!.bytes, 6 / 5);
  const seconds = (chosen.reads + chosen.writes) / 2000 + chosen.bytes / 1e9;
  assert(Math.abs(chosen.cost / seconds - 1) < 1e-12, `${chosen.cost} for ${seconds}`);
});

Deno.test("planRechunk() never takes more operations than rechunker itself", () => {
  for (const example of rechunkerCases) {
    const options = optionsOfCase(example);
    const plan = planRechunk(options);
    assertKeepsTo(plan, options);
    const [stages, reads, writes] = example.slice(6) as [number, number, number];
    const operations = plan.reads + plan.writes;
    assert(operations <= reads + writes, `${operations} operations for ${example[0]}`);
    const same = planRechunk({ ...options, stages });
    assertEquals(same.stages.length, stages);
    assert(same.reads + same.writes <= reads + writes, `${stages} stages for ${example[0]}`);
  }
});

Deno.test("planRechunk() keeps to all limits, with no more operations than rechunker", async () => {
  const kinds = ["direct", "one stage", "more stages", "source split", "grids of rechunker"];
  const draws = new Draws(kinds);
  await forSeeds(fewOr(150, 500), (random) => {
    const options = randomRechunk(random);
    const limits = limitsOf(options);
    const { shape, source, target, minItems } = limits;
    const known = rechunkerChain(limits);
    const keeps = known.every((grid, at) =>
      at === 0 || product(grid.map((length, axis) => Math.min(length, known[at - 1]![axis]!))) >=
        minItems
    );
    const plan = planOrNone(options);
    if (plan === undefined) {
      assert(!keeps, `rechunker has a plan for ${JSON.stringify(options)}`);
      return;
    }
    assertKeepsTo(plan, options);
    draws.add(["direct", "one stage"][plan.stages.length] ?? "more stages");
    const boxes = [plan.direct ?? plan.stages[0]!.read, ...plan.stages.map(({ write }) => write)];
    if (boxes[0]!.some((length, axis) => length < source[axis]!)) draws.add("source split");
    if (plan.stages.length > 0 && equal(boxes, known)) draws.add("grids of rechunker");
    const { reads, writes } = countChain(shape, source, known, target);
    const isFewer = plan.reads + plan.writes <= reads + writes;
    assert(isFewer || !keeps, `${plan.reads} + ${plan.writes} for ${JSON.stringify(options)}`);
  }, draws);
});

Deno.test("planRechunk() takes no more operations than any chain of nested grids", async () => {
  await forSeeds(fewOr(20, 60), (random) => {
    const options = smallRechunk(random);
    const stages = 1 + random.below(3);
    const fewest = fewestOfNested(options, stages);
    if (fewest === Infinity) return;
    const { reads, writes } = planRechunk({ ...options, stages });
    assert(
      reads + writes <= fewest,
      `${reads} + ${writes}, and ${fewest} do: ${JSON.stringify({ ...options, stages })}`,
    );
  });
});

Deno.test("planRechunk() copies directly where a box has whole chunks of both", () => {
  const options = { shape: [60, 64], itemsize: 8, source: [10, 64], target: [60, 8], maxMem: 1e5 };
  const plan = planRechunk(options);
  assertKeepsTo(plan, options);
  assertEquals([plan.stages, plan.direct], [[], [60, 64]]);
  assertEquals([plan.reads, plan.writes, plan.lowerBound], [6, 8, 0]);
  assertEquals(plan, planRechunk({ ...options, stages: 0 }));
});

Deno.test("planRechunk() copies chunk by chunk where source and target are the same", () => {
  const options = { shape: [9, 10], itemsize: 1, source: [2, 5], target: [2, 5], maxMem: 1e5 };
  const plan = planRechunk(options);
  assertEquals([plan.direct, plan.reads, plan.writes], [[2, 5], 10, 10]);
});

Deno.test("planRechunk() of an array without items or axes copies directly", () => {
  const empty = { shape: [0, 4], itemsize: 4, source: [3, 1], target: [2, 2], maxMem: 8 };
  const { direct, reads, writes, bytes, cost } = planRechunk(empty);
  assertEquals([direct, reads, writes, bytes, cost], [[1, 2], 0, 0, 0, 0]);
  const scalar = planRechunk({ shape: [], itemsize: 4, source: [], target: [], maxMem: 4 });
  assertEquals([scalar.direct, scalar.reads, scalar.writes, scalar.bytes], [[], 1, 1, 8]);
});

Deno.test("planRechunk() cuts chunks that are longer than the array", () => {
  const options = { shape: [6], itemsize: 4, source: [1000], target: [4], maxMem: 24 };
  assertEquals(planRechunk(options), planRechunk({ ...options, source: [6] }));
});

/** The plan, or undefined where `planRechunk` says that there is none. */
function planOrNone(options: PlanRechunkOptions): RechunkPlan | undefined {
  try {
    return planRechunk(options);
  } catch (error) {
    assert(error instanceof RangeError && error.message.includes("minMem"), String(error));
    return undefined;
  }
}

/** Asserts that all stores in between have chunks that lie in one box of either side. */
function assertNests({ stages }: RechunkPlan, shape: readonly number[]): void {
  for (const { read, intermediate, write } of stages) {
    intermediate.forEach((length, axis) => {
      assertEquals(length, Math.min(read[axis]!, write[axis]!));
      const longer = Math.max(read[axis]!, write[axis]!);
      assert(longer % length === 0 || longer === shape[axis], `${read}, ${write}`);
    });
  }
}

function smallRechunk(random: SeededRandom): PlanRechunkOptions {
  const shape = [1 + random.below(16), 1 + random.below(16)];
  const chunk = () => shape.map((length) => 1 + random.below(length));
  const [source, target] = [chunk(), chunk()];
  const largest = Math.max(product(source), product(target));
  return { shape, itemsize: 1, source, target, maxMem: Math.floor(largest * (1 + random.next())) };
}

/** The fewest operations of all nested chains that read whole chunks of the source, by trying all. */
function fewestOfNested(options: PlanRechunkOptions, stages: number): number {
  const { shape, source, target, maxMem } = options;
  const grids: number[][] = [];
  for (let rows = 1; rows <= shape[0]!; rows++) {
    for (let columns = 1; columns <= shape[1]!; columns++) grids.push([rows, columns]);
  }
  const fitting = grids.filter((grid) => product(grid) <= maxMem);
  const nest = (a: number[], b: number[]) =>
    shape.every((whole, axis) => {
      const [low, high] = [Math.min(a[axis]!, b[axis]!), Math.max(a[axis]!, b[axis]!)];
      return high % low === 0 || high === whole;
    });
  let fewest = fitting.map((grid) =>
    grid.every((length, axis) => length >= source[axis]!)
      ? countOperations(shape, source, grid)
      : Infinity
  );
  for (let stage = 0; stage < stages; stage++) {
    fewest = fitting.map((to) =>
      Math.min(
        ...fitting.map((from, at) =>
          fewest[at] === Infinity || !nest(from, to)
            ? Infinity
            : fewest[at]! + 2 * countOperations(shape, from, to)
        ),
      )
    );
  }
  const ends = fitting.map((grid, at) => {
    const isWhole = grid.every((length, axis) =>
      length === shape[axis] || length % target[axis]! === 0
    );
    return isWhole ? fewest[at]! + 2 * countOperations(shape, grid, target) : Infinity;
  });
  return Math.min(...ends);
}
