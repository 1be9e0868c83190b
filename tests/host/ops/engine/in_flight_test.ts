import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, tableFromArrays, Utf8 } from "apache-arrow";
import type { Backend } from "../../../../gpu/backend.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { Batch } from "../../../../ops/batch/batch.ts";
import { inFlight } from "../../../../ops/engine/in_flight.ts";
import type { StageContext } from "../../../../ops/engine/node.ts";
import { createEngine, expr, filter, fromBatches } from "../../../../mod.ts";
import { stageContext } from "../../../support/pipelines/pipeline_streams.ts";
import { bareBatchOf } from "../../../support/values/streams_samples.ts";
import { turns } from "../../../support/running/until.ts";

/** A backend that is worth `depth` batches in flight. */
function contextOf(depth: number, memory = Infinity, kind: Backend["kind"] = "host"): StageContext {
  const host = createHostBackend();
  const own: Partial<Backend> = { depth, kind };
  const backend = new Proxy<Backend>(host, {
    get: (target, key) => Reflect.get(key in own ? own : target, key, target),
  });
  return stageContext({ backend, memory });
}

/** A batch that is struck off a list when it is released, which it must be once. */
class ListedBatch extends Batch {
  readonly #list: Set<Batch>;

  constructor(row: number, list: Set<Batch>) {
    const source = bareBatchOf({ id: [new Int32(), [row]], word: [new Utf8(), [`w${row}`]] });
    super(source.schema, 1, Batch.fromRecordBatch(source.schema, source).columns);
    this.#list = list.add(this);
  }

  override release(): void {
    assert(this.#list.delete(this), "a batch is released once");
    super.release();
  }
}

/** Batches of one row, and which of them nobody has released. */
class Ledger {
  readonly live = new Set<Batch>();
  readonly rows = new WeakMap<Batch, number>();

  make(row: number): Batch {
    const batch = new ListedBatch(row, this.live);
    this.rows.set(batch, row);
    return batch;
  }

  async *input(count: number, before: (row: number) => unknown = () => {}) {
    for (let row = 0; row < count; row++) {
      await before(row);
      yield this.make(row);
    }
  }
}

/** Work that takes a batch over and gives it back after some turns, later ones sooner. */
const slower = (rows: number[]) =>
  async function* (batch: Batch, firstRow: number) {
    await turns(Math.max(1, 40 - 10 * firstRow));
    rows.push(firstRow);
    yield batch;
  };

async function consume(batches: AsyncIterable<Batch>, most = Infinity): Promise<number> {
  let count = 0;
  for await (const batch of batches) {
    batch.release();
    if (++count === most) break;
  }
  return count;
}

Deno.test("inFlight() gives results in the order of the input, whichever ends first", async () => {
  for (const depth of [1, 2, 4]) {
    const ledger = new Ledger();
    const finished: number[] = [];
    const given: number[] = [];
    for await (const batch of inFlight(ledger.input(6), contextOf(depth), slower(finished))) {
      given.push(ledger.rows.get(batch)!);
      batch.release();
    }
    assertEquals(given, [0, 1, 2, 3, 4, 5]);
    assertEquals(finished.toSorted(), given);
    assertEquals(finished[0], depth - 1);
    assertEquals(ledger.live.size, 0);
  }
});

Deno.test("inFlight() starts no more batches than the depth, nor more bytes than the memory", async () => {
  const one = bareBatchOf({ id: [new Int32(), [0]], word: [new Utf8(), ["w0"]] });
  const bytes = Batch.fromRecordBatch(one.schema, one).numBytes;
  const cases = [[1, Infinity, 1], [3, Infinity, 3], [4, 1, 1], [4, 2 * bytes, 2]] as const;
  for (const [depth, memory, most] of cases) {
    const ledger = new Ledger();
    let running = 0;
    let peak = 0;
    const work = async function* (batch: Batch) {
      peak = Math.max(peak, ++running);
      await turns(1);
      running--;
      yield batch;
    };
    await consume(inFlight(ledger.input(8), contextOf(depth, memory), work));
    assertEquals([peak, ledger.live.size], [most, 0]);
  }
});

Deno.test("inFlight() counts a small batch on a device as a MiB, of 256 MiB at most", async () => {
  for (const [memory, most] of [[1, 1], [3 << 20, 3], [Infinity, 256]] as const) {
    const ledger = new Ledger();
    const all = Promise.withResolvers<void>();
    let running = 0;
    const work = async function* (batch: Batch) {
      // The one that fills the memory ends the wait of all.
      if (++running === most) setTimeout(all.resolve, 1);
      await all.promise;
      yield batch;
    };
    const results = inFlight(ledger.input(300), contextOf(Infinity, memory, "webgpu"), work);
    (await results.next()).value!.release();
    assertEquals([memory, running], [memory, most]);
    await results.return();
    assertEquals(ledger.live.size, 0);
  }
});

Deno.test("inFlight() gives a result at once, though the input has nothing more to give yet", async () => {
  const ledger = new Ledger();
  const more = Promise.withResolvers<void>();
  const input = ledger.input(2, (row) => row === 0 ? undefined : more.promise);
  const results = inFlight(input, contextOf(4), async function* (batch) {
    await turns(1);
    yield batch;
  });
  (await results.next()).value!.release();
  more.resolve();
  assertEquals(await consume(results), 1);
});

Deno.test("inFlight() releases what is under way when its reader leaves or a batch fails", async () => {
  for (const depth of [1, 4]) {
    const left = new Ledger();
    assertEquals(await consume(inFlight(left.input(9), contextOf(depth), slower([])), 2), 2);
    assertEquals(left.live.size, 0);

    const several = new Ledger();
    const twice = async function* (batch: Batch) {
      try {
        yield several.make(100);
        yield several.make(101);
      } finally {
        batch.release();
      }
    };
    assertEquals(await consume(inFlight(several.input(9), contextOf(depth), twice), 1), 1);
    assertEquals(several.live.size, 0);

    const failing = new Ledger();
    const work = async function* (batch: Batch, row: number) {
      await turns(1);
      if (row === 2) {
        batch.release();
        throw new Error("row 2");
      }
      yield batch;
    };
    const results = inFlight(failing.input(9), contextOf(depth), work);
    await assertRejects(() => consume(results), Error, "row 2");
    assertEquals(failing.live.size, 0);
  }
});

Deno.test("inFlight() passes a failure of the input on behind the results before it", async () => {
  for (const depth of [1, 4]) {
    const ledger = new Ledger();
    const input = ledger.input(9, (row) => {
      if (row === 3) throw new Error("input");
    });
    let count = 0;
    const results = inFlight(input, contextOf(depth), slower([]));
    await assertRejects(
      async () => {
        for await (const batch of results) {
          count++;
          batch.release();
        }
      },
      Error,
      "input",
    );
    assertEquals([count, ledger.live.size], [3, 0]);
  }
});

Deno.test("timers and signals have their turn while batches in memory are computed", async () => {
  const table = tableFromArrays({ city: ["Rome", "Oslo", "São Paulo"] });
  const batches = Array(2_000_000).fill(table.batches[0]);
  const engine = createEngine({ device: "cpu" });
  let numTurns = 0;
  const timer = setInterval(() => numTurns++, 10);
  let numRows = 0;
  for await (
    const batch of fromBatches(batches, { engine }).pipeThrough(filter(expr('city > "P"')))
  ) {
    numRows += batch.numRows;
    if (numTurns >= 5) break;
  }
  clearInterval(timer);
  assert(numRows > 0);
  // All batches take ten seconds and more; they would come to their end before.
  assert(numTurns >= 5, `${numTurns} turns`);
  assertEquals(numRows % 2, 0);
});
