import { assertEquals, assertRejects } from "@std/assert";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { FileError, read, toTable, write } from "../../../mod.ts";
import { pythonBytes } from "../../support/python_bytes.ts";
import { inFolder } from "../../support/sluice.ts";

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
  };
}

Deno.test("a file of another kind is refused by what it is, in every format and on a pipe", () =>
  inFolder({}, async (folder) => {
    for (const [says, bytes] of Object.entries(await strangers())) {
      for (const format of formats) {
        const file = `${folder}/stranger`;
        await Deno.writeFile(file, bytes);
        await assertRejects(
          () => toTable(read(file, { format })),
          FileError,
          `stranger: ${says}, not ${readers[format]}`,
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
      ]
    ) {
      await Deno.writeTextFile(`${folder}/a.csv`, `${name},b\n1,2\n`);
      assertEquals((await toTable(read(`${folder}/a.csv`))).schema.names, [name, "b"]);
    }
  }));

Deno.test("the suffix of a packed file is named", () =>
  inFolder({ "a.csv.gz": gzipSync(csv), "a.csv.br": brotliCompressSync(csv) }, (folder) => {
    for (const [suffix, name] of [["gz", "gzip"], ["br", "brotli"], ["zst", "zstd"]] as const) {
      let message = "";
      try {
        read(`${folder}/a.csv.${suffix}`);
      } catch (error) {
        message = (error as Error).message;
      }
      const says = `a.csv.${suffix}: is a file packed by ${name}, which is not supported yet`;
      assertEquals(message.endsWith(says), true, message);
    }
    return Promise.resolve();
  }));
