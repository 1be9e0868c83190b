import { assert, assertEquals } from "@std/assert";
import {
  Dictionary,
  Field,
  Float16,
  Float32,
  Float64,
  Int32,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { CsvEncoder } from "../../../../streams/formats/csv/writer.ts";
import { writeCsv } from "../../../../streams/formats/csv/csv.ts";
import type { FileEncoder } from "../../../../streams/sink/file_sink.ts";
import { NdjsonEncoder } from "../../../../streams/formats/ndjson/writer.ts";
import { writeNdjson } from "../../../../streams/formats/ndjson/ndjson.ts";
import { textOf } from "../../../../streams/text/column_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";

const comma = 0x2c;
const encoders: Record<string, () => FileEncoder> = {
  csv: () => new CsvEncoder(comma),
  ndjson: () => new NdjsonEncoder(),
};

for (const [name, open] of Object.entries(encoders)) {
  Deno.test(`a large batch becomes ${name} step by step, in a few hundred kilobytes`, async () => {
    const words = Array.from({ length: 200_000 }, (_, i) => `word "${i}" `.repeat(i % 9));
    const batch = batchOf({ word: [new Utf8(), words] });
    const buffers = new Set<ArrayBufferLike>();
    let numBytes = 0;
    for await (const chunks of open().batch(batch)) {
      const step = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      assert(step < 256 << 10, `a step of ${step} bytes`);
      for (const chunk of chunks) buffers.add(chunk.buffer);
      numBytes += step;
    }
    assert(numBytes > 10e6 && buffers.size <= 2, `${numBytes} bytes in ${buffers.size} buffers`);
  });

  Deno.test(`a long text goes into ${name} without a copy`, async () => {
    const data = new Uint8Array(5e6).fill(0x61);
    data.fill(0xc3, 1000, 1001).fill(0xa9, 1001, 1002);
    const type = new Utf8();
    const text = makeData({ type, length: 1, valueOffsets: Int32Array.of(0, data.length), data });
    const fields = [new Field("text", type, true)];
    const rows = makeData({ type: new Struct(fields), length: 1, children: [text] });
    const steps = await Array.fromAsync(open().batch(new RecordBatch(new Schema(fields), rows)));
    const chunks = steps.flat();
    assert(chunks.some((chunk) => chunk.buffer === data.buffer && chunk.length === data.length));
    const front = name === "csv" ? "text\n" : '{"text":"';
    assertEquals(new TextDecoder().decode(chunks[0]), front);
  });
}

Deno.test("texts beyond 2^31 bytes of a column are found where they are", async () => {
  // The pages between the texts are never touched.
  const data = new Uint8Array(2 ** 32 + 100);
  const places = [0, 5, 2 ** 31 - 3, 2 ** 31 + 2, 2 ** 32 + 1, 2 ** 32 + 6];
  const words = ["first", "", "ab,cd", "", 'é"x"'];
  const valueOffsets = BigInt64Array.from(places, BigInt);
  const batch = batchOf({ text: [new LargeUtf8(), words] });
  for (const [row, word] of words.entries()) data.set(new TextEncoder().encode(word), places[row]);
  const type = new LargeUtf8();
  // Rows 1 and 3 span gigabytes, and are null.
  const nullBitmap = Uint8Array.of(0b10101);
  const text = makeData({ type, length: 5, nullCount: 2, nullBitmap, valueOffsets, data });
  const rows = makeData({ type: new Struct(batch.schema.fields), length: 5, children: [text] });
  const sparse = new RecordBatch(batch.schema, rows);
  const written = async (encoder: FileEncoder) => {
    const steps = await Array.fromAsync(
      encoder.batch(sparse),
      (chunks) => chunks.map((chunk) => new TextDecoder().decode(chunk)).join(""),
    );
    return steps.join("");
  };
  assertEquals(await written(new CsvEncoder(comma)), 'text\nfirst\n\n"ab,cd"\n\n"é""x"""\n');
  assertEquals(
    (await written(new NdjsonEncoder())).trimEnd().split("\n").map((line) => JSON.parse(line).text),
    ["first", null, "ab,cd", null, 'é"x"'],
  );
});

Deno.test("floats are written with the fewest digits that give them back", () =>
  forSeeds(20, (random) => {
    const bits = Uint32Array.from({ length: 2000 }, () => random.below(2 ** 32));
    const singles = new Float32Array(bits.buffer);
    const text = textOf(makeData({ type: new Float32(), length: 2000, data: singles }))!;
    for (const [row, value] of singles.entries()) {
      const shown = text(row);
      assert(Object.is(Math.fround(Number(shown)), value) || Number.isNaN(value), shown);
      const digits = shown.replace(/e.*|^-/g, "").replace(".", "").replace(/^0+|0+$/g, "");
      const fewer = Math.fround(Number(value.toPrecision(Math.max(1, digits.length - 1))));
      assert(digits.length <= 9, shown);
      assert(digits.length < 7 || fewer !== value || !Number.isFinite(value), shown);
    }
  }));

Deno.test("floats keep their sign, their kind and what is no number", () => {
  const shown = (data: Float32Array | Float64Array) => {
    const type = data instanceof Float32Array ? new Float32() : new Float64();
    const text = textOf(makeData({ type, length: data.length, data } as never))!;
    return Array.from(data, (_, row) => text(row)).join(" ");
  };
  const values = [0, -0, 1, -2, 0.1, NaN, Infinity, -Infinity, 1e21, 2 ** 24, 1e-7];
  const expected = "0.0 -0.0 1.0 -2.0 0.1 NaN Infinity -Infinity 1e+21 16777216.0 1e-7";
  assertEquals(shown(Float64Array.from(values)), expected);
  assertEquals(shown(Float32Array.from(values)), expected);
  const halves = makeData({
    type: new Float16(),
    length: 65_536,
    data: Uint16Array.from({ length: 65_536 }, (_, i) => i),
  });
  const text = textOf(halves)!;
  const column = new Vector([halves]);
  for (let row = 0; row < 65_536; row++) {
    const value = column.get(row)!;
    // apache-arrow gives NaN for the infinities.
    if ((row & 0x7fff) === 0x7c00) assertEquals(text(row), row >> 15 ? "-Infinity" : "Infinity");
    else assert(Object.is(Number(text(row)), value), `${row}: ${text(row)} is not ${value}`);
  }
});

Deno.test("a null in a dictionary is a null in CSV and NDJSON", () =>
  inFolder(async (folder) => {
    const dictionary = vectorFromArray(["é", null, "null"], new Utf8());
    const type = new Dictionary(new Utf8(), new Int32(), 1);
    const fields = [new Field("id", new Int32(), true), new Field("word", type, true)];
    const ids = makeData({ type: new Int32(), length: 4, data: Int32Array.of(1, 2, 3, 4) });
    const data = Int32Array.of(2, 1, 0, 2);
    const nullBitmap = Uint8Array.of(0b0111);
    const words = makeData({ type, length: 4, nullCount: 1, nullBitmap, data, dictionary });
    const rows = makeData({ type: new Struct(fields), length: 4, children: [ids, words] });
    const batch = new RecordBatch(new Schema(fields), rows);
    await writeAll(writeCsv(`${folder}/out.csv`), [batch]);
    assertEquals(await Deno.readTextFile(`${folder}/out.csv`), "id,word\n1,null\n2,\n3,é\n4,\n");
    await writeAll(writeNdjson(`${folder}/out.ndjson`), [batch]);
    const lines = (await Deno.readTextFile(`${folder}/out.ndjson`)).trimEnd().split("\n");
    assertEquals(lines.map((line) => JSON.parse(line).word), ["null", null, "é", null]);
  }));

Deno.test("texts of every layout become the JSON that JSON.stringify makes, nested too", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.ndjson`;
    const all = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code));
    const texts = [...all, "\ufeffmark", "𝄞", 'long \\ " \n'.repeat(9), "\u2028"];
    const item = new Field("item", new Utf8View(), true);
    const batch = batchOf({
      'a "key"': [new Utf8(), texts],
      wide: [new LargeUtf8(), texts],
      view: [new Utf8View(), texts],
      category: [new Dictionary(new Utf8(), new Int32(), 2), texts],
      list: [new List(item), texts.map((text) => [text, null, text])],
    });
    await writeAll(writeNdjson(path), [batch.slice(3, 700), batch.slice(700)]);
    const lines = (await Deno.readTextFile(path)).split("\n");
    const expected = texts.slice(3).map((text) => {
      const list = [text, null, text];
      return JSON.stringify({ 'a "key"': text, wide: text, view: text, category: text, list });
    });
    assertEquals(lines, [...expected, ""]);
  }));

Deno.test("text that is not UTF-8 becomes U+FFFD in NDJSON, which must be UTF-8", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.ndjson`;
    const batch = wordsBatch(["ok", "bad?"]);
    const { values, valueOffsets } = batch.data.children[1]!;
    values[valueOffsets[1] + 3] = 0xff;
    await writeAll(writeNdjson(path), [batch]);
    assertEquals(
      await Deno.readTextFile(path),
      '{"id":0,"word":"ok"}\n{"id":1,"word":"bad\ufffd"}\n',
    );
  }));
