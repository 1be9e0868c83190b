import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  CompressionType,
  type DataType,
  Dictionary,
  FixedSizeBinary,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from "apache-arrow";
import {
  ArrowEncoder,
  type BufferCodec,
  bufferCodec,
} from "../../../../../streams/formats/arrow/arrow.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { FileInput } from "../../../../../streams/bytes/file_input.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** A batch of a megabyte. */
const megabyte = batchOf({
  noise: [new FixedSizeBinary(1000), Array.from({ length: 1000 }, () => new Uint8Array(1000))],
});

/** Batches without end, and what was asked of them. */
function endless() {
  const counts = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<RecordBatch>({
    pull(controller) {
      counts.pulled++;
      controller.enqueue(megabyte);
    },
    cancel: () => void (counts.cancelled = true),
  }, { highWaterMark: 0 });
  return { counts, stream };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 100));

for (const format of ["file", "stream"] as const) {
  for (const compression of ["none", "zstd"] as const) {
    Deno.test({
      name:
        `readIpc() reads a batch when it is asked for, and closes when cancelled (${format}, ${compression})`,
      sanitizeResources: true,
      fn: () =>
        inFolder(async (folder) => {
          const path = `${folder}/in.arrow`;
          const noise = crypto.getRandomValues(new Uint8Array(60_000));
          const batch = batchOf({
            noise: [
              new FixedSizeBinary(6000),
              Array.from({ length: 200 }, (_, i) => noise.slice(i * 250, i * 250 + 6000)),
            ],
          });
          await writeAll(writeIpc(path, { format, compression }), Array(20).fill(batch));
          const { size } = await Deno.stat(path);
          const source = readIpc(path);
          const reader = ReadableStream.from(sourceBatches(source)).getReader();
          await reader.read();
          await soon();
          // One is handed out, and the stream holds another one ready.
          const limit = 4 * size / 20 + (2 << 20);
          assert(source.bytesRead < limit, `${source.bytesRead} of ${size} bytes`);
          await reader.cancel();
        }),
    });
  }
}

Deno.test({
  name: "writeIpc() waits for a slow reader of a pipe, and stops its source when that goes away",
  ignore: Deno.build.os === "windows",
  sanitizeResources: true,
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/pipe`;
      await new Deno.Command("mkfifo", { args: [path] }).output();
      const { counts, stream } = endless();
      const written = stream.pipeTo(writeIpc(path, { format: "stream" }));
      const failed = assertRejects(() => written, FileError, path);
      const batches = sourceBatches(readIpc(path));
      for (let read = 1; read <= 3; read++) {
        const { value } = await batches.next();
        assertEquals(value!.numRows, megabyte.numRows);
        await soon();
        // One is being written and one waits; a pipe holds far less than a batch.
        assert(counts.pulled <= read + 3, `${counts.pulled} pulled for ${read} read`);
      }
      await batches.return();
      await failed;
      assertEquals(counts.cancelled, true);
    }),
});

const column = (name: string, type: DataType, values: unknown[]) =>
  batchOf({ [name]: [type, values] });
const others: Record<string, readonly [RecordBatch, string]> = {
  "another name": [column("d", new Int32(), [1]), "columns are d, but c are expected"],
  "one column more": [
    batchOf({ c: [new Int32(), [1]], d: [new Int32(), [1]] }),
    "columns are c, d, but c are expected",
  ],
  "no column": [batchOf({}), "columns are none, but c are expected"],
  "a wider integer": [column("c", new Int64(), [1n]), "column c is int64, but int32 is expected"],
  "a float": [column("c", new Float64(), [1]), "column c is float64, but int32 is expected"],
  "text": [column("c", new Utf8(), ["a"]), "column c is utf8, but int32 is expected"],
  "a timestamp": [column("c", new TimestampMillisecond(), [1]), ", but int32 is expected"],
  "a dictionary of the same values": [
    column("c", new Dictionary(new Int32(), new Int32()), [1]),
    ", but int32 is expected",
  ],
};
for (const [what, [other, message]] of Object.entries(others)) {
  Deno.test(`writeIpc() refuses a batch with ${what} before it writes a byte of it`, () =>
    inFolder(async (folder) => {
      const sink = writeIpc(`${folder}/out.arrow`);
      const writer = sink.getWriter();
      await writer.write(column("c", new Int32(), [1]));
      const { bytesWritten } = sink;
      await assertRejects(() => writer.write(other), FileError, message);
      await writer.closed.catch(() => {});
      assertEquals(sink.bytesWritten, bytesWritten);
      assertEquals([...Deno.readDirSync(folder)], []);
    }));
}

/** A stream of one batch whose buffers are encoded in a way of their own. */
async function encodedWith(
  batch: RecordBatch,
  encode: (bytes: Uint8Array, codec: BufferCodec) => Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const codec = (await bufferCodec(CompressionType.ZSTD))!;
  const encoder = new ArrowEncoder(batch.schema, {
    format: "stream",
    codec: { ...codec, encode: (bytes) => encode(bytes, codec) },
  });
  const chunks = [...encoder.begin(), ...encoder.batch(batch), ...encoder.end()];
  return new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
}

const texts = Array.from({ length: 500 }, (_, i) => ({ c: `text ${i}` }));
const textBatch = column("c", new Utf8(), texts.map(({ c }) => c));

async function rowsIn(bytes: Uint8Array<ArrayBuffer>): Promise<unknown[]> {
  const rows: unknown[] = [];
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/in.arrows`, bytes);
    for await (const read of sourceBatches(readIpc(`${folder}/in.arrows`))) {
      rows.push(...rowsOf([read]));
    }
  });
  return rows;
}

Deno.test("readIpc() joins the zstd frames of a buffer, as Polars does", async () => {
  const stream = await encodedWith(textBatch, (bytes, codec) => {
    const middle = bytes.length >> 1;
    const halves = [bytes.subarray(0, middle), bytes.subarray(middle)].map(codec.encode);
    return new Uint8Array(halves.flatMap((half) => [...half]));
  });
  assertEquals(await rowsIn(stream), texts);
  const { default: polars } = await loadPeer("polars");
  assertEquals(polars.readIPCStream(Buffer.from(stream)).toRecords(), texts);
});

Deno.test("readIpc() reads buffers of compressed batches that are stored raw", async () => {
  const stream = await encodedWith(textBatch, (bytes) => bytes);
  const { message, body } = messagesIn(stream).at(-1)!;
  const { buffers } = message.header() as { buffers: { offset: number; length: number }[] };
  const view = new DataView(stream.buffer);
  for (const { offset, length } of buffers) {
    if (length > 0) view.setBigInt64(body + offset, -1n, true);
  }
  assertEquals(await rowsIn(stream), texts);
});

const rowsOfBatch = 2000;
const numBatches = 60;

const category = new Dictionary(new Utf8(), new Int32(), 1);
const batchAt = (start: number) =>
  batchOf({
    id: [new Int32(), Array.from({ length: rowsOfBatch }, (_, i) => start + i)],
    text: [new Utf8(), Array.from({ length: rowsOfBatch }, (_, i) => `text of row ${start + i}`)],
    category: [category, Array.from({ length: rowsOfBatch }, (_, i) => i % 2 === 0 ? "a" : "b")],
  });

for (const format of ["file", "stream"] as const) {
  Deno.test(`readIpc() reads of skipped batches their descriptions and no more (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const batches = Array.from({ length: numBatches }, (_, i) => batchAt(i * rowsOfBatch));
      await writeAll(writeIpc(path, { format }), batches);
      const messages = messagesIn(await Deno.readFile(path));
      const described = messages.reduce((sum, { start, body }) => sum + body - start, 0);
      // The schema and the footer are read in pieces of 8 KiB.
      const limit = described + 5 * (8 << 10);

      const counted = readIpc(path);
      assertEquals(await counted.numRows(), numBatches * rowsOfBatch);
      assert(counted.bytesRead <= limit, `${counted.bytesRead} of ${limit} bytes`);

      const source = readIpc(path);
      const last = await readAll(source, { start: (numBatches - 1) * rowsOfBatch + 1 });
      assertEquals(rowsOf(last), rowsOf([batches.at(-1)!.slice(1)]));
      const { body, stop } = messages.at(-1)!;
      const wanted = limit + stop - body + (128 << 10);
      assert(source.bytesRead <= wanted, `${source.bytesRead} of ${wanted} bytes`);
    }));
}

Deno.test("readIpc() reads no dictionary of a column that is not wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const words = Array.from({ length: 200_000 }, (_, i) => `a word of some length ${i}`);
    const encoded = (id: number) => new Dictionary(new Utf8(), new Int32(), id);
    await writeAll(writeIpc(path), [
      batchOf({
        first: [encoded(2), words.map(() => "a")],
        long: [encoded(3), words],
        last: [encoded(4), words.map((_, i) => i % 2 === 0 ? "b" : "c")],
      }),
    ]);
    const { size } = await Deno.stat(path);
    const source = readIpc(path);
    const [batch] = await readAll(source, { columns: ["first", "last"], start: 199_998 });
    assertEquals(rowsOf([batch!]), [{ first: "a", last: "b" }, { first: "a", last: "c" }]);
    assert(source.bytesRead < size / 2, `${source.bytesRead} of ${size} bytes`);
  }));

Deno.test("readIpc() counts the rows of batches without columns", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batch = new RecordBatch(
      new Schema([]),
      makeData({ type: new Struct([]), length: 7, nullCount: 0, children: [] }),
    );
    await writeAll(writeIpc(path), [batch, batch]);
    assertEquals(await readIpc(path).numRows(), 14);
    assertEquals((await readAll(readIpc(path))).map(({ numRows }) => numRows), [7, 7]);
  }));

Deno.test({
  name: "FileInput reads a file that says it is empty",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using input = await FileInput.open("/proc/self/status");
    assertEquals(new TextDecoder().decode(await input.read(5)), "Name:");
  },
});
