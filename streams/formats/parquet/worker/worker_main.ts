/**
 * The program of a thread that decodes Parquet files: one job after the other, until none comes for
 * a while.
 *
 * @module
 */

import { ByteBudget } from "../../../../base/threads/byte_budget.ts";
import { ThreadLife } from "../../../../base/threads/life.ts";
import { IdleStop, threadScope } from "../../../../base/threads/scope.ts";
import { encodeArrow } from "../../arrow/encoder.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { FileInput } from "../../../bytes/file_input.ts";
import { showControls } from "../../../../base/show_controls.ts";
import { nameOfPath } from "../../../../base/url.ts";
import { KeptHead } from "../metadata/head.ts";
import { loadParquetWasm } from "../module/module.ts";
import { countParquetRows, readParquetRows, readParquetSchema } from "../read/reader.ts";
import { batchMessage } from "./batch_message.ts";
import type { DescribeJob, FromDecodeWorker, Job, RowsJob, ToDecodeWorker } from "./messages.ts";
import { RowsAhead } from "./rows_ahead.ts";

/** The milliseconds without a job after which the thread ends. */
const idleMs = 100;
/** The most heads of files that are kept between jobs. */
const mostHeads = 16;

type WithoutBytes<T> = T extends unknown ? Omit<T, "bytesRead"> : never;
type Answer = WithoutBytes<FromDecodeWorker>;

const heads = new Map<string, KeptHead>();
const ahead = new RowsAhead(headOf);
const scope = threadScope<ToDecodeWorker, FromDecodeWorker>();
let life = new ThreadLife();
let idle = new IdleStop(life);
let budget = new ByteBudget(0);
/** Whether it waits for the next job without limit. */
let stays = false;
let bytesRead = 0;

scope.addEventListener("message", ({ data }) => {
  if (data.kind === "control") {
    life = new ThreadLife(data.life);
    idle = new IdleStop(life);
    life.start();
    stays = data.stays;
    ahead.expect(data.expected);
  } else if (data.kind === "took") budget.free(data.numBytes);
  else void run(data);
});
// Load early, before a job comes. If loading fails, the job reports the error.
loadParquetWasm().catch(() => {});

async function run(job: Job): Promise<void> {
  idle.stop();
  bytesRead = 0;
  const last = await (job.kind === "rows" ? sendRows(job) : describe(job));
  // Do this before the last answer, after which another job may come.
  life.finish();
  if (!stays) idle.restart(idleMs);
  post(last);
  if (job.kind === "rows") ahead.beginNext();
}

function describe(job: DescribeJob): Promise<Answer> {
  return withFile(job.path, () => open(job), async (input, head) => {
    const schema = encodeArrow(await readParquetSchema(input, head), []);
    post({ kind: "schema", schema, numRows: await countParquetRows(input, head) });
  });
}

async function sendRows(job: RowsJob): Promise<Answer> {
  const { path, device, inode, request, columns, aheadBytes } = job;
  const begun = await ahead.take(job);
  return await withFile(path, () => begun?.input ?? open(job), async (input, head) => {
    if (input.identity?.device !== device || input.identity.inode !== inode) {
      throw new TypeError("was replaced by another file while it was read");
    }
    budget = new ByteBudget(aheadBytes);
    const options = columns === undefined ? {} : { columns };
    const rows = begun?.take(onRead) ?? readParquetRows(input, head, request, options);
    let isFirst = true;
    for await (const { batch, firstRow, runs } of rows) {
      if (isFirst) {
        const numRows = await countParquetRows(input, head);
        post({ kind: "schema", schema: encodeArrow(batch.schema, []), numRows });
        isFirst = false;
      }
      const { columns, transfer, numBytes } = batchMessage(batch);
      await budget.take(numBytes);
      const answer = { kind: "rows" as const, firstRow, numRows: batch.numRows, columns, numBytes };
      post(runs === undefined ? answer : { ...answer, runs }, transfer);
    }
  });
}

/** Runs a job that uses a file, and returns its last answer. */
async function withFile(
  path: string,
  openInput: () => FileInput | Promise<FileInput>,
  use: (input: FileInput, head: KeptHead) => Promise<void>,
): Promise<Answer> {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") {
    return { kind: "unable" };
  }
  let input: FileInput | undefined;
  try {
    input = await openInput();
    await use(input, headOf(path));
    return { kind: "end" };
  } catch (cause) {
    const { message, row, column } = toFileError(path, cause);
    const problem = message.slice(showControls(`${nameOfPath(path)}: `).length);
    return { kind: "failed", problem, row, column, shortEnd: input?.shortEnd };
  } finally {
    input?.close();
  }
}

function open({ path, chunkBytes }: Job): Promise<FileInput> {
  return FileInput.open(path, { chunkBytes, onRead });
}

function headOf(path: string): KeptHead {
  const head = heads.get(path) ?? new KeptHead();
  if (heads.size >= mostHeads) heads.clear();
  heads.set(path, head);
  return head;
}

function onRead(numBytes: number): void {
  bytesRead += numBytes;
}

function post(answer: Answer, transfer: ArrayBuffer[] = []): void {
  scope.postMessage({ ...answer, bytesRead } as FromDecodeWorker, transfer);
  bytesRead = 0;
}
