/** The budget of device memory: who waits, who comes first, and that nobody waits for ever. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { MemoryBudget } from "../../../../../gpu/webgpu/memory/memory_budget.ts";
import { turns } from "../../../../support/running/until.ts";

/** Notes the order in which reservations are granted. */
class Grants {
  readonly order: string[] = [];

  watch(name: string, reservation: Promise<void>): Promise<void> {
    return reservation.then(() => void this.order.push(name));
  }
}

/** Lets everything run that is ready, overdrafts included: each of them takes a turn. */
function settle(): Promise<void> {
  return turns(10);
}

Deno.test("what fits is granted at once, and what does not waits until enough is free", async () => {
  const budget = new MemoryBudget(100);
  const grants = new Grants();
  budget.begin(1);
  await budget.reserve(1, 60);
  budget.begin(2);
  const second = grants.watch("second", budget.reserve(2, 60));
  await settle();
  assertEquals(grants.order, []);
  budget.free(60);
  await second;
  assertEquals([budget.inUseBytes, budget.peakBytes], [60, 60]);
});

Deno.test("older batches come first, and nobody is passed over", async () => {
  const budget = new MemoryBudget(100);
  const grants = new Grants();
  budget.begin(1);
  await budget.reserve(1, 100);
  for (const batch of [2, 3, 4]) budget.begin(batch);
  const all = [
    grants.watch("4 small", budget.reserve(4, 10)),
    grants.watch("2 large", budget.reserve(2, 80)),
    grants.watch("3 large", budget.reserve(3, 80)),
    grants.watch("2 again", budget.reserve(2, 20)),
  ];
  budget.free(100);
  await settle();
  assertEquals(grants.order, ["2 large", "2 again"]);
  budget.free(100);
  await settle();
  assertEquals(grants.order.slice(2), ["3 large", "4 small"]);
  await Promise.all(all);
});

Deno.test("the oldest batch that runs may overdraw, the others may not", async () => {
  const budget = new MemoryBudget(100);
  const grants = new Grants();
  for (const batch of [1, 2]) {
    budget.begin(batch);
    await budget.reserve(batch, 50);
  }
  const second = grants.watch("2", budget.reserve(2, 70));
  const first = grants.watch("1", budget.reserve(1, 70));
  await settle();
  assertEquals(grants.order, ["1"]);
  assertEquals(budget.inUseBytes, 170);
  budget.free(120);
  budget.end(1);
  await Promise.all([first, second]);
});

Deno.test("a batch whose elders hold memory without running goes on", async () => {
  const budget = new MemoryBudget(100);
  budget.begin(1);
  await budget.reserve(1, 100);
  budget.end(1);
  budget.begin(2);
  await budget.reserve(2, 40);
  assertEquals(budget.inUseBytes, 140);
});

Deno.test("a batch does not overdraw in the moment between two operations of an older one", async () => {
  const budget = new MemoryBudget(100);
  const grants = new Grants();
  budget.begin(1);
  await budget.reserve(1, 100);
  budget.begin(2);
  const second = grants.watch("2", budget.reserve(2, 40));
  budget.end(1);
  await Promise.resolve();
  budget.begin(1);
  await settle();
  assertEquals(grants.order, []);
  budget.free(100);
  await second;
});

Deno.test("a lone request larger than the budget is granted", async () => {
  const budget = new MemoryBudget(10);
  await budget.reserve(7, 1_000);
  assertEquals(budget.inUseBytes, 1_000);
});

Deno.test("batches that all hold and wait are finished one after the other", async () => {
  const budget = new MemoryBudget(100);
  const finished: number[] = [];
  await Promise.all([1, 2, 3, 4, 5].map(async (batch) => {
    budget.begin(batch);
    await budget.reserve(batch, 20);
    await budget.reserve(batch, 60);
    await settle();
    finished.push(batch);
    budget.free(80);
    budget.end(batch);
  }));
  assertEquals(finished, [1, 2, 3, 4, 5]);
  assertEquals(budget.inUseBytes, 0);
  assert(budget.peakBytes <= 180, `${budget.peakBytes}`);
});

Deno.test("giving up rejects whoever waits with the reason", async () => {
  const budget = new MemoryBudget(10);
  budget.begin(1);
  await budget.reserve(1, 10);
  budget.begin(2);
  const waiting = budget.reserve(2, 10);
  budget.giveUp(new Error("The device was lost"));
  await assertRejects(() => waiting, Error, "The device was lost");
});
