import { assert, assertEquals } from "@std/assert";
import { Field, Float64, makeData, type RecordBatch } from "apache-arrow";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import { batchOfColumns } from "../../../../support/values/arrow_columns.ts";
import { withFooter } from "../../../../support/files/arrow_footers.ts";
import { RangeServer } from "../../../../support/files/range_server.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** Batches of columns c0, c1 and so on, each of the numbers of the rows. */
function batchesOf(numBatches: number, batchRows: number, numColumns: number): RecordBatch[] {
  const names = Array.from({ length: numColumns }, (_, index) => `c${index}`);
  const fields = names.map((name) => new Field(name, new Float64(), false));
  return Array.from({ length: numBatches }, (_, batch) => {
    const data = Float64Array.from({ length: batchRows }, (_, row) => batch * batchRows + row);
    const column = makeData({ type: new Float64(), length: batchRows, nullCount: 0, data });
    return batchOfColumns(fields, fields.map(() => column));
  });
}

/** Files of the same batches, with rows in the footer and without, and a stream. */
function filesOf(batches: readonly RecordBatch[]) {
  const { schema } = batches[0]!;
  const own = encodeArrow(schema, batches, { format: "file" });
  return { own, foreign: withFooter(own), stream: encodeArrow(schema, batches) };
}

/** The numbers of the rows of a slice, and the requests that they took. */
async function readSlice(
  server: RangeServer,
  name: string,
  slice: ReturnType<typeof rowSlice>,
  columns?: readonly string[],
) {
  const before = server.log.length;
  const source = readIpc(server.url(name));
  assert(await source.schema() !== undefined && await source.canSeek());
  const rows: number[] = [];
  for await (const { batch, runs } of source.rows([slice], columns ? { columns } : {})) {
    assertEquals(batch.numCols, columns?.length ?? batch.schema.fields.length);
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      const { values } = batch.data.children[0]!;
      for (let index = 0; index < count; index++) rows.push(values[start + step * index]);
    }
  }
  assertEquals(source.numRequests, server.log.length - before);
  return { rows, requests: server.log.length - before, bytes: source.bytesRead };
}

function integers(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}

Deno.test("rows of large batches on a server take the footer, and one request or two", async (t) => {
  const numRows = 3 * 65_536;
  const files = filesOf(batchesOf(3, 65_536, 10));
  const batchBytes = files.own.length / 3;
  await using server = new RangeServer(files);
  const last = rowSlice(-10);
  const front = 65_536;
  const jobs = [
    ["own", "the last rows", last, undefined, 2, numRows - 10],
    ["foreign", "the last rows", last, undefined, 2, numRows - 10],
    ["own", "the last rows of a column", last, ["c7"], 3, numRows - 10],
    ["foreign", "the last rows of a column", last, ["c7"], 3, numRows - 10],
    ["own", "the first rows", rowSlice(0, 10), undefined, 2, 0],
    ["foreign", "the first rows", rowSlice(0, 10), undefined, 2, 0],
    ["own", "a window", rowSlice(front, front + 10), undefined, 2, front],
  ] as const;
  for (const [name, what, slice, columns, requests, first] of jobs) {
    await t.step(`${what} of a file that is ${name}`, async () => {
      const given = await readSlice(server, name, slice, columns);
      assertEquals(given.rows, integers(first, 10));
      assertEquals(given.requests, requests);
      const most = (512 << 10) + (columns === undefined ? 1.1 : 0.2) * batchBytes;
      assert(given.bytes <= most, `${given.bytes} of at most ${most} bytes`);
    });
  }
});

Deno.test("rows of huge batches on a server are read alone", async () => {
  const files = filesOf(batchesOf(2, 200_000, 10));
  await using server = new RangeServer(files);
  for (const name of ["own", "foreign"] as const) {
    const given = await readSlice(server, name, rowSlice(-10));
    assertEquals(given.rows, integers(399_990, 10));
    assert(given.bytes < 1 << 20, `${given.bytes} bytes`);
  }
});

Deno.test("a window of a thousand small foreign batches takes few requests for their headers", async () => {
  const files = filesOf(batchesOf(1000, 1500, 1));
  await using server = new RangeServer(files);
  const given = await readSlice(server, "foreign", rowSlice(750_000, 750_010));
  assertEquals(given.rows, integers(750_000, 10));
  assert(given.requests <= 1 + 20 + 1, `${given.requests} requests`);
});

Deno.test("rows of our files on a server are counted with one request, those of streams not", async () => {
  const files = filesOf(batchesOf(40, 5000, 4));
  await using server = new RangeServer(files);
  assertEquals(await readIpc(server.url("own")).numRows(), 200_000);
  assertEquals(server.log.length, 1);
  assertEquals(await readIpc(server.url("foreign")).numRows(), 200_000);
  const stream = readIpc(server.url("stream"));
  assertEquals(await stream.numRows(), undefined);
  assertEquals(await stream.canSeek(), false);
});

Deno.test("all rows of a file on a server come once, and some batches at a time", async () => {
  const files = filesOf(batchesOf(40, 20_000, 4));
  await using server = new RangeServer(files);
  const source = readIpc(server.url("own"));
  const rows: number[] = [];
  for await (const batch of sourceBatches(source)) rows.push(...batch.data.children[3]!.values);
  assertEquals(rows, integers(0, 800_000));
  assert(source.bytesRead <= files.own.length, `${source.bytesRead} of ${files.own.length} bytes`);
  assert(server.mostAtOnce > 1);
});

Deno.test("batches backwards, and every few, come several at a time", async () => {
  const files = filesOf(batchesOf(300, 500, 4));
  await using server = new RangeServer(files);
  const all = integers(0, 150_000);
  const back = await readSlice(server, "own", rowSlice(null, null, -1));
  assertEquals(back.rows, all.toReversed());
  assert(back.requests <= 12, `${back.requests} requests`);
  const some = await readSlice(server, "own", rowSlice(7, null, 1500));
  assertEquals(some.rows, all.filter((row) => row % 1500 === 7));
  assert(server.mostAtOnce >= 8, `${server.mostAtOnce} at once`);
});
