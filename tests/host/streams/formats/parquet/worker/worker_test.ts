import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { encodeArrow } from "../../../../../../streams/formats/arrow/encoder.ts";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { parquetSource } from "../../../../../support/files/parquet_source.ts";
import {
  allowDecodeWorkers,
  endIdleDecodeWorkers,
  numDecodingThreads,
} from "../../../../../../streams/formats/parquet/worker/decode_worker.ts";
import { rowSlice } from "../../../../../../streams/rows/row_slice.ts";
import type { Source } from "../../../../../../streams/plan/source.ts";
import {
  withCountedWorkers,
  type WorkerCounts,
} from "../../../../../support/processes/counted_workers.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";
import { turns, until } from "../../../../../support/running/until.ts";
import { sourceBatches } from "../../../../../support/pipelines/source_batches.ts";

/** A source that another thread decodes, however small the file is. */
function helped(path: string, aheadBytes = 1 << 20): Source {
  return parquetSource(path, { aheadBytes, leastBytes: 0 });
}

/** A folder with a file, and the workers of this test alone. */
function withWorkers(
  use: (path: string, counts: WorkerCounts) => Promise<void>,
  program?: string,
): Promise<void> {
  return inFolder(async (folder) => {
    allowDecodeWorkers();
    endIdleDecodeWorkers();
    await withCountedWorkers((counts) => use(`${folder}/in.parquet`, counts), program);
    endIdleDecodeWorkers();
  });
}

/** Batches as bytes, so that types, nulls and boundaries are compared. */
function bytesOf(batches: readonly arrow.RecordBatch[]): Uint8Array {
  return encodeArrow(batches[0]!.schema, batches);
}

function numbers(numRows: number, first = 0): arrow.RecordBatch {
  const values = Array.from({ length: numRows }, (_, row) => first + row);
  const words = values.map((value) => value % 10 === 3 ? null : `Zürich ${value}`);
  return batchOf({ id: [new arrow.Int32(), values], word: [new arrow.Utf8(), words] });
}

/** Writes 1,000 rows in groups of 100. */
async function writeGroups(path: string): Promise<void> {
  const options = { compression: "none", rowGroupRows: 100 } as const;
  await writeAll(writeParquet(path, options), [numbers(1000)]);
}

Deno.test("a worker gives the batches that are decoded in process, of all types", () =>
  withWorkers(async (path, counts) => {
    const batch = allTypesBatch(500);
    const schema = new arrow.Schema(batch.schema.fields.filter(isStorable));
    const stored = batch.selectAt(
      batch.schema.fields.flatMap((field, index) => isStorable(field) ? [index] : []),
    );
    assertEquals(stored.schema.fields.length, schema.fields.length);
    await writeAll(writeParquet(path, { rowGroupRows: 70 }), [stored]);
    const expected = await readAll(readParquet(path));
    assertEquals(bytesOf(await readAll(helped(path))), bytesOf(expected));
    assertEquals([counts.started, counts.answers.get("rows")], [1, expected.length]);
    const names = [expected[0]!.schema.names[3] as string];
    assertEquals(
      bytesOf(await readAll(helped(path), { columns: names })),
      bytesOf(await readAll(readParquet(path), { columns: names })),
    );
  }));

/** Whether Parquet has the type. */
function isStorable({ type }: arrow.Field): boolean {
  return !arrow.DataType.isUnion(type) && !arrow.DataType.isInterval(type);
}

Deno.test("a worker gives the rows of slices in a row, and those backwards are decoded in process", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const rowsOfSlice = async (
      source: Source,
      start: number,
      stop: number | null,
      step: number,
    ) => {
      const ids: number[] = [];
      for await (const { batch, runs } of source.rows([rowSlice(start, stop, step)], {})) {
        const all = [{ start: 0, step: 1, count: batch.numRows }];
        for (const run of runs ?? all) {
          for (let i = 0; i < run.count; i++) ids.push(batch.get(run.start + i * run.step)!.id);
        }
      }
      return ids;
    };
    for (const [start, stop] of [[0, null], [150, null], [95, -95], [-1000, null]] as const) {
      const expected = Array.from({ length: 1000 }, (_, id) => id).slice(start, stop ?? undefined);
      assertEquals(await rowsOfSlice(helped(path), start, stop, 1), expected);
    }
    assertEquals(counts.started, 1);
    const answered = counts.answers.get("rows");
    assertEquals((await rowsOfSlice(helped(path), -1, null, -3)).length, 334);
    assertEquals(counts.answers.get("rows"), answered);
  }));

Deno.test("a worker decodes no more ahead than it may", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const batches = sourceBatches(helped(path, 1));
    const first = await batches.next();
    assertEquals(first.value!.numRows, 100);
    // The one that was taken, and one ahead.
    await until(() => counts.answers.get("rows") === 2, "one is ahead");
    await turns(100);
    assertEquals(counts.answers.get("rows"), 2);
    await batches.return();
    assertEquals(counts.ended, 1);
  }));

Deno.test("readers that wait for each other have a worker each, whose bytes are counted apart", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const sides = [sourceBatches(helped(path, 1)), sourceBatches(helped(path, 1))] as const;
    let numRows = 0;
    for await (const batch of sides[0]) {
      const other = await sides[1].next();
      assertEquals(bytesOf([other.value!]), bytesOf([batch]));
      numRows += batch.numRows;
    }
    assertEquals([numRows, (await sides[1].next()).done], [1000, true]);
    assertEquals(counts.started, Math.min(2, navigator.hardwareConcurrency));
  }));

Deno.test("an abort ends a read that a worker does not answer", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const abort = new AbortController();
    const next = sourceBatches(helped(path), { signal: abort.signal }).next();
    await until(() => counts.started === 1, "a worker is there");
    await turns(50);
    abort.abort();
    assertEquals((await next).done, true);
    assertEquals([counts.started, counts.ended], [1, 1]);
  }, "onmessage = () => {};"));

Deno.test("a row group that cannot be decoded is the same error from a worker, behind the rows before it", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const bytes = await Deno.readFile(path);
    // The header of a page in the middle of the file.
    const text = new TextEncoder().encode("Zürich 500");
    const at = bytes.findIndex((_, start) => text.every((byte, i) => bytes[start + i] === byte));
    bytes.fill(0xff, at - 80, at - 10);
    await Deno.writeFile(path, bytes);
    const readRows = async (source: Source) => {
      let numRows = 0;
      const error = await assertRejects(async () => {
        for await (const batch of sourceBatches(source)) numRows += batch.numRows;
      }, FileError);
      return [numRows, error.message, error.file];
    };
    const expected = await readRows(readParquet(path));
    assert(`${expected[1]}`.startsWith(`${path}: column `), `${expected[1]}`);
    assertEquals(expected[0], 500);
    assertEquals(await readRows(helped(path)), expected);
    assertEquals(counts.answers.get("failed"), 1);
    // The worker is as good as before.
    await writeGroups(path);
    assertEquals((await readAll(helped(path))).length, 10);
  }));

Deno.test("a worker that fails in the middle of a file is an error that names the file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeGroups(path);
    const [batch] = await readAll(readParquet(path));
    const schema = JSON.stringify([...encodeArrow(batch!.schema, [])]);
    const program = `onmessage = ({ data: { kind } }) => {
      if (kind !== "rows") return;
      const schema = new Uint8Array(${schema});
      postMessage({ kind: "schema", schema, numRows: 1000, bytesRead: 0 });
      setTimeout(() => postMessage({ get kind() { throw new Error("planted") } }), 20);
    };`;
    await withWorkers(async (_, counts) => {
      const error = await assertRejects(() => readAll(helped(path)), FileError);
      const problem = "the thread that decodes it failed: Uncaught Error: planted";
      assertEquals(error.message, `${path}: ${problem}`);
      assertEquals([counts.started, counts.ended], [1, 1]);
    }, program);
  }));

Deno.test("a file is decoded in process where a worker fails before its first row", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const expected = bytesOf(await readAll(readParquet(path)));
    assertEquals(bytesOf(await readAll(helped(path))), expected);
    assertEquals([counts.started, counts.ended], [1, 1]);
  }, `onmessage = ({ data: { kind } }) => { if (kind === "rows") throw new Error("planted"); };`));

Deno.test("another file under the name is noticed by a worker too", () =>
  withWorkers(async (path) => {
    await writeGroups(path);
    const source = helped(path);
    await source.schema();
    const other = `${path}.other`;
    await writeGroups(other);
    await Deno.rename(other, path);
    const error = await assertRejects(() => readAll(source), FileError);
    assertEquals(error.message, `${path}: was replaced by another file while it was read`);
  }));

Deno.test("a worker counts the bytes that it reads", () =>
  withWorkers(async (path, counts) => {
    await writeGroups(path);
    const [here, there] = [readParquet(path), helped(path)];
    for (const source of [here, there]) {
      await source.schema();
      assertEquals(rowsOf(await readAll(source)).length, 1000);
    }
    assertEquals(counts.started, 1);
    assertEquals(there.bytesRead, here.bytesRead);
  }));

Deno.test("a worker counts as decoding until its last rows were read, also while it waits for the reader", () =>
  withWorkers(async (path) => {
    await writeGroups(path);
    // Each batch waits until the one before is taken.
    const rows = sourceBatches(helped(path, 1))[Symbol.asyncIterator]();
    assertEquals(numDecodingThreads(), 0);
    for (let numRead = 0; !(await rows.next()).done; numRead++) {
      if (numRead % 4 === 0) await turns(50);
      assertEquals(numDecodingThreads(), 1, `${numRead} batches`);
    }
    await until(() => numDecodingThreads() === 0, "it counts no longer");
  }));
