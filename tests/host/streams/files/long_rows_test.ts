/** Rows that are larger than many reads: what they say, and what memory they take. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readCsvColumns, readCsvRows } from "../../../../streams/formats/csv/reader.ts";
import { readCsv } from "../../../../streams/formats/csv/csv.ts";
import { FileInput } from "../../../../streams/bytes/file_input.ts";
import { GrowingBytes } from "../../../../streams/bytes/growing_bytes.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { inFolder, readAll, rowsOf } from "../../../support/values/streams_samples.ts";
import { someOf } from "../../../support/random/test_size.ts";

Deno.test("readCsv() reads large records among small ones, in pieces of any size", () =>
  forSeeds(60, async (random) => {
    const text = () => {
      const part = random.pick(["é", "𝄞", '"', "\r\n", ",", "Rome"]);
      return part.repeat(random.below(random.pick([2, 10, 300])));
    };
    const rows = Array.from({ length: 1 + random.below(20) }, () => ({ a: text(), b: text() }));
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    const lineEnd = random.pick(["\n", "\r\n"]);
    const lines = [{ a: "a", b: "b" }, ...rows].map(({ a, b }) => `${quoted(a)},${quoted(b)}`);
    const file = random.pick(["", "\ufeff"]) + lines.join(lineEnd) + random.pick(["", lineEnd]);
    await inFolder(async (folder) => {
      const path = `${folder}/in.csv`;
      await Deno.writeTextFile(path, file);
      const dialect = {
        name: path,
        delimiter: 0x2c,
        types: { a: "string", b: "string" },
        invalid: "error",
        largeRecordBytes: random.pick([1, 20, 200]),
      } as const;
      using input = await FileInput.open(path, { chunkBytes: random.pick([1, 3, 64, 1000]) });
      const columns = await readCsvColumns(input, dialect);
      await input.rewind();
      const batches = await Array.fromAsync(
        readCsvRows(input, {}, columns, dialect),
        ({ batch }) => batch,
      );
      assertEquals(rowsOf(batches), rows);
    });
  }));

Deno.test("readCsv() gives each batch of much text memory of its own", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    const numBytes = 33 << 20;
    const texts = ["a", "b"].map((letter) => letter.repeat(numBytes));
    await Deno.writeTextFile(path, `text,row\n${texts[0]},0\n${texts[1]},1\nend,2\n`);
    const batches = await readAll(readCsv(path));
    const found = batches.map(({ data: { children: [text] } }) => {
      const bytes = text!.values.subarray(text!.valueOffsets[0], text!.valueOffsets[1]);
      return [bytes.length, bytes[0], bytes.at(-1)];
    });
    assertEquals(found, [[numBytes, 0x61, 0x61], [numBytes, 0x62, 0x62], [3, 0x65, 0x64]]);
  }));

Deno.test("GrowingBytes reads an input to its end, and frees what it held", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in`;
    const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251);
    await Deno.writeFile(path, bytes);
    for (const chunkBytes of [1, 7, 4096, 20_000]) {
      using input = await FileInput.open(path, { chunkBytes });
      const growing = new GrowingBytes();
      growing.append((await input.read(5)).slice());
      assertEquals(await growing.fill(input, 3000), 3000);
      assertEquals(input.position, 3005);
      assertEquals(await growing.fill(input, 9000), 6995);
      assertEquals(await growing.fill(input, 1), 0);
      assertEquals(growing.bytes, bytes);
      // What was read this way can be read again.
      await input.rewind();
      assertEquals(await input.read(10_000), bytes);
      const held = growing.bytes;
      growing.free();
      assertEquals([held.length, growing.length], [0, 0]);
    }
  }));

const numBytes = 64 << 20;
const plain = "The quick brown fox jumps over the lazy dog. ".repeat(numBytes / 45);
const escaped = 'a "quoted" \\ back\n and Zürich '.repeat(numBytes / 31);

const copies = Object.entries({ plain, escaped }).flatMap(([kind, text]) =>
  (["csv", "ndjson"] as const).map((format) => ({ kind, text, format }))
);
for (const { kind, text, format } of someOf(copies, 1)) {
  Deno.test({
    name: `a row of 64 MB of ${kind} text goes from ${format} to ${format} in little memory`,
    // The system that tells how much memory was in use at most.
    ignore: Deno.build.os !== "linux",
    fn: () =>
      inFolder(async (folder) => {
        const [path, copy] = [`${folder}/in.${format}`, `${folder}/out.${format}`];
        const rows = [{ id: 0, text: "before" }, { id: 1, text }, { id: 2, text: "after" }];
        await Deno.writeTextFile(
          path,
          format === "csv"
            ? `id,text\n${rows.map(({ id, text }) => `${id},${csvField(text)}\n`).join("")}`
            : rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
        );
        const { size } = await Deno.stat(path);
        const grown = await memoryOfCopy(path, copy);
        const found = await Deno.readFile(copy);
        const expected = await Deno.readFile(path);
        assert(Buffer.compare(found, expected) === 0, "the copy is another file");
        assert(grown < 4 * size, `${grown} bytes of memory for ${size} bytes`);
      }),
  });
}

function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Bytes of memory that a process of its own takes to copy a file, on top of what it takes to start. */
async function memoryOfCopy(path: string, copy: string): Promise<number> {
  const script = `
    import { openSource } from "${import.meta.resolve("../../../../streams/files/read.ts")}";
    import { write } from "${import.meta.resolve("../../../../streams/files/write.ts")}";
    const [path, copy] = Deno.args;
    const most = () => 1024 * /VmHWM:\\s+(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))[1];
    const before = most();
    const { sourceBatches } = await import("${
    import.meta.resolve("../../../support/pipelines/source_batches.ts")
  }");
    await ReadableStream.from(sourceBatches(openSource(path))).pipeTo(write(copy));
    console.log(most() - before);`;
  const scriptPath = `${copy}.ts`;
  await Deno.writeTextFile(scriptPath, script);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `--config=${configPath}`, scriptPath, path, copy],
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  return Number(new TextDecoder().decode(stdout));
}

const configPath = new URL("../../../../deno.json", import.meta.url).pathname;
