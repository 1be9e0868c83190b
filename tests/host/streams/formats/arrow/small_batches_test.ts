import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Bool,
  Decimal,
  Field,
  Int32,
  Int64,
  Int8,
  LargeUtf8,
  type RecordBatch,
  Utf8,
} from "apache-arrow";
import { joinArriving } from "../../../../../streams/plan/stream_source.ts";
import { SmallBatches } from "../../../../../streams/data/arrow_data.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { memorySource } from "../../../../../streams/source/memory.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import type { OpenOptions } from "../../../../../streams/plan/source.ts";
import { write } from "../../../../../streams/files/write.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { randomType, typeKinds } from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { idsOf, numberedBatches } from "../../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** With a seed from outside there is one sample, of which nothing is counted. */
const isRepeated = Deno.env.has("SLUICE_SEED");
const together = { rows: 8192, bytes: 1 << 20 };

/** Small batches of columns of any types: slices of one batch, or made apart. */
function randomBatches(random: SeededRandom): RecordBatch[] {
  for (;;) {
    try {
      return randomBatchesOfTypes(random);
    } catch (error) {
      // The indices of a dictionary have 8 bits, and its values are more.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

function randomBatchesOfTypes(random: SeededRandom): RecordBatch[] {
  const types = Array.from(
    { length: 1 + random.below(4) },
    () => randomType(random, typeKinds, 2),
  );
  const fields = types.map((type, i) => new Field(`c${i}`, type, true));
  const batchOfRows = (numRows: number) =>
    batchOfColumns(
      fields,
      types.map((type) => {
        const values = Array.from({ length: numRows }, () => randomValue(random, type));
        return columnOfValues(random, type, values);
      }),
    );
  const whole = batchOfRows(400);
  const isCut = random.chance(0.7);
  const batches: RecordBatch[] = [];
  for (let row = 0; row < 400;) {
    const numRows = Math.min(random.below(4), 400 - row);
    batches.push(isCut ? whole.slice(row, row + numRows) : batchOfRows(numRows));
    row += numRows;
  }
  return batches;
}

function valuesOfAll(batches: readonly RecordBatch[]): unknown[][] {
  const numColumns = batches[0]?.numCols ?? 0;
  return Array.from(
    { length: numColumns },
    (_, i) => batches.flatMap((batch) => valuesOf(batch.data.children[i]!)),
  );
}

Deno.test("small batches of columns of every type are joined, and keep every value", async () => {
  let joined = 0;
  await forSeeds(25, async (random) => {
    const batches = randomBatches(random);
    const given = await readAll(memorySource(batches), { together });
    assertEquals(valuesOfAll(given), valuesOfAll(batches));
    if (given.length < batches.length) joined++;
  });
  assert(joined > 8 || isRepeated, `${joined} of 25 samples were joined`);
});

for (const format of ["file", "stream"] as const) {
  Deno.test(`readIpc() joins small batches of columns of every type (${format})`, () =>
    inFolder(async (folder) => {
      let joined = 0;
      const draws = new Draws(["joined"]);
      await forSeeds(fewOr(6, 15), async (random) => {
        const path = `${folder}/in.arrow`;
        const batches = randomBatches(random);
        const compression = random.pick(["none", "zstd", "lz4"] as const);
        try {
          await writeAll(writeIpc(path, { format, compression }), batches);
          await readAll(readIpc(path));
        } catch (error) {
          // A file has one dictionary, and indices of 8 bits count no further than 127.
          if (/dictionar/.test((error as Error).message)) return;
          throw error;
        }
        const given = await readAll(readIpc(path), { together });
        assertEquals(valuesOfAll(given), valuesOfAll(batches));
        if (given.length < batches.length) {
          joined++;
          draws.add("joined");
        }
        const start = random.below(400);
        const stop = start + random.below(400 - start);
        const part = await readAll(readIpc(path), { together, start, stop, columns: ["c0"] });
        assertEquals(
          part.flatMap((batch) => valuesOf(batch.data.children[0]!)),
          valuesOfAll(batches)[0]!.slice(start, stop),
        );
      }, draws);
      assert(joined > fewOr(0, 4) || isRepeated, `${joined} files were joined`);
    }));

  Deno.test(`readIpc() gives what comes before a broken message first, and names that (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      await writeAll(writeIpc(path, { format }), numberedBatches(100));
      const bytes = await Deno.readFile(path);
      const { number, body } = messagesIn(bytes)
        .map((message, index) => ({ ...message, number: index + 1 })).at(-20)!;
      // An offset of the text of the row.
      bytes.fill(0xff, body, body + 64);
      await Deno.writeFile(path, bytes);
      const failure = async (options: { together?: typeof together }) => {
        const ids: unknown[] = [];
        const error = await assertRejects(async () => {
          for await (const batch of sourceBatches(readIpc(path), options)) {
            ids.push(...idsOf([batch]));
          }
        }, Error);
        return { message: error.message, ids };
      };
      const expected = await failure({});
      assert(expected.message.includes(`in message ${number} `), expected.message);
      assertEquals(await failure({ together }), expected);
    }));
}

/** Batches of one to three rows of columns that are not nested, some of them null. */
function flatBatches(random: SeededRandom, numBatches: number): RecordBatch[] {
  const types = [
    new Bool(),
    new Int64(),
    new Utf8(),
    new LargeUtf8(),
    new Decimal(2, 20),
    new Int8(),
  ]
    .filter((_, i) => i === 2 || random.chance(0.7));
  const fields = types.map((type, i) => new Field(`c${i}`, type, true));
  return Array.from({ length: numBatches }, () => {
    const numRows = 1 + random.below(3);
    const columns = types.map((type) =>
      columnOfValues(random, type, Array.from({ length: numRows }, () => randomValue(random, type)))
    );
    return batchOfColumns(fields, columns);
  });
}

for (const format of ["file", "stream"] as const) {
  Deno.test(`any byte of a small message may be wrong: joined or not, the same comes of it (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      let failed = 0;
      let passed = 0;
      const outcome = async (options: OpenOptions) => {
        const batches: RecordBatch[] = [];
        let message = "";
        try {
          for await (const batch of sourceBatches(readIpc(path), options)) batches.push(batch);
        } catch (error) {
          message = (error as Error).message;
        }
        return { message, values: valuesOfAll(batches) };
      };
      await forSeeds(fewOr(4, 10), async (random) => {
        await writeAll(writeIpc(path, { format }), flatBatches(random, 60));
        const sound = await Deno.readFile(path);
        const messages = messagesIn(sound).filter(({ message }) => message.isRecordBatch());
        const columns = random.chance(0.3) ? ["c1"] : undefined;
        const options = columns === undefined ? {} : { columns };
        for (let draw = 0; draw < 30; draw++) {
          const bytes = sound.slice();
          const { start, body, stop } = messages[30 + random.below(30)]!;
          // Numbers have their low byte first, and small ones are the wrong ones that are believed.
          const at = random.chance(0.5)
            ? start + random.below(stop - start)
            : start + 4 * random.below((random.chance(0.5) ? body - start : stop - start) >> 2);
          bytes[at] = random.chance(0.6) ? random.below(4) : random.below(256);
          await Deno.writeFile(path, bytes);
          const expected = await outcome(options);
          assertEquals(await outcome({ ...options, together }), expected, `byte ${at}`);
          if (expected.message === "") passed++;
          else failed++;
        }
      });
      const least = fewOr(10, 40);
      assert(failed > least && passed > least || isRepeated, `${failed} failed, ${passed} passed`);
    }));
}

Deno.test("batches are joined only where they are small, and have the same columns", async () => {
  const [first, second] = [numberedBatches(200), numberedBatches(3, 1000)];
  const other = batchOf({
    id: [new Int32(), [1]],
    word: [new Utf8(), ["w"]],
    more: [new Int32(), [2]],
  });
  const mixed = [...first, ...second, other, ...first];
  const given = await readAll(memorySource(mixed), { together });
  assertEquals(rowsOf(given), rowsOf(mixed));
  assertEquals(given.filter(({ numRows }) => numRows === 1000).length, 3);
  assertEquals(given.filter(({ numCols }) => numCols === 3).map(({ numRows }) => numRows), [1]);
});

Deno.test("no more than a row for sixteen that were given is held, and no more than the limits", () => {
  const small = new SmallBatches({ rows: 64, bytes: 1 << 20 });
  let pushed = 0;
  let given = 0;
  for (const batch of numberedBatches(3000)) {
    pushed++;
    for (const { numRows } of small.pushBatch(batch)) {
      given += numRows;
      assert(numRows <= 64);
    }
    assert(pushed - given <= Math.min(64, Math.max(1, given / 16)), `${given} of ${pushed}`);
  }
});

Deno.test("joined batches stay below the limit of bytes", async () => {
  const words = Array.from(
    { length: 2000 },
    (_, i) => batchOf({ word: [new Utf8(), [`word ${i}`]] }),
  );
  const given = await readAll(memorySource(words), { together: { rows: 8192, bytes: 1000 } });
  const textOf = (batch: RecordBatch) => batch.data.children[0]!.values.length;
  assertEquals(rowsOf(given), rowsOf(words));
  assert(given.length < 300, `${given.length} batches`);
  assert(Math.max(...given.map(textOf)) <= 1000);
});

Deno.test("a live stream gives all that it has before it waits, and what is there together", async () => {
  const batches = numberedBatches(450);
  const ids: unknown[] = [];
  let next = 0;
  let keptBack = 0;
  // From row 400 on the next batch comes only when all before it have been given.
  const read = async (): Promise<ReadableStreamReadResult<RecordBatch>> => {
    for (let waits = 0; next >= 400 && ids.length < next; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (waits < 200) continue;
      keptBack++;
      break;
    }
    const value = batches[next++];
    return value === undefined
      ? { done: true } as ReadableStreamReadResult<RecordBatch>
      : { done: false, value };
  };
  let numBatches = 0;
  for await (const batch of joinArriving(read, new SmallBatches(together))) {
    numBatches++;
    ids.push(...idsOf([batch]));
  }
  assertEquals(ids, Array.from({ length: 450 }, (_, i) => i));
  assertEquals(keptBack, 0);
  assert(numBatches >= 50 && numBatches < 200, `${numBatches} batches`);
});

Deno.test("a live stream keeps nothing back where a program has clocks of its own", async () => {
  const numRows = 300;
  const batches = numberedBatches(numRows);
  const all = Promise.withResolvers<void>();
  let next = 0;
  const read = async (): Promise<ReadableStreamReadResult<RecordBatch>> => {
    if (next === numRows) await all.promise;
    const value = batches[next++];
    return value === undefined
      ? { done: true } as ReadableStreamReadResult<RecordBatch>
      : { done: false, value };
  };
  const { setTimeout } = globalThis;
  let numGiven = 0;
  const given = (async () => {
    for await (const batch of joinArriving(read, new SmallBatches(together))) {
      numGiven += batch.numRows;
    }
  })();
  // Clocks that stand still, as those of tests do.
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
  try {
    for (let turn = 0; numGiven < numRows && turn < 60_000; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  const numBeforeEnd = numGiven;
  all.resolve();
  await given;
  assertEquals(numBeforeEnd, numRows);
});

Deno.test("files that have no batches are written from joined ones, the same bytes", () =>
  inFolder(async (folder) => {
    const batches = numberedBatches(400);
    for (const suffix of ["csv", "ndjson", "parquet", "arrow"]) {
      const path = `${folder}/out.${suffix}`;
      const sink = write(path);
      const writer = sink.getWriter();
      let steps = 0;
      let before = 0;
      for (const batch of batches) {
        await writer.write(batch);
        if (sink.bytesWritten > before) steps++;
        before = sink.bytesWritten;
      }
      await writer.close();
      const rows = rowsOf(await readAll(openSource(path)));
      assertEquals(
        rows.map(({ id, word }) => `${id} ${word}`),
        batches.map((_, i) => `${i} w${i}`),
      );
      if (suffix === "arrow") assertEquals((await readAll(readIpc(path))).length, 400);
      else assert(steps < 150, `${suffix}: bytes came with ${steps} of 400 batches`);
    }
    const whole = batchOf({
      id: [new Int32(), batches.map((_, i) => i)],
      word: [new Utf8(), batches.map((_, i) => `w${i}`)],
    });
    for (const suffix of ["csv", "ndjson"]) {
      await writeAll(write(`${folder}/whole.${suffix}`), [whole]);
      const [joined, expected] = [`out.${suffix}`, `whole.${suffix}`]
        .map((name) => Deno.readTextFileSync(`${folder}/${name}`));
      assertEquals(joined, expected);
    }
  }));
