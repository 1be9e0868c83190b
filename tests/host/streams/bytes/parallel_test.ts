import { assertEquals, assertRejects } from "@std/assert";
import { inParallel } from "../../../../streams/bytes/parallel.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

/** Jobs that end when they are told. */
class Jobs {
  readonly log: string[] = [];
  readonly #pending = new Map<number, PromiseWithResolvers<void>>();

  readonly run = async (item: number, signal: AbortSignal): Promise<string> => {
    const job = Promise.withResolvers<void>();
    this.#pending.set(item, job);
    this.log.push(`start ${item}`);
    signal.addEventListener("abort", () => job.reject(new Error(`${item} was aborted`)));
    try {
      await job.promise;
    } finally {
      this.#pending.delete(item);
      this.log.push(`end ${item}`);
    }
    return `result ${item}`;
  };

  get running(): readonly number[] {
    return [...this.#pending.keys()];
  }

  async end(item: number, error?: Error): Promise<void> {
    const job = this.#pending.get(item)!;
    if (error === undefined) job.resolve();
    else job.reject(error);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

Deno.test("inParallel() runs so many jobs at once, and gives results in the order of the items", () =>
  forSeeds(60, async (random) => {
    const [count, most] = [random.below(9), 1 + random.below(4)];
    const items = Array.from({ length: count }, (_, item) => item);
    const jobs = new Jobs();
    const results = inParallel(items, most, jobs.run);
    for (let left = count; left > 0; left--) {
      assertEquals(jobs.running.length, Math.min(most, left));
      await jobs.end(random.pick(jobs.running));
    }
    assertEquals(await results, items.map((item) => `result ${item}`));
  }));

Deno.test("inParallel() aborts the other jobs at the first failure, and waits for their ends", async () => {
  const jobs = new Jobs();
  const results = inParallel([0, 1, 2, 3, 4], 3, jobs.run);
  results.catch(() => {});
  await jobs.end(1, new Error("the second failed"));
  await assertRejects(() => results, Error, "the second failed");
  assertEquals(jobs.log.sort(), ["end 0", "end 1", "end 2", "start 0", "start 1", "start 2"]);
});

Deno.test("inParallel() ends with the reason of its signal", async () => {
  const jobs = new Jobs();
  const stopper = new AbortController();
  const results = inParallel([0, 1], 1, jobs.run, stopper.signal);
  results.catch(() => {});
  stopper.abort(new Error("enough"));
  await assertRejects(() => results, Error, "enough");
  assertEquals(jobs.log, ["start 0", "end 0"]);
  await assertRejects(() => inParallel([0], 1, jobs.run, stopper.signal), Error, "enough");
  assertEquals(jobs.log.length, 2);
});
