/** The parts in which batches reach parquet-wasm: few, and each small enough. */

import { assertEquals, assertThrows } from "@std/assert";
import { Int32, makeData, RecordBatch, Utf8 } from "apache-arrow";
import { splitBatch } from "../../../../../../streams/formats/parquet/write/split_batch.ts";

const MIB = 2 ** 20;

/** A batch of texts of some sizes, of which only the offsets are there. */
function texts(...sizes: number[]): RecordBatch {
  const valueOffsets = new Int32Array(sizes.length + 1);
  sizes.forEach((size, row) => valueOffsets[row + 1] = valueOffsets[row]! + size);
  const data = new Uint8Array(0);
  return new RecordBatch({
    text: makeData({ type: new Utf8(), length: sizes.length, data, valueOffsets }),
  });
}

function sizesOf(batch: RecordBatch, groupBytes = Infinity): number[] {
  return [...splitBatch(batch, 100, groupBytes)].map(({ numRows }) => numRows);
}

Deno.test("a part has 65536 rows or 8 MiB at most, and a batch within both stays whole", () => {
  const numbers = (length: number) =>
    new RecordBatch({ id: makeData({ type: new Int32(), data: new Int32Array(length) }) });
  const small = numbers(65_536);
  const [part, ...others] = splitBatch(small, 0, Infinity);
  assertEquals([part === small, others.length], [true, 0]);
  assertEquals(sizesOf(numbers(0)), [0]);
  assertEquals(sizesOf(numbers(150_000)), [65_536, 65_536, 18_928]);
  // A row of text has eight bytes more.
  const many = new Array<number>(20).fill(MIB - 8);
  assertEquals(sizesOf(texts(...many)), [8, 8, 4]);
  assertEquals(sizesOf(texts(...many), 3 * MIB), [3, 3, 3, 3, 3, 3, 2]);
  assertEquals(sizesOf(texts(1, 50 * MIB, 1)), [1, 1, 1]);
});

Deno.test("a row that parquet-wasm has no memory for is refused by its number", () => {
  const most = 2 ** 28 - 8;
  assertEquals(sizesOf(texts(1, most)), [1, 1]);
  assertThrows(
    () => sizesOf(texts(1, 1, most + 1)),
    RangeError,
    "row 102 has 268435457 bytes, more than the 268435456 that can be written as Parquet here",
  );
});
