import { assertEquals } from "@std/assert";
import { Field, Int32, LargeBinary, LargeUtf8, makeData, type RecordBatch } from "apache-arrow";
import { ArrowEncoder, encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import { batchOfColumns } from "../../../../support/values/arrow_columns.ts";
import { valuesOf } from "../../../../support/values/arrow_values.ts";
import { readWithFlechette } from "../../../../support/judges/peers.ts";
import { inFolder, readAll } from "../../../../support/values/streams_samples.ts";

const words = ["before 2^31", "€ across it", "behind", "𝄞 across 2^32", ""];

/**
 * A batch of one row that ends before byte 2^31, and words that lie across it and across 2^32. The
 * memory between them is never touched, and so costs none.
 */
function wideBatch(): RecordBatch {
  const bytes = words.map((word) => new TextEncoder().encode(word));
  const starts = [2 ** 31 - 5 - bytes[0]!.length, 2 ** 31 - 5, 2 ** 31 - 5 + bytes[1]!.length];
  const data = new Uint8Array(2 ** 32 + 100);
  const across = 2 ** 32 - 3;
  const offsets = [0, ...starts, across, across + bytes[3]!.length, across + bytes[3]!.length];
  bytes.forEach((word, i) => data.set(word, [...starts, across, offsets[5]!][i]!));
  // The row of "behind" goes on to the next word, over 2 GiB; no slice below has it.
  const valueOffsets = BigInt64Array.from(offsets.map(BigInt));
  const length = offsets.length - 1;
  const ids = Int32Array.from({ length }, (_, row) => row);
  return batchOfColumns(
    [new Field("text", new LargeUtf8(), true), new Field("id", new Int32(), true)],
    [
      makeData({ type: new LargeUtf8(), length, valueOffsets, data }),
      makeData({ type: new Int32(), length, data: ids }),
    ],
  );
}

Deno.test("an encoder writes slices of text around bytes 2^31 and 2^32 by themselves", async () => {
  const batch = wideBatch();
  for (const [start, stop] of [[1, 3], [2, 3], [4, 6], [5, 6]] as const) {
    const slice = batch.slice(start, stop);
    const bytes = encodeArrow(slice.schema, [slice]);
    const expected = words.map((text, i) => ({ text, id: i + 1 }))
      .filter(({ id }) => id >= start && id < stop);
    assertEquals(await readWithFlechette(bytes), expected);
    assertEquals(bytes.length < 1000, true);
  }
});

Deno.test("readIpc() reads a column behind 2^32 bytes of another, and nothing of that", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batch = wideBatch();
    const encoder = new ArrowEncoder(batch.schema, { format: "file" });
    using file = await Deno.open(path, { write: true, create: true });
    let position = 0;
    for (const chunk of [...encoder.begin(), ...encoder.batch(batch), ...encoder.end()]) {
      // The text becomes a hole in the file.
      if (chunk.length < 2 ** 20) {
        file.seekSync(position, Deno.SeekMode.Start);
        assertEquals(file.writeSync(chunk), chunk.length);
      }
      position += chunk.length;
    }
    const source = readIpc(path);
    assertEquals(await source.numRows(), batch.numRows);
    const [read] = await readAll(source, { columns: ["id"], start: 2 });
    assertEquals(valuesOf(read!.data.children[0]!), [2, 3, 4, 5]);
    assertEquals(source.bytesRead < 2 ** 20, true);
  }));

Deno.test("an encoder rounds the lengths of buffers above 2^31 bytes up to 8", () => {
  const type = new LargeBinary();
  for (const numBytes of [2 ** 31 - 1, 2 ** 31 + 1, 2 ** 32 + 3]) {
    const data = new Uint8Array(numBytes);
    const valueOffsets = BigInt64Array.of(0n, BigInt(numBytes));
    const batch = batchOfColumns([new Field("c", type, true)], [
      makeData({ type, length: 1, valueOffsets, data }),
    ]);
    const encoder = new ArrowEncoder(batch.schema, { format: "stream" });
    const lengths = encoder.batch(batch).slice(1).map((chunk) => chunk.length);
    assertEquals(lengths, [16, numBytes, 8 - numBytes % 8]);
  }
});
