import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ByteStore } from "../../../../streams/bytes/byte_store.ts";
import { readCsvColumns } from "../../../../streams/formats/csv/reader.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { FileInput } from "../../../../streams/bytes/file_input.ts";
import { GivenKeys } from "../../../../streams/formats/given_keys.ts";
import { readJsonTable } from "../../../../streams/formats/ndjson/reader.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { inFolder, readAll } from "../../../support/values/streams_samples.ts";
import { inFolder as inFiles, sluice } from "../../../support/processes/sluice.ts";

/** What never ends: some bytes, then always the same one. */
class Endless implements ByteStore {
  readonly numBytes = undefined;
  readonly identity = undefined;
  readonly tripBytes = 0;
  numRead = 0;
  readonly #front: Uint8Array;
  readonly #byte: number;

  constructor(front: string, byte: number) {
    this.#front = new TextEncoder().encode(front);
    this.#byte = byte;
  }

  read(target: Uint8Array<ArrayBuffer>): Promise<number> {
    target.fill(this.#byte);
    const rest = this.#front.subarray(this.numRead, this.numRead + target.length);
    target.set(rest);
    this.numRead += target.length;
    return Promise.resolve(target.length);
  }

  holds(): boolean {
    return true;
  }
  prepare(): void {}
  readMany(): Promise<Uint8Array<ArrayBuffer>[]> {
    throw new Error("cannot seek");
  }
  currentSize(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  close(): void {}
}

const mebibyte = 1 << 20;
const invalid = "error";
const csv = (input: FileInput, rowBytes: number) =>
  readCsvColumns(input, { name: "in", delimiter: 0x2c, types: {}, invalid, rowBytes });
const ndjson = (input: FileInput, rowBytes: number) =>
  readJsonTable(input, {
    name: "in",
    types: {},
    keys: new GivenKeys([]).add("in"),
    invalid,
    rowBytes,
  });

const endless: Readonly<Record<string, readonly [typeof csv | typeof ndjson, string, string]>> = {
  "a header": [csv, "a", "the header has"],
  "a row": [csv, "a,b\n1,2\n3,", "row 1 has"],
  "a quoted field": [csv, 'a,b\n1,2\n3,"x\n', "row 1 has"],
  "the first line of NDJSON": [ndjson, "", "line 1: has"],
  "a later line of NDJSON": [ndjson, '{"a":1}\n\n{"a":"', "line 3: has"],
};
for (const [what, [read, front, says]] of Object.entries(endless)) {
  Deno.test(`${what} without an end is refused as soon as it is longer than rows may be`, async () => {
    for (const [byte, rowBytes] of [[0, 5 * mebibyte], [0x78, 3 * mebibyte + 1]] as const) {
      const store = new Endless(front, byte);
      using input = FileInput.over(store, 128 << 10);
      const { message } = await assertRejects(() => read(input, rowBytes), FileError);
      assert(
        message.startsWith(`in: ${says} more than ${rowBytes} bytes, the limit of memory`),
        message,
      );
      assert(store.numRead < rowBytes + 2 * mebibyte, `${store.numRead} bytes were read`);
    }
  });
}

Deno.test("rows up to the limit are read, and those of one byte more are not", () =>
  inFolder((folder) =>
    forSeeds(8, async (random) => {
      const rowBytes = mebibyte + random.below(3 * mebibyte);
      for (const suffix of ["csv", "ndjson"] as const) {
        // A line end is no part of a line of NDJSON, but of a record of CSV.
        const [front, back] = suffix === "csv" ? ["", "\n"] : ['{"a":"', '"}'];
        const row = (numBytes: number) =>
          front + "x".repeat(numBytes - front.length - back.length) + back;
        const rest = suffix === "csv" ? "x\n" : '\n{"a":"x"}\n';
        const header = suffix === "csv" ? "a\n" : "";
        const path = `${folder}/in.${suffix}`;
        await Deno.writeTextFile(path, header + row(rowBytes) + rest);
        const batches = await readAll(openSource(path, { rowBytes }));
        assertEquals(batches.reduce((sum, { numRows }) => sum + numRows, 0), 2);
        // Bytes are read a megabyte at a time: what is longer by less may pass.
        await Deno.writeTextFile(path, header + row(rowBytes + 2 * mebibyte) + rest);
        await assertRejects(
          () => readAll(openSource(path, { rowBytes })),
          FileError,
          "limit of memory",
        );
      }
    })
  ));

Deno.test("a limit of few bytes refuses no usual row", () =>
  inFolder(async (folder) => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `${i},${"word ".repeat(i % 9)}\n`);
    await Deno.writeTextFile(`${folder}/in.csv`, `a,b\n${rows.join("")}`);
    const batches = await readAll(openSource(`${folder}/in.csv`, { rowBytes: 10 }));
    assertEquals(batches.reduce((sum, { numRows }) => sum + numRows, 0), rows.length);
  }));

Deno.test("--memory is the limit of a row of /dev/zero", () =>
  inFiles({}, async (cwd) => {
    for (const format of ["csv", "tsv", "ndjson"]) {
      const words = ["--memory", "2MiB", "read", "/dev/zero", "--format", format, "then", "count"];
      const { status, err } = await sluice(words, { cwd });
      assertEquals([status, /more than 2097152 bytes, the limit of memory/.test(err)], [1, true]);
    }
  }));
