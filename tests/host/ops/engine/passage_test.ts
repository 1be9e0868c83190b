import { assertEquals, assertRejects } from "@std/assert";
import { Int32 } from "apache-arrow";
import { Batch } from "../../../../ops/batch/batch.ts";
import { Passage } from "../../../../ops/engine/passage.ts";
import { Meter } from "../../../../ops/engine/run_stats.ts";
import { bareBatchOf } from "../../../support/values/streams_samples.ts";

/** Batches of 1, 2, 3, ... rows; notes when it is asked, ended and left, and which are released. */
class Giver {
  readonly log: string[] = [];

  async *open(numBatches: number, failure?: Error): AsyncGenerator<Batch, void, void> {
    try {
      for (let numRows = 1; numRows <= numBatches; numRows++) yield this.#batch(numRows);
      if (failure !== undefined) throw failure;
      this.log.push("end");
    } finally {
      this.log.push("close");
    }
  }

  #batch(numRows: number): Batch {
    const source = bareBatchOf({ id: [new Int32(), Array.from({ length: numRows }, () => 0)] });
    const batch = Batch.fromRecordBatch(source.schema, source);
    batch.release = () => void this.log.push(`release ${numRows}`);
    return batch;
  }

  /** A signal that is noted when it aborts. */
  left(): AbortController {
    const left = new AbortController();
    left.signal.addEventListener("abort", () => this.log.push("abort"));
    return left;
  }
}

function meters(): { readonly from: Meter; readonly to: Meter } {
  return { from: new Meter("from", 1, 100), to: new Meter("to", 2, 100) };
}

Deno.test("a passage counts rows, batches and time for both of its ends", async () => {
  const giver = new Giver();
  const ends = meters();
  const passage = new Passage(() => giver.open(3), { ...ends, left: giver.left() });
  for await (const { numRows } of passage) assertEquals(ends.to.rowsIn >= numRows, true);
  assertEquals([ends.from.rowsOut, ends.from.batchesOut], [6, 3]);
  assertEquals([ends.to.rowsIn, ends.to.batchesIn], [6, 3]);
  // The taker did nothing but wait.
  assertEquals(ends.to.elapsedMs, 0);
  assertEquals(giver.log, ["end", "close"]);
  assertEquals(await passage.next(), { done: true, value: undefined });
});

Deno.test("a passage that is left aborts its signal before the giver is closed", async () => {
  const giver = new Giver();
  const passage = new Passage(() => giver.open(3), { ...meters(), left: giver.left() });
  for await (const _ of passage) break;
  assertEquals(giver.log, ["abort", "close"]);
  assertEquals(await passage.next(), { done: true, value: undefined });
  await passage.return();
  assertEquals(giver.log, ["abort", "close"]);
});

Deno.test("a passage that nobody read opens and aborts nothing", async () => {
  const giver = new Giver();
  const open = () => {
    giver.log.push("open");
    return giver.open(1);
  };
  const passage = new Passage(open, { ...meters(), left: giver.left() });
  await passage.return();
  assertEquals(await passage.next(), { done: true, value: undefined });
  assertEquals(giver.log, []);
});

Deno.test("a passage names the error of its giver, and leaves it", async () => {
  const giver = new Giver();
  const passage = new Passage(() => giver.open(1, new Error("broken")), {
    ...meters(),
    left: giver.left(),
    errorOf: (error) => new TypeError(`named: ${(error as Error).message}`),
  });
  await passage.next();
  await assertRejects(() => passage.next(), TypeError, "named: broken");
  assertEquals(giver.log, ["close", "abort"]);
  assertEquals(await passage.next(), { done: true, value: undefined });
});

Deno.test("a passage releases the batch that cannot be settled, at once or later", async () => {
  for (const isLater of [false, true]) {
    const giver = new Giver();
    const settle = (batch: Batch) => {
      if (batch.numRows < 2) return undefined;
      if (isLater) return Promise.reject(new RangeError("too wide"));
      throw new RangeError("too wide");
    };
    const passage = new Passage(() => giver.open(3), { ...meters(), left: giver.left(), settle });
    assertEquals((await passage.next()).done, false);
    await assertRejects(() => passage.next(), RangeError, "too wide");
    assertEquals(giver.log, ["release 2", "abort", "close"]);
  }
});
