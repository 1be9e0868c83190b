import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Dictionary,
  Field,
  FixedSizeBinary,
  Int16,
  Int32,
  type RecordBatch,
  Utf8,
} from "apache-arrow";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import { bufferCodec, encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import type { OpenOptions } from "../../../../../streams/plan/source.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { randomType, type TypeKind, typeKinds } from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { Draws, forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder } from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

const numRows = 12_000;

/** Kinds of which rows are read alone, and those whose batches are read whole. */
const nestedKinds: readonly TypeKind[] = ["utf8View", "binaryView", "list", "struct", "denseUnion"];
const flatKinds = typeKinds.slice(0, typeKinds.indexOf("list"))
  .filter((kind) => !nestedKinds.includes(kind));

/** A batch of columns of some kinds, with others around them, and its values. */
function randomBatch(random: SeededRandom, kinds: readonly TypeKind[]) {
  const types = [
    // So many bytes that a part is worth it.
    new FixedSizeBinary(20),
    new Dictionary(new Utf8(), new Int16()),
    ...Array.from({ length: 4 }, () => randomType(random, kinds, 0)),
  ];
  const hasNulls = types.map(() => random.chance(0.6));
  const values = types.map((type, column) => {
    // Few values, of which the rows take one each.
    const some: unknown[] = [];
    while (some.length < 50) {
      const value = randomValue(random, type);
      if (value !== null || hasNulls[column]! || String(type) === "Null") some.push(value);
    }
    return Array.from({ length: numRows }, () => random.pick(some));
  });
  const fields = types.map((type, index) => new Field(`c${index}`, type, true));
  const columns = types.map((type, index) => columnOfValues(random, type, values[index]!));
  return { batch: batchOfColumns(fields, columns), values };
}

/** The values of a request by columns, and how many bytes it took. */
async function readColumns(path: string, request: RowRequest, options: OpenOptions = {}) {
  const source = readIpc(path);
  await source.schema();
  const before = source.bytesRead;
  const columns: unknown[][] = [];
  const places: number[] = [];
  for await (const { batch, runs, firstRow } of source.rows(request, options)) {
    const values = batch.data.children.map(valuesOf);
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      const rows = Array.from({ length: count }, (_, index) => start + index * step);
      values.forEach((column, index) => {
        (columns[index] ??= []).push(...rows.map((row) => column[row]));
      });
      places.push(...rows.map((row) => firstRow + row));
    }
  }
  return { columns, places, bytes: source.bytesRead - before };
}

Deno.test("few rows of a large batch are read alone, and have the same values", () =>
  inFolder(async (folder) => {
    const draws = new Draws(["first", "last", "backwards", "steps", "columns"]);
    await forSeeds(10, async (random) => {
      const { batch, values } = randomBatch(random, flatKinds);
      const path = `${folder}/part.arrow`;
      const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
      await Deno.writeFile(path, bytes);
      for (let round = 0; round < 4; round++) {
        const count = 1 + random.below(random.pick([3, 300]));
        const start = random.pick([0, numRows - count, random.below(numRows - count)]);
        if (start === 0) draws.add("first");
        if (start + count === numRows) draws.add("last");
        const step = random.pick([1, 1, 3, -1]);
        if (step < 0) draws.add("backwards");
        if (step > 1) draws.add("steps");
        const rows = Array.from({ length: count }, (_, index) => start + index)
          .filter((row) => (row - start) % step === 0);
        if (step < 0) rows.reverse();
        const slice = step > 0
          ? rowSlice(start, start + count, step)
          : rowSlice(start + count - 1, start === 0 ? null : start - 1, step);
        const wanted = values.map((_, index) => index).filter(() => random.chance(0.7));
        const isAll = wanted.length === 0 || random.chance(0.5);
        if (!isAll) draws.add("columns");
        const options = isAll ? {} : { columns: ["c0", ...wanted.map((index) => `c${index}`)] };
        const given = await readColumns(path, [slice], options);
        const columns = values.filter((_, index) => isAll || index === 0 || wanted.includes(index));
        assertEquals(given.columns, columns.map((column) => rows.map((row) => column[row])));
        assertEquals(given.places, rows);
        assert(given.bytes < bytes.length / 3, `${given.bytes} of ${bytes.length} bytes`);
      }
    }, draws);
  }));

Deno.test("few rows have the same values where the batch has to be read whole", () =>
  inFolder(async (folder) => {
    const draws = new Draws(["nested", "compressed", "stream"]);
    const codec = await bufferCodec(1);
    await forSeeds(3, async (random) => {
      const isCompressed = random.chance(0.5);
      draws.add(isCompressed ? "compressed" : "nested");
      const isStream = random.chance(0.5);
      if (isStream) draws.add("stream");
      const { batch, values } = randomBatch(random, isCompressed ? flatKinds : nestedKinds);
      const path = `${folder}/whole.arrow`;
      const format = isStream ? "stream" : "file";
      const options = { format, ...(isCompressed && { codec }) } as const;
      await Deno.writeFile(path, encodeArrow(batch.schema, [batch], options));
      const start = random.below(numRows - 20);
      const given = await readColumns(path, [rowSlice(start, start + 20)]);
      assertEquals(given.columns, values.map((column) => column.slice(start, start + 20)));
    }, draws);
  }));

/** Text of 40 bytes a row, and numbers. */
function textBatch(): RecordBatch {
  const text = Array.from({ length: numRows }, (_, row) => `${row}`.padStart(40, "Zürich "));
  const random = new SeededRandom(1);
  return batchOfColumns(
    [new Field("text", new Utf8(), true), new Field("id", new Int32(), true)],
    [
      columnOfValues(random, new Utf8(), text),
      columnOfValues(random, new Int32(), Array.from(text, (_, row) => row)),
    ],
  );
}

Deno.test("wrong offsets among the rows are the error of the whole batch, others are not seen", () =>
  inFolder(async (folder) => {
    const batch = textBatch();
    const path = `${folder}/wrong.arrow`;
    const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
    const { message, body } = messagesIn(bytes)[1]!;
    const { offset } = (message.header() as BatchHeader).buffers[1]!;
    new DataView(bytes.buffer).setInt32(body + offset + 4 * 5000, 2 ** 30, true);
    await Deno.writeFile(path, bytes);
    const whole = await assertRejects(
      () => Array.fromAsync(sourceBatches(readIpc(path))),
      FileError,
    );
    assert(whole.message.includes("the offset of row 5001 lies before another"), whole.message);
    for (const slice of [rowSlice(4990, 5010), rowSlice(5000, 4990, -1), rowSlice(5000, 5001)]) {
      await assertRejects(() => readColumns(path, [slice]), FileError, whole.message);
    }
    const { columns: [text] } = await readColumns(path, [rowSlice(4000, 4002)]);
    assertEquals(text, ["4000", "4001"].map((row) => row.padStart(40, "Zürich ")));
  }));

Deno.test("rows of which the file has lost the body are an error, not fewer rows", () =>
  inFolder(async (folder) => {
    const batch = textBatch();
    const path = `${folder}/cut.arrow`;
    const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
    await Deno.writeFile(path, bytes);
    const source = readIpc(path);
    await source.schema();
    await Deno.truncate(path, 100_000);
    await assertRejects(
      () => Array.fromAsync(source.rows([rowSlice(-5)], {})),
      FileError,
      `had ${bytes.length} bytes when it was opened and has 100000 now`,
    );
  }));

Deno.test("rows of one batch that lie far from each other are read apart, in their order", () =>
  inFolder(async (folder) => {
    const batch = batchOfColumns(
      [new Field("id", new Int32(), true)],
      [columnOfValues(
        new SeededRandom(1),
        new Int32(),
        Array.from({ length: 300_000 }, (_, i) => i),
      )],
    );
    const path = `${folder}/far.arrow`;
    const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
    await Deno.writeFile(path, bytes);
    const cases: readonly (readonly [RowRequest, number[]])[] = [
      [[{ kind: "list", parts: [299_999, 5, -2, rowSlice(100_000, 100_003)] }], [
        299_999,
        5,
        299_998,
        100_000,
        100_001,
        100_002,
      ]],
      [[rowSlice(7, null, 90_000)], [7, 90_007, 180_007, 270_007]],
      [[rowSlice(null, null, -140_000)], [299_999, 159_999, 19_999]],
    ];
    for (const [request, rows] of cases) {
      const given = await readColumns(path, request);
      assertEquals(given.columns, [rows]);
      assertEquals(given.places, rows);
      assert(given.bytes < 10_000, `${given.bytes} of ${bytes.length} bytes`);
    }
    const many: RowRequest = [rowSlice(null, null, 5000)];
    const given = await readColumns(path, many);
    assertEquals(given.places, Array.from({ length: 60 }, (_, index) => 5000 * index));
    assert(given.bytes < 1.1 * bytes.length, `${given.bytes} of ${bytes.length} bytes`);
  }));
