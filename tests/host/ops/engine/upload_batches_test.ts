/** Small batches on their way to a device, joined. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Batch } from "../../../../ops/batch/batch.ts";
import { uploadBatches } from "../../../../ops/engine/upload_batches.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { wordsBatch } from "../../../support/values/streams_samples.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const { schema } = batchOf(1, 0);

/** A batch with ids that count up from a number. */
function batchOf(numRows: number, first: number): Batch {
  const words = Array.from({ length: numRows }, (_, row) => `w${first + row}`);
  const batch = wordsBatch(words, first);
  return Batch.fromRecordBatch(batch.schema, batch);
}

/** Counts batches that nobody has released. */
class CountedBatch extends Batch {
  static live = 0;

  constructor(numRows: number, first: number) {
    super(schema, numRows, batchOf(numRows, first).columns);
    CountedBatch.live++;
  }

  override release(): void {
    CountedBatch.live--;
    super.release();
  }
}

/** Batches of the given rows; `before` is called before each. */
async function* inputOf(sizes: readonly number[], before: (at: number) => unknown = () => {}) {
  let first = 0;
  for (const [at, numRows] of sizes.entries()) {
    await before(at);
    yield new CountedBatch(numRows, first);
    first += numRows;
  }
}

const idsOf = ({ columns, numRows }: Batch) => {
  const column = columns[0]!.toArrow();
  return Array.from(column.values.subarray(0, numRows) as Int32Array);
};

Deno.test("joined batches have the rows in order, below the limit, large ones as they came", async () => {
  await forSeeds(40, async (random) => {
    const sizes = Array.from({ length: 1 + random.below(60) }, () => random.below(40));
    const limit = random.pick([1, 200, 2000, 1 << 20]);
    const ids: number[] = [];
    let given = 0;
    for await (const batch of uploadBatches(inputOf(sizes), schema, limit)) {
      ids.push(...idsOf(batch));
      const isOriginal = batch instanceof CountedBatch;
      // Without rows there still is an offset.
      const isSmall = batch.numRows === 0 || batch.numBytes <= limit;
      assert(isOriginal || isSmall, `${batch.numBytes} bytes of ${limit}`);
      // What has doubled is given, and one batch may come on top.
      assert(isOriginal || batch.numBytes <= given + batchOf(40, 1000).numBytes);
      given += batch.numBytes;
      batch.release();
    }
    assertEquals(ids, Array.from(ids, (_, id) => id));
    assertEquals(ids.length, sizes.reduce((sum, size) => sum + size, 0));
    assertEquals(CountedBatch.live, 0);
  });
});

Deno.test("a thousand small batches become a few", async () => {
  let count = 0;
  const sizes = Array.from({ length: 1000 }, () => 5);
  // Made before, so that none has to be waited for.
  const made = await Array.fromAsync(inputOf(sizes));
  const input = (async function* () {
    yield* made;
  })();
  for await (const batch of uploadBatches(input, schema, 1 << 20)) {
    batch.release();
    count++;
  }
  assert(count < 30, `${count} batches`);
});

Deno.test("rows that are held are given when the source pauses", async () => {
  const more = Promise.withResolvers<void>();
  const input = inputOf([9, 1, 1, 1], (at) => at === 3 ? more.promise : undefined);
  const batches = uploadBatches(input, schema, 1 << 20);
  const next = async () => {
    const { value } = await batches.next();
    value?.release();
    return value?.numRows;
  };
  assertEquals([await next(), await next()], [9, 2]);
  more.resolve();
  assertEquals([await next(), await next()], [1, undefined]);
});

Deno.test("a source that never pauses for long does not have its rows held for ever", async () => {
  let pulled = 0;
  const input = inputOf(Array.from({ length: 100 }, (_, at) => at === 0 ? 500 : 1), async (at) => {
    pulled = at;
    if (at > 0) await sleep(5);
  });
  const batches = uploadBatches(input, schema, 1 << 20);
  (await batches.next()).value!.release();
  (await batches.next()).value!.release();
  assert(pulled < 99, `${pulled} batches were held`);
  await batches.return();
  assertEquals(CountedBatch.live, 0);
});

Deno.test("a failure of the source follows the rows before it", async () => {
  const input = inputOf([9, 2, 2, 1], (at) => {
    if (at === 3) throw new RangeError("broken");
  });
  const sizes: number[] = [];
  await assertRejects(
    async () => {
      for await (const batch of uploadBatches(input, schema, 1 << 20)) {
        sizes.push(batch.numRows);
        batch.release();
      }
    },
    RangeError,
    "broken",
  );
  assertEquals(sizes, [9, 4]);
  assertEquals(CountedBatch.live, 0);
});

Deno.test("a reader that leaves at any moment leaves nothing behind", async () => {
  for (let most = 0; most < 12; most++) {
    let isClosed = false;
    const sizes = Array.from({ length: 30 }, (_, at) => at % 7 === 6 ? 90 : 2);
    const input = (async function* () {
      try {
        yield* inputOf(sizes, (at) => at % 5 === 4 ? sleep(at === 14 ? 30 : 0) : undefined);
      } finally {
        isClosed = true;
      }
    })();
    const batches = uploadBatches(input, schema, 2000);
    for (let count = 0; count <= most; count++) (await batches.next()).value?.release();
    await batches.return();
    assertEquals([most, CountedBatch.live, isClosed], [most, 0, true]);
  }
});
