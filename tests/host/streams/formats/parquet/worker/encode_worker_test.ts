import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import {
  endIdleEncodeWorker,
  numEncodingThreads,
  startEncodeWorker,
} from "../../../../../../streams/formats/parquet/worker/encode_worker.ts";
import {
  withCountedWorkers,
  type WorkerCounts,
} from "../../../../../support/processes/counted_workers.ts";
import { queryDuckDb } from "../../../../../support/judges/peers.ts";
import {
  batchOf,
  inFolder,
  readAll,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";

/** A folder, and a worker for the next file that is written. */
function withWorker(
  use: (folder: string, counts: WorkerCounts) => Promise<void>,
  program?: string,
): Promise<void> {
  return inFolder((folder) =>
    withCountedWorkers(async (counts) => {
      startEncodeWorker();
      await use(folder, counts);
      endIdleEncodeWorker();
      assertEquals([counts.started, counts.ended, numEncodingThreads()], [1, 1, 0]);
    }, program)
  );
}

/** Batches of uneven lengths, with nulls, of several row groups. */
function someBatches(): arrow.RecordBatch[] {
  return [1, 5000, 70_000, 3, 40_000].map((numRows, batch) => {
    const ids = Array.from({ length: numRows }, (_, row) => row + batch);
    const words = ids.map((id) => id % 5 === 0 ? null : `Zürich ${id % 700}`);
    return batchOf({ id: [new arrow.Int32(), ids], word: [new arrow.Utf8(), words] });
  });
}

const options = { rowGroupRows: 30_000, compression: "snappy" } as const;

Deno.test("a worker writes the bytes that are written in process, and leaves the batches as they are", () =>
  withWorker(async (folder) => {
    const batches = someBatches();
    const [theirs, ours] = ["theirs", "ours"].map((name) => `${folder}/${name}.parquet`);
    await writeAll(writeParquet(theirs!, options), batches);
    await writeAll(writeParquet(ours!, options), batches);
    assertEquals(await Deno.readFile(theirs!), await Deno.readFile(ours!));
    const sums = (name: string) =>
      `select count(*) as n, count(word) as words, sum(id) as ids, sum(length(word)) as chars
        from ${name}`;
    const [judged] = await queryDuckDb(sums(`read_parquet('${theirs}')`));
    const rows = batches.flatMap((batch) => batch.toArray());
    const words: string[] = rows.flatMap(({ word }) => word ?? []);
    const ids = rows.reduce((sum, { id }) => sum + id, 0);
    const expected = [rows.length, words.length, ids, words.join("").length];
    assertEquals(Object.values(judged!).map(Number), expected);
    assertEquals((await readAll(readParquet(theirs!))).length >= 4, true);
  }));

Deno.test("an abort ends the worker, and no file appears", () =>
  withWorker(async (folder) => {
    const writer = writeParquet(`${folder}/out.parquet`, options).getWriter();
    for (const batch of someBatches()) await writer.write(batch);
    assertEquals(numEncodingThreads(), 1);
    await writer.abort(new Error("enough"));
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("a batch that Parquet cannot hold is the same error with a worker", () =>
  withWorker(async (folder) => {
    const span = [new arrow.IntervalMonthDayNano(), [Int32Array.of(1, 2, 3, 0)]] as const;
    const messages: string[] = [];
    for (const _ of ["worker", "in process"]) {
      const sink = writeParquet(`${folder}/out.parquet`);
      const error = await assertRejects(() => writeAll(sink, [batchOf({ span })]), FileError);
      messages.push(error.message);
    }
    assertEquals(messages[0], messages[1]);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("a worker that fails is an error that names the file", () =>
  withWorker(async (folder) => {
    const path = `${folder}/out.parquet`;
    const error = await assertRejects(() => writeAll(writeParquet(path), someBatches()), FileError);
    assert(error.message.startsWith(`${path}: the thread that encodes it failed: `), error.message);
    assert(error.message.includes("planted"), error.message);
    assertEquals([...Deno.readDirSync(folder)], []);
  }, `onmessage = ({ data: { kind } }) => { if (kind === "rows") throw new Error("planted"); };`));
