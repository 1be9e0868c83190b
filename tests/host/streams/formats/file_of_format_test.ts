/** A format that Sluice does not know: what the interface of formats asks of it, and no more. */

import { assertEquals, assertThrows } from "@std/assert";
import { Field, Int32, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import type { FileFormat } from "../../../../streams/formats/format.ts";
import { sinkOfFormat, sourceOfFormat } from "../../../../streams/formats/file_of_format.ts";
import { batchOf, inFolder, rowsOf, writeAll } from "../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

const schema = new Schema([new Field("n", new Int32(), true)]);

/** Bytes as numbers: a row for each byte of a file. */
const bytesFormat: FileFormat = {
  name: "bytes",
  suffixes: [".bytes"],
  traits: [],
  kind: "bytes",
  firstRange: { from: "start", numBytes: 1 << 10 },
  read: () => () => ({
    schema: () => Promise.resolve(schema),
    async *rows(input) {
      for (let firstRow = 0;;) {
        const bytes = await input.read(3);
        if (bytes.length === 0) return;
        yield { batch: batchOfBytes(bytes), firstRow };
        firstRow += bytes.length;
      }
    },
  }),
  write: () => () => ({
    *batch(batch: RecordBatch) {
      yield [Uint8Array.from(rowsOf([batch]), ({ n }) => n as number)];
    },
    *end() {},
  }),
};

function batchOfBytes(bytes: Uint8Array): RecordBatch {
  const children = [makeData({ type: new Int32(), data: Int32Array.from(bytes) })];
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: bytes.length, children }));
}

Deno.test("a format needs an object with read and write, and no change elsewhere", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a.bytes`;
    const numbers = batchOf({ n: [new Int32(), [7, 1, 255, 0, 9]] });
    await writeAll(sinkOfFormat(bytesFormat, path), [numbers]);
    assertEquals([...await Deno.readFile(path)], [7, 1, 255, 0, 9]);
    const source = sourceOfFormat(bytesFormat, path);
    assertEquals(await source.canSeek(), false);
    const batches = await Array.fromAsync(sourceBatches(source));
    assertEquals(batches.map(({ numRows }) => numRows), [3, 2]);
    assertEquals(rowsOf(batches), rowsOf([numbers]));
    assertEquals(source.bytesRead, 5);
  }));

Deno.test("a format without read is only written, and one without write only read", () => {
  const { read: _read, ...written } = bytesFormat;
  const { write: _write, ...readOnly } = bytesFormat;
  assertThrows(() => sourceOfFormat(written, "a"), TypeError, "a: bytes is only written");
  assertThrows(() => sinkOfFormat(readOnly, "a"), TypeError, "a: bytes is only read");
});
