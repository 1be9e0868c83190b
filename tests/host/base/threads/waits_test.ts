import { assertEquals } from "@std/assert";
import { waitForChange } from "../../../../base/threads/life.ts";
import { defaultThreads, mostThreads, threadStarter } from "../../../../base/threads/thread.ts";

Deno.test("a word that has changed is waited for no time, and one that does not change not for ever", () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  assertEquals(waitForChange(words, 1, 7, { ms: Infinity, awakeMs: 0 }), true);
  for (const wait of [{ ms: 0, awakeMs: 0 }, { ms: 2, awakeMs: 0 }, { ms: 2, awakeMs: 10 }]) {
    assertEquals(waitForChange(words, 1, 0, wait), false);
  }
});

Deno.test("a word that a thread changes ends the wait, asleep and awake", () => {
  for (const awakeMs of [0, Infinity]) {
    const words = new Int32Array(new SharedArrayBuffer(16));
    const thread = threadStarter<Int32Array, never>(`
      onmessage = ({ data: words }) => {
        // A word beside it is nothing.
        Atomics.store(words, 0, 1);
        Atomics.notify(words, 0);
        Atomics.store(words, 1, 1);
        Atomics.notify(words, 1);
      };`)({ onMessage() {}, onLost() {} });
    thread.send(words);
    assertEquals(waitForChange(words, 1, 0, { ms: Infinity, awakeMs }), true);
    thread.end();
  }
});

Deno.test("threads are as many as are asked for, by default one for each processor, 8 at most", () => {
  const { hardwareConcurrency } = navigator;
  try {
    for (const [processors, wanted] of [[1, 1], [5, 5], [64, 8]] as const) {
      Object.defineProperty(navigator, "hardwareConcurrency", {
        value: processors,
        configurable: true,
      });
      assertEquals([defaultThreads(), mostThreads(undefined)], [wanted, wanted]);
      assertEquals([mostThreads(1), mostThreads(16)], [1, 16]);
    }
  } finally {
    Object.defineProperty(navigator, "hardwareConcurrency", {
      value: hardwareConcurrency,
      configurable: true,
    });
  }
});
