import { assertEquals } from "@std/assert";
import { turnOfEventLoop } from "../../../base/event_loop.ts";
import { withFakeTimers } from "../../support/running/fake_timers.ts";

/** Turns in which even a busy machine gets a file and a timer of a millisecond done. */
const MOST_TURNS = 1_000_000;

Deno.test("turns let timers, operations and immediates come to their turn", async () => {
  const done = new Set<string>();
  const starts: Readonly<Record<string, (then: () => void) => unknown>> = {
    timer: (then) => setTimeout(then, 1),
    operation: (then) => Deno.stat(".").then(then),
    immediate: (then) => setImmediate(then),
  };
  for (const [name, start] of Object.entries(starts)) start(() => done.add(name));
  let numTurns = 0;
  while (done.size < 3 && ++numTurns < MOST_TURNS) await turnOfEventLoop();
  assertEquals(done.size, 3, `after ${numTurns} turns: ${[...done].join(" ")}`);
});

Deno.test("fake timers stop no turn", async () => {
  await withFakeTimers(() => turnOfEventLoop());
});
