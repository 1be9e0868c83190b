import { assert, assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { readIpc } from "../../../../support/files/ipc.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import {
  batchRows,
  numBatches,
  numRows,
  type SparseFile,
  writeSparse,
} from "../../../../support/files/sparse_arrow.ts";
import { inFolder } from "../../../../support/values/streams_samples.ts";

/** Whether the footer has the rows of each batch. */
const footers = { "a file of ours": true, "a foreign file": false } as const;

/** The first message, and what is read of the front and the end to see what a file is. */
const kindBytes = 16 << 10;

/** A request, its rows, and what it may read besides the footer. */
interface Job {
  readonly request: RowRequest;
  readonly columns?: readonly string[];
  /** In bytes of a whole batch. */
  readonly batches: number;
  /** Read where the footer has no lengths; that of a batch that is read does not count. */
  readonly headers: number;
  readonly ids: readonly number[];
}

/** Numbers of a run; those of the batches that are holes read as 0. */
function ids(start: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, index) => start + index * step);
}

const jobs: Record<string, Job> = {
  "the last 10 rows": {
    request: [rowSlice(-10)],
    batches: 0.01,
    headers: 1,
    ids: ids(numRows - 10, 10),
  },
  "the last 10 rows backwards": {
    request: [rowSlice(null, -11, -1)],
    batches: 0.01,
    headers: 1,
    ids: ids(numRows - 1, 10, -1),
  },
  "two of ten columns of the last 10 rows": {
    request: [rowSlice(-10)],
    columns: ["id", "value 3"],
    batches: 0.002,
    headers: 1,
    ids: ids(numRows - 10, 10),
  },
  "a row and another from the end": {
    request: [{ kind: "list", parts: [-1, -7] }],
    batches: 0.01,
    headers: 1,
    ids: [numRows - 1, numRows - 7],
  },
  "the first 10 rows": {
    request: [rowSlice(0, 10)],
    batches: 0.01,
    headers: 1,
    ids: ids(0, 10, 0),
  },
  "a window in the middle": {
    request: [rowSlice(5_000_000, 5_000_100)],
    batches: 0.01,
    headers: Math.ceil(5_000_100 / batchRows * 1.1),
    ids: ids(0, 100, 0),
  },
  "rows of the last two batches": {
    request: [rowSlice(-batchRows - 2, null, batchRows)],
    batches: 0.02,
    headers: 6,
    ids: [0, numRows - 2],
  },
};

for (const [whose, hasLengths] of Object.entries(footers)) {
  Deno.test(`of ${whose} of 1 GB, rows cost the footer and little more than themselves`, (t) =>
    inFolder(async (folder) => {
      const path = `${folder}/sparse.arrow`;
      const file = writeSparse(path, hasLengths);
      assert(file.numBytes > 1e9, `${file.numBytes} bytes`);
      for (const [what, job] of Object.entries(jobs)) {
        await t.step(what, () => checkJob(path, file, job, whose === "a foreign file"));
      }
    }));

  Deno.test(`the rows of ${whose} are counted without a body`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/sparse.arrow`;
      const { footerBytes, headerBytes } = writeSparse(path, hasLengths);
      const source = readIpc(path);
      assertEquals(await source.numRows(), numRows);
      const headers = whose === "a foreign file" ? numBatches : 0;
      const most = footerBytes + kindBytes + headers * headerBytes;
      assert(source.bytesRead <= most, `${source.bytesRead} of ${most} bytes`);
    }));
}

async function checkJob(path: string, file: SparseFile, job: Job, isForeign: boolean) {
  const { request, columns } = job;
  const source = readIpc(path);
  await source.schema();
  const given: number[] = [];
  for await (const { batch, runs } of source.rows(request, columns ? { columns } : {})) {
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      given.push(...ids(start, count, step).map((row) => idAt(batch, row)));
    }
  }
  assertEquals(given, job.ids);
  const { footerBytes, batchBytes, headerBytes } = file;
  const headers = isForeign ? job.headers : 0;
  const most = footerBytes + kindBytes + job.batches * batchBytes + headers * headerBytes;
  assert(source.bytesRead <= most, `${source.bytesRead} of at most ${most} bytes`);
}

function idAt(batch: RecordBatch, row: number): number {
  return batch.getChild("id")!.get(row);
}
