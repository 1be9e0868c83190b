import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ByteBudget } from "../../../streams/budget.ts";

/** Lets what is ready run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("ByteBudget lets requests wait for their turn, in order", async () => {
  const budget = new ByteBudget(100);
  const granted: number[] = [];
  const ask = (numBytes: number) =>
    budget.acquire(numBytes).then(() => void granted.push(numBytes));
  await ask(60);
  const waiting = [ask(50), ask(10)];
  await settle();
  // The small request does not overtake the large one.
  assertEquals([granted, budget.held], [[60], 60]);
  budget.release(60);
  await Promise.all(waiting);
  assertEquals([granted, budget.held, budget.peak], [[60, 50, 10], 60, 60]);
});

Deno.test("ByteBudget grants a request larger than all of it when nothing else is held", async () => {
  const budget = new ByteBudget(10);
  await budget.acquire(500);
  let granted = false;
  const next = budget.acquire(1).then(() => void (granted = true));
  await settle();
  assertEquals(granted, false);
  budget.release(500);
  await next;
  assertEquals(budget.held, 1);
});

Deno.test("ByteBudget forgets a request whose signal is aborted", async () => {
  const budget = new ByteBudget(10);
  await budget.acquire(10);
  const abort = new AbortController();
  const refused = budget.acquire(8, abort.signal);
  const patient = budget.acquire(5);
  abort.abort(new Error("no more"));
  await assertRejects(() => refused, Error, "no more");
  await assertRejects(() => budget.acquire(1, abort.signal), Error, "no more");
  budget.release(10);
  await patient;
  assertEquals(budget.held, 5);
});

Deno.test("ByteBudget refuses nonsense", () => {
  assertThrows(() => new ByteBudget(0), RangeError, "A budget must be positive");
  assertThrows(() => new ByteBudget(5).release(1), RangeError, "Cannot release 1 bytes of 0 held");
});
