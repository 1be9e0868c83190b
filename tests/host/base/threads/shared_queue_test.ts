import { assertEquals } from "@std/assert";
import { SharedQueue } from "../../../../base/threads/shared_queue.ts";
import { threadStarter } from "../../../../base/threads/thread.ts";
import { checkoutPath } from "../../../support/processes/sluice.ts";
import { until } from "../../../support/running/until.ts";

Deno.test("each task is taken once, until none is left or the queue is stopped", () => {
  const queue = new SharedQueue();
  const other = new SharedQueue(queue.buffer);
  assertEquals([queue.take(3), other.take(3), queue.take(3)], [0, 1, 2]);
  assertEquals([other.take(3), queue.take(0), queue.bytes], [undefined, undefined, 0]);
  queue.addBytes(5);
  other.addBytes(2 ** 40);
  assertEquals([queue.bytes, other.bytes], [2 ** 40 + 5, 2 ** 40 + 5]);
  queue.reset();
  assertEquals([other.take(3), other.bytes], [0, 0]);
  queue.stop();
  assertEquals([queue.take(3), other.take(1_000_000)], [undefined, undefined]);
});

Deno.test("threads that share a queue do each of its tasks once", async () => {
  const numTasks = 100_000;
  const queue = new SharedQueue();
  const module = new URL(`file://${checkoutPath("base/threads/shared_queue.ts")}`);
  const counts: number[] = [];
  const threads = [1, 2, 3].map(() => {
    const thread = threadStarter<SharedArrayBuffer, number>(`
      import { SharedQueue } from "${module}";
      onmessage = ({ data }) => {
        const queue = new SharedQueue(data);
        let count = 0;
        while (queue.take(${numTasks}) !== undefined) {
          queue.addBytes(3);
          count++;
        }
        postMessage(count);
      };`)({ onMessage: (count) => counts.push(count), onLost() {} });
    thread.send(queue.buffer);
    return thread;
  });
  await until(() => counts.length === 3, "all of them are done");
  assertEquals(counts.reduce((sum, count) => sum + count), numTasks);
  assertEquals(queue.bytes, 3 * numTasks);
  for (const thread of threads) thread.end();
});
