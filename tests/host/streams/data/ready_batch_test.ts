import { assertEquals } from "@std/assert";
import { Message, Table, tableToIPC } from "apache-arrow";
import { readyBatch } from "../../../../streams/data/ready_batch.ts";
import { allTypesBatch } from "../../../support/values/streams_samples.ts";

/** The bytes of the record batches of a stream, each with its metadata as Arrow reads it. */
function* recordBatches(stream: Uint8Array) {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  for (let start = 0; start + 8 < stream.length;) {
    const frontBytes = 8 + view.getInt32(start + 4, true);
    const message = Message.decode(stream.subarray(start + 8, start + frontBytes));
    const stop = start + frontBytes + Number(message.bodyLength);
    if (message.isRecordBatch()) {
      yield { bytes: stream.slice(start, stop), frontBytes, header: message.header() };
    }
    start = stop;
  }
}

function streamOf(...sizes: number[]): Uint8Array {
  return tableToIPC(new Table(sizes.map(allTypesBatch)), "stream");
}

Deno.test("an ordinary batch is parsed at once, as Arrow parses it", () => {
  const batches = [...recordBatches(streamOf(1, 5, 100))];
  assertEquals(batches.length, 3);
  for (const { bytes, frontBytes, header } of batches) {
    const ready = readyBatch(Uint8Array.from([...bytes, 1, 2, 3]))!;
    const { numRows, bodyBytes } = ready;
    const expected = [Number(header.length), frontBytes, bytes.length - frontBytes];
    assertEquals([numRows, ready.frontBytes, bodyBytes], expected);
    assertEquals(ready.body, bytes.subarray(frontBytes));
    const plain = (items: readonly { length: unknown }[], key: "nullCount" | "offset") =>
      items.map((item) => [Number(item.length), Number((item as Record<string, unknown>)[key])]);
    assertEquals(plain(ready.header.nodes, "nullCount"), plain(header.nodes, "nullCount"));
    assertEquals(plain(ready.header.buffers, "offset"), plain(header.buffers, "offset"));
    const view = new DataView(bytes.buffer);
    const { places } = ready;
    assertEquals(Number(view.getBigInt64(places.bodyBytes, true)), bodyBytes);
    assertEquals(Number(view.getBigInt64(places.numRows, true)), numRows);
    assertEquals(Number(view.getBigInt64(places.nodes, true)), numRows);
    assertEquals(Number(view.getBigInt64(places.buffers, true)), 0);
  }
});

Deno.test("an incomplete batch, and one whose first column has another length, is not ready", () => {
  const { bytes, frontBytes } = [...recordBatches(streamOf(5))][0]!;
  for (const length of [0, 7, 8, frontBytes - 1, frontBytes, bytes.length - 1]) {
    assertEquals(readyBatch(bytes.slice(0, length)), undefined, `${length} bytes`);
  }
  const { places } = readyBatch(bytes)!;
  for (
    const [place, value] of [[places.nodes, 4n], [places.numRows, 6n], [places.nodes, -5n]] as const
  ) {
    const wrong = bytes.slice();
    new DataView(wrong.buffer).setBigInt64(place, value, true);
    assertEquals(readyBatch(wrong), undefined);
  }
});
