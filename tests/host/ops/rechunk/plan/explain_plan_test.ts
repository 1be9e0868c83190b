import { assertEquals } from "@std/assert";
import { explainPlan } from "../../../../../ops/rechunk/plan/explain_plan.ts";
import { planRechunk } from "../../../../../ops/rechunk/plan/plan_rechunk.ts";
import type { RechunkPlan } from "../../../../../ops/rechunk/plan/rechunk_plan.ts";

Deno.test("explainPlan() says what is read, kept in between and written, and what it comes to", () => {
  const options = {
    shape: [100, 100],
    itemsize: 4,
    source: [100, 1],
    target: [1, 100],
    maxMem: 400,
  };
  const plan: RechunkPlan = {
    stages: [
      { read: [100, 1], intermediate: [10, 1], write: [10, 10], operations: 1000 },
      { read: [10, 10], intermediate: [1, 10], write: [1, 100], operations: 1000 },
    ],
    reads: 2200,
    writes: 2100,
    bytes: 240_000,
    lowerBound: 1900,
    peakMemory: 400,
    cost: 4300 / 2000,
  };
  assertEquals(explainPlan(plan, options), [
    "chunks of 100,1 (400 B) become chunks of 1,100 (400 B)",
    "read the source in boxes of 100,1 (400 B): 100 reads",
    "stage 1: boxes of 100,1 (400 B) to chunks of 10,1 (40 B) to boxes of 10,10 (400 B): 1,000 pieces",
    "stage 2: boxes of 10,10 (400 B) to chunks of 1,10 (40 B) to boxes of 1,100 (400 B): 1,000 pieces",
    "write the target from boxes of 1,100 (400 B): 100 writes",
    "in all 2,200 reads and 2,100 writes, 240.0 kB",
    "2,000 pieces between the stages, 5.3 % above the lower bound of 1,900",
    "largest box 400 B, estimated time 2.1 s",
  ]);
});

Deno.test("explainPlan() of a direct plan has neither stages nor a bound", () => {
  const options = { shape: [10], itemsize: 100, source: [4], target: [5], maxMem: 1000 };
  assertEquals(explainPlan(planRechunk(options), options), [
    "chunks of 4 (400 B) become chunks of 5 (500 B)",
    "read the source in boxes of 10 (1.0 kB): 3 reads",
    "write the target from boxes of 10 (1.0 kB): 2 writes",
    "in all 3 reads and 2 writes, 2.0 kB",
    "largest box 1.0 kB, estimated time 2.5 ms",
  ]);
});

Deno.test("explainPlan() says how often chunks of the source are read, and times of any length", () => {
  const options = { shape: [20], itemsize: 1, source: [4], target: [5], maxMem: 5 };
  const plan = planRechunk(options);
  assertEquals(
    explainPlan(plan, options)[1],
    "read the source in boxes of 5 (5 B): 8 reads, 1.60 of each chunk on average",
  );
  const times: [number, string][] = [
    [0, "0 ms"],
    [0.0123, "12 ms"],
    [1, "1 s"],
    [99.4, "99 s"],
    [100, "2 min"],
    [11_800, "3 h 17 min"],
  ];
  for (const [cost, text] of times) {
    const line = explainPlan({ ...plan, cost }, options).at(-1);
    assertEquals(line, `largest box 5 B, estimated time ${text}`);
  }
});

Deno.test("explainPlan() of an array without axes speaks of one item", () => {
  const options = { shape: [], itemsize: 4, source: [], target: [], maxMem: 4 };
  assertEquals(
    explainPlan(planRechunk(options), options)[0],
    "chunks of one item (4 B) become chunks of one item (4 B)",
  );
});
