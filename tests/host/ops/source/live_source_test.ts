import { assert, assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  read,
  withColumns,
  write,
} from "../../../../mod.ts";
import { writeIpc } from "../../../support/files/ipc.ts";
import { messagesIn } from "../../../support/files/arrow_messages.ts";
import { numberedBatches } from "../../../support/pipelines/pipeline_streams.ts";
import { inFolder, rowsOf, writeAll } from "../../../support/values/streams_samples.ts";

const numRows = 340;
/** So many rows come without a pause, so that some may be held; each later one waits. */
const numAtOnce = 300;
const engine = createEngine({ device: "cpu" });

/** What came out, and those who wait for it. */
class Arrivals {
  readonly ids: unknown[] = [];
  #count = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  add(ids: readonly unknown[]): void {
    this.ids.push(...ids);
    this.#count = this.ids.length;
    for (const { resolve } of this.#waiting.filter(({ count }) => count <= this.#count)) resolve();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#count);
  }

  /** Waits until so many rows came out; where one is held back for ever, the test never ends. */
  async reach(count: number): Promise<void> {
    if (this.#count >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    await promise;
  }
}

/** Batches of one row, of which each late one comes only when all before it came out. */
function liveStream(arrivals: Arrivals): ReadableStream<RecordBatch> {
  const batches = numberedBatches(numRows);
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (next >= numAtOnce) await arrivals.reach(next);
      const batch = batches[next++];
      if (batch === undefined) controller.close();
      else controller.enqueue(batch);
    },
  }, { highWaterMark: 0 });
}

const expectedIds = Array.from({ length: numRows }, (_, i) => i);

Deno.test("each row of a live stream comes out of a pipeline before the next one is there", async () => {
  const arrivals = new Arrivals();
  await fromBatches(liveStream(arrivals), { engine })
    .pipeThrough(filter(expr("id >= 0")))
    .pipeThrough(withColumns({ loud: expr("word.upper()") }))
    .pipeTo(
      new WritableStream({
        write: (batch: RecordBatch) => arrivals.add(rowsOf([batch]).map(({ id }) => id)),
      }),
    );
  assertEquals(arrivals.ids, expectedIds);
});

/** Runs with a named pipe, whose lines are given to `onLine` as they come. */
async function withNamedPipe(
  onLine: (line: string) => void,
  use: (path: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/pipe.ndjson`;
    assert((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
    const drain = async () => {
      using file = await Deno.open(path);
      let rest = "";
      const decoder = new TextDecoder();
      const chunk = new Uint8Array(64 << 10);
      for (;;) {
        const count = await file.read(chunk);
        if (count === null) return;
        const lines = (rest + decoder.decode(chunk.subarray(0, count), { stream: true }))
          .split("\n");
        rest = lines.pop()!;
        lines.forEach(onLine);
      }
    };
    await Promise.all([drain(), use(path)]);
  });
}

Deno.test({
  name: "each row of a live stream is in a pipe that is written before the next one is there",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const arrivals = new Arrivals();
    await withNamedPipe(
      (line) => arrivals.add([JSON.parse(line).id]),
      (path) =>
        fromBatches(liveStream(arrivals), { engine })
          .pipeThrough(withColumns({ loud: expr("word.upper()") }))
          .pipeTo(write(path)),
    );
    assertEquals(arrivals.ids, expectedIds);
  },
});

Deno.test({
  name: "each row of an Arrow stream in a pipe comes out before the next one is there",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/pipe.arrows`;
      const copy = `${folder}/in.arrows`;
      assert((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
      await writeAll(writeIpc(copy, { format: "stream" }), numberedBatches(numRows));
      const arrivals = new Arrivals();
      const send = async () => {
        const bytes = await Deno.readFile(copy);
        const starts = messagesIn(bytes).filter(({ message }) => message.isRecordBatch());
        using file = await Deno.open(path, { write: true });
        let position = 0;
        for (const [row, { stop }] of starts.entries()) {
          if (row >= numAtOnce) await arrivals.reach(row);
          await writeFully(file, bytes.subarray(position, stop));
          position = stop;
        }
        await arrivals.reach(numRows);
        await writeFully(file, bytes.subarray(position));
      };
      const receive = async () => {
        const batches = read(path, { engine })
          .pipeThrough(withColumns({ loud: expr("word.upper()") }));
        for await (const batch of batches) arrivals.add(rowsOf([batch]).map(({ id }) => id));
      };
      await Promise.all([send(), receive()]);
      assertEquals(arrivals.ids, expectedIds);
    }),
});

async function writeFully(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let position = 0; position < bytes.length;) {
    position += await file.write(bytes.subarray(position));
  }
}
