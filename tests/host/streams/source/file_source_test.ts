import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { FileError, read, toTable, write } from "../../../../mod.ts";
import { FileInput } from "../../../../streams/bytes/file_input.ts";
import { formatOf } from "../../../../streams/files/formats.ts";
import { readIpc, writeIpc } from "../../../support/files/ipc.ts";
import { messagesIn } from "../../../support/files/arrow_messages.ts";
import { RangeServer } from "../../../support/files/range_server.ts";
import {
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

/** The bytes that a line of Python hands to `out`: files of formats that Deno has no writer of. */
async function pythonBytes(code: string): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command("python3", {
    args: ["-c", `import sys; out = sys.stdout.buffer.write\n${code}`],
  }).output();
  if (!success) throw new Error(`python3 failed: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}

const csv = new TextEncoder().encode("city,iata\nRome,FCO\nOslo,OSL\n");
const formats = ["csv", "tsv", "ndjson", "arrow", "parquet"] as const;
const readers = {
  csv: "CSV",
  tsv: "CSV",
  ndjson: "NDJSON",
  arrow: "Arrow data",
  parquet: "Parquet",
};

/** Real files of other kinds, made by those who own the formats. */
async function strangers(): Promise<Readonly<Record<string, Uint8Array>>> {
  return {
    "is compressed by gzip": gzipSync(csv),
    "is compressed by zstd": zstdCompressSync(csv),
    "is compressed by bzip2": await pythonBytes("import bz2; out(bz2.compress(b'a,b\\n1,2\\n'))"),
    "is compressed by xz": await pythonBytes("import lzma; out(lzma.compress(b'a,b\\n1,2\\n'))"),
    "is a ZIP archive or a workbook of Excel": await pythonBytes(
      "import io, zipfile; b = io.BytesIO(); z = zipfile.ZipFile(b, 'w'); " +
        "z.writestr('a.csv', 'a,b\\n1,2\\n'); z.close(); out(b.getvalue())",
    ),
    "is a SQLite database": await pythonBytes(
      "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('create table t (a)'); " +
        "out(c.serialize())",
    ),
    "is UTF-16 text": await pythonBytes("out('a,b\\n1,2\\n'.encode('utf-16'))"),
    "is UTF-16 text without a mark": await pythonBytes("out('né,b\\n1,2\\n'.encode('utf-16-le'))"),
    "is UTF-16 text without": await pythonBytes("out('{\"a\":1}\\n'.encode('utf-16-be'))"),
    "is Feather of version 1": await pythonBytes(
      "out(b'FEA1' + bytes(4) + b'\\x01' + bytes(7) + b'FEA1')",
    ),
    "is UTF-32 text": await pythonBytes("out('a,b\\n1,2\\n'.encode('utf-32'))"),
  };
}

Deno.test("a file of another kind is refused by what it is, in every format and on a pipe", () =>
  inFolder({}, async (folder) => {
    for (const [says, bytes] of Object.entries(await strangers())) {
      for (const format of formats) {
        const file = `${folder}/stranger`;
        const full = says.endsWith("without") ? `${says} a mark` : says;
        await Deno.writeFile(file, bytes);
        await assertRejects(
          () => toTable(read(file, { format })),
          FileError,
          `stranger: ${full}, not ${readers[format]}`,
        );
        await assertRejects(() => read(file, { format }).schema(), FileError, says);
      }
    }
  }));

Deno.test("our own formats are told apart", () =>
  inFolder({ "a.csv": csv }, async (folder) => {
    const names = { arrow: "Arrow data", parquet: "Parquet" } as const;
    for (const [suffix, says] of Object.entries(names)) {
      await read(`${folder}/a.csv`).pipeTo(write(`${folder}/a.${suffix}`));
      for (const format of formats) {
        const stream = read(`${folder}/a.${suffix}`, { format });
        if (format === suffix) assertEquals((await toTable(stream)).numRows, 2);
        else {await assertRejects(
            () => toTable(stream),
            FileError,
            `is ${says}, not ${readers[format]}`,
          );}
      }
    }
  }));

Deno.test("text that begins like a file of another kind is text", () =>
  inFolder({}, async (folder) => {
    for (
      const name of [
        "PAR1",
        "PARENT",
        "ORC",
        "Obj",
        "BZh9",
        "ARROW1",
        "PK",
        "7z",
        "SQLite format 3",
        "FEA1",
        "{a",
        "[{a",
      ]
    ) {
      await Deno.writeTextFile(`${folder}/a.csv`, `${name},b\n1,2\n`);
      assertEquals((await toTable(read(`${folder}/a.csv`))).schema.names, [name, "b"]);
    }
  }));

Deno.test("text where Arrow data or Parquet is expected is told by what it looks like", () =>
  inFolder({}, async (folder) => {
    const texts = {
      "id,word\n1,a\n": 'is text, not X; format: "csv"',
      "id\tword\n": 'is text, not X; format: "tsv"',
      '\ufeff {"id":1}\n': 'is JSON, not X; format: "ndjson"',
      '[{"id":1}]\n': "is JSON, not X; jq -c '.[]'",
      "número de identificación\n": 'is text, not X; format: "csv"',
    };
    for (const [text, says] of Object.entries(texts)) {
      await Deno.writeTextFile(`${folder}/in`, text);
      for (const format of ["arrow", "parquet"] as const) {
        const expected = says.replace("X", readers[format]);
        await assertRejects(() => toTable(read(`${folder}/in`, { format })), FileError, expected);
      }
    }
  }));

Deno.test("JSON where CSV or TSV is expected is told, but not a name in quotes that looks like it", () =>
  inFolder({}, async (folder) => {
    const texts = {
      '{"id":1,"word":"a"}\n{"id":2,"word":"b"}\n': 'format: "ndjson"',
      '\ufeff\n{ "id": 1 }\n': 'format: "ndjson"',
      '{"a name that is long": 1}\n': 'format: "ndjson"',
      '[{"id":1}]\n': "jq -c '.[]'",
      '[\n  {\n    "id": 1\n  }\n]\n': "jq -c '.[]'",
    };
    for (const [text, cure] of Object.entries(texts)) {
      await Deno.writeTextFile(`${folder}/in`, text);
      for (const format of ["csv", "tsv"] as const) {
        const reading = () => toTable(read(`${folder}/in`, { format }));
        await assertRejects(reading, FileError, `is JSON, not CSV; ${cure}`);
      }
    }
    await Deno.writeTextFile(`${folder}/in`, '"{""id"":1}",b\n1,2\n');
    const { schema } = await toTable(read(`${folder}/in`, { format: "csv" }));
    assertEquals(schema.names, ['{"id":1}', "b"]);
  }));

Deno.test("a page that a server gives in place of a file is told, whatever is expected", () =>
  inFolder({}, async (folder) => {
    const pages = {
      doctype: "<!DOCTYPE html>\n<title>404, not found</title>\n",
      html: "\ufeff\n  <html><body>Sign in, please</body></html>\n",
      xml: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    };
    const says = "is a page of HTML or XML, not KIND; look at it with a browser or a pager";
    for (const [name, text] of Object.entries(pages)) {
      const bytes = new TextEncoder().encode(text);
      await Deno.writeFile(`${folder}/${name}`, bytes);
      await using server = new RangeServer({ [name]: bytes });
      for (const format of formats) {
        const expected = says.replace("KIND", readers[format]);
        for (const file of [`${folder}/${name}`, server.url(name)]) {
          await assertRejects(() => toTable(read(file, { format })), FileError, expected);
        }
      }
    }
    // A name that begins in such a way is one.
    await Deno.writeTextFile(`${folder}/a.csv`, "<id>,<name>\n1,a\n");
    assertEquals((await toTable(read(`${folder}/a.csv`))).schema.names, ["<id>", "<name>"]);
  }));

Deno.test("large text on a server where Arrow data is expected is told by its front", async () => {
  const bytes = new TextEncoder().encode(`id,word\n${"1,a\n".repeat(200_000)}`);
  await using server = new RangeServer({ "a.arrow": bytes });
  const expected = "is text, not Arrow data; ";
  await assertRejects(() => toTable(read(server.url("a.arrow"))), FileError, expected);
});

Deno.test("the names of files that are none of ours say what to do with them", () => {
  const says = {
    "a.json": "jq -c '.[]' a.json",
    "A.JSON": '"ndjson"',
    "a.log": "format says which: csv, tsv or ndjson",
    "a.nc": "to_zarr",
    "a.xlsx": "as CSV",
    "a.ndjson.gz": "sluice read - --format ndjson",
    "a.unknown": "has an unknown format",
  };
  for (const [name, text] of Object.entries(says)) assertThrows(() => read(name), FileError, text);
  assertThrows(() => formatOf("a.csv.gz", "write"), FileError, "write - --format csv | gzip");
});

Deno.test("the suffix of a packed file is named", () =>
  inFolder({ "a.csv.gz": gzipSync(csv), "a.csv.br": brotliCompressSync(csv) }, (folder) => {
    for (const [suffix, name] of [["gz", "gzip"], ["br", "brotli"], ["zst", "zstd"]] as const) {
      let message = "";
      try {
        read(`${folder}/a.csv.${suffix}`);
      } catch (error) {
        message = (error as Error).message;
      }
      const says = `a.csv.${suffix}: is compressed by ${name}, which is not supported yet; `;
      assertEquals(message.includes(says), true, message);
      const pipe = new RegExp(`c \\S*a\\.csv\\.${suffix} \\| sluice read - --format csv$`);
      assertEquals(pipe.test(message), true, message);
    }
    return Promise.resolve();
  }));

Deno.test("FileInput gives the bytes of a file wherever it is moved to", () =>
  inFolder((folder) =>
    forSeeds(40, async (random) => {
      const path = `${folder}/bytes`;
      const bytes = Uint8Array.from({ length: random.below(60_000) }, () => random.below(256));
      await Deno.writeFile(path, bytes);
      using input = await FileInput.open(path, {
        chunkBytes: random.pick([1, 100, 5000, 1 << 20]),
      });
      let position = 0;
      for (let step = 0; step < 60; step++) {
        const length = random.pick([0, 1, 10, 3000, 20_000]);
        switch (random.below(4)) {
          case 0:
            position = random.below(bytes.length + 10);
            await input.seek(position);
            break;
          case 1:
            assertEquals(await input.peek(length), bytes.slice(position, position + length));
            break;
          case 2: {
            const some = await input.readSome();
            assertEquals(some, bytes.slice(position, position + some.length));
            assertEquals(some.length > 0, position < bytes.length);
            position += some.length;
            break;
          }
          default:
            assertEquals(await input.read(length), bytes.slice(position, position + length));
            position = Math.max(position, Math.min(bytes.length, position + length));
        }
        assertEquals(input.position, position);
      }
    })
  ));

Deno.test("FileInput does not read again what it just read before a seek", () =>
  inFolder(async (folder) => {
    const path = `${folder}/bytes`;
    await Deno.writeFile(path, Uint8Array.from({ length: 50_000 }, (_, i) => i));
    const reads: number[] = [];
    const onRead = (numBytes: number) => reads.push(numBytes);
    using input = await FileInput.open(path, { chunkBytes: 8192, onRead });
    await input.read(100);
    await input.seek(40_000);
    await input.read(10);
    await input.seek(200);
    assertEquals([...await input.read(3)], [200, 201, 202]);
    await input.seek(0);
    await input.seek(40_001);
    assertEquals([...await input.read(1)], [40_001 % 256]);
    assertEquals(reads, [8192, 8192]);
  }));

Deno.test("FileInput gives ranges in any order, overlapping and empty, and stays where it is", () =>
  inFolder((folder) =>
    forSeeds(40, async (random) => {
      const path = `${folder}/bytes`;
      const bytes = Uint8Array.from({ length: random.below(60_000) }, () => random.below(256));
      await Deno.writeFile(path, bytes);
      let numRead = 0;
      using input = await FileInput.open(path, { onRead: (count) => void (numRead += count) });
      await input.read(random.pick([0, 10, 2000]));
      const before = numRead;
      const position = random.below(bytes.length + 1);
      await input.seek(position);
      const ranges = Array.from({ length: random.below(6) }, () => {
        const start = random.below(bytes.length + 1);
        return { start, stop: start + random.below(bytes.length - start + 1) };
      });
      input.prepare(ranges);
      const found = await input.readMany(ranges);
      assertEquals(found, ranges.map(({ start, stop }) => bytes.slice(start, stop)));
      const lengths = found.map(({ length }) => length);
      assertEquals(found.map(({ byteOffset }) => byteOffset % 8), lengths.map(() => 0));
      assertEquals(found.map(({ buffer }) => buffer.byteLength), lengths);
      const asked = lengths.reduce((sum, length) => sum + length, 0);
      // What was read before may be in the buffer.
      assertEquals([numRead - before <= asked, before > 0 || numRead === asked], [true, true]);
      assertEquals(input.position, position);
      assertEquals(await input.read(100), bytes.slice(position, position + 100));
    })
  ));

Deno.test("FileInput rejects a range that the file has no more, and says where it ended", () =>
  inFolder(async (folder) => {
    const path = `${folder}/bytes`;
    await Deno.writeFile(path, new Uint8Array(1000));
    using input = await FileInput.open(path);
    const read = (start: number, stop: number) => input.readMany([{ start, stop }]);
    await assertRejects(() => read(990, 1001), Error, "ends at byte 1000");
    await assertRejects(() => read(2000, 2 ** 50), Error, "ends at byte 2000");
    assertEquals(input.shortEnd, undefined);
    await Deno.truncate(path, 600);
    await assertRejects(() => read(500, 700), Error, "ends at byte 600");
    assertEquals(input.shortEnd, 600);
    const signal = AbortSignal.abort(new Error("not wanted any more"));
    await assertRejects(
      () => input.readMany([{ start: 0, stop: 5 }], signal),
      Error,
      "not wanted any more",
    );
  }));

Deno.test("FileInput lets others have a turn between short reads", () =>
  inFolder(async (folder) => {
    const path = `${folder}/bytes`;
    await Deno.writeFile(path, new Uint8Array(50_000));
    using input = await FileInput.open(path, { chunkBytes: 1 });
    let hasTurn = false;
    const timer = setTimeout(() => hasTurn = true, 0);
    for (let read = 0; read < 200_000 && !hasTurn; read++) {
      await input.seek((read * 1000) % 50_000);
      await input.read(1);
    }
    clearTimeout(timer);
    assertEquals(hasTurn, true);
  }));

Deno.test("a small Arrow file is read once for its schema, and once more from its first batch on", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batches = [wordsBatch(["a", null]), wordsBatch(["é"], 2)];
    await writeAll(writeIpc(path, { format: "file" }), batches);
    const file = await Deno.readFile(path);
    const source = readIpc(path);
    await source.schema();
    assertEquals(source.bytesRead, file.length);
    assertEquals(rowsOf(await readAll(source)), rowsOf(batches));
    const [, first, second] = messagesIn(file);
    assertEquals(source.bytesRead, file.length + second!.stop - first!.start);
  }));
