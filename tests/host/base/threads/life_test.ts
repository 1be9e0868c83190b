import { assertEquals } from "@std/assert";
import { ThreadLife } from "../../../../base/threads/life.ts";

Deno.test("a thread is there from its start until it leaves, which it does without a job only", () => {
  const life = new ThreadLife();
  assertEquals([life.hasStarted, life.isHere, life.isGone, life.numJobs], [false, false, false, 0]);
  // A job may be sent before the thread has started.
  assertEquals(life.claim(), true);
  life.start();
  assertEquals([life.hasStarted, life.isHere, life.isGone, life.numJobs], [true, true, false, 1]);
  assertEquals([life.claim(), life.leave(), life.numJobs], [true, false, 2]);
  life.finish();
  assertEquals([life.leave(), life.isHere], [false, true]);
  life.finish();
  assertEquals(life.leave(), true);
  assertEquals([life.hasStarted, life.isHere, life.isGone, life.numJobs], [true, false, true, 0]);
  assertEquals([life.claim(), life.leave(), life.numJobs], [false, false, 0]);
});

Deno.test("lives lie beside other words, and beside each other", () => {
  const words = new Int32Array(new SharedArrayBuffer(32)).fill(7);
  words.fill(0, 1, 5);
  const [first, second] = [new ThreadLife(words, 1), new ThreadLife(words, 3)];
  first.start();
  assertEquals([first.isHere, second.isHere], [true, false]);
  assertEquals([second.claim(), first.leave(), second.numJobs], [true, true, 1]);
  assertEquals([...words], [7, 1, -1, 0, 1, 7, 7, 7]);
});

Deno.test("a job is not claimed of a thread that leaves at that moment, nor lost with another one", () => {
  const { load } = Atomics;
  /** Claims a job while the other side does something between the look at the word and the claim. */
  const claimDuring = (life: ThreadLife, other: () => void): boolean => {
    Atomics.load = ((words: Int32Array, at: number) => {
      const value = load(words, at);
      Atomics.load = load;
      other();
      return value;
    }) as typeof load;
    try {
      return life.claim();
    } finally {
      Atomics.load = load;
    }
  };
  const left = new ThreadLife();
  assertEquals([claimDuring(left, () => left.leave()), left.isGone], [false, true]);
  const busy = new ThreadLife();
  busy.claim();
  assertEquals([claimDuring(busy, () => busy.finish()), busy.numJobs], [true, 1]);
  assertEquals([claimDuring(busy, () => busy.claim()), busy.numJobs], [true, 3]);
});
