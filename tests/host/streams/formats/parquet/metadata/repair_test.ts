import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { footerOf } from "../../../../../../streams/formats/parquet/metadata/footer.ts";
import {
  type FileMetadata,
  fileMetadata,
  pageHeader,
} from "../../../../../../streams/formats/parquet/metadata/metadata.ts";
import {
  listOf,
  struct,
  writeThrift,
} from "../../../../../../streams/formats/parquet/metadata/thrift.ts";
import { changeFooter, writeParts } from "../../../../../support/files/parquet_files.ts";
import { queryDuckDb } from "../../../../../support/judges/peers.ts";
import {
  batchOf,
  inFolder,
  readAll,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";

const cities = ["Zürich", "Lima", null, "Lima", "Þórshöfn", "Lima"];
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function writeCities(path: string): Promise<void> {
  const ids = cities.map((_, row) => row);
  const batch = batchOf({ id: [new Int32(), ids], city: [new Utf8(), cities] });
  await writeAll(writeParquet(path, { compression: "none" }), [batch]);
}

async function assertCities(path: string): Promise<void> {
  const source = readParquet(path);
  assertEquals(await source.numRows(), cities.length);
  const batches = await readAll(source);
  assertEquals(batches.flatMap((batch) => [...batch.getChild("city")!]), cities);
}

/** What another writer does, and the change of the footer that makes it so. */
const valid: Record<string, (metadata: FileMetadata) => void> = {
  "leaves the number of rows at 0": (metadata) => void (metadata.numRows = 0),
  "counts rows wrongly": (metadata) => void (metadata.numRows = 1),
  "says 0 where there is no dictionary": ({ rowGroups }) => {
    const { metadata } = rowGroups![0]!.columns![0]!;
    metadata!.dataPageOffset = Math.min(metadata!.dataPageOffset!, metadata!.dictionaryPageOffset!);
    metadata!.dictionaryPageOffset = 0;
  },
  "has types of a later version": ({ schema }) => {
    schema![1]!.convertedType = 99;
    schema![2]!.logicalType = {};
  },
  "renames a column, and not in what it notes for Arrow": ({ schema, rowGroups }) => {
    schema![1]!.name = bytesOf("number");
    for (const { columns } of rowGroups!) columns![0]!.metadata!.path = [bytesOf("number")];
  },
  "leaves the header of a dictionary out of the length of a column": (metadata) => {
    metadata.createdBy = bytesOf("parquet-mr");
    for (const { metadata: column } of metadata.rowGroups![0]!.columns!) {
      column!.compressedBytes! -= 14;
    }
  },
};

for (const [what, change] of Object.entries(valid)) {
  Deno.test(`readParquet() reads the file of a writer that ${what}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      await writeCities(path);
      await changeFooter(path, change);
      await assertCities(path);
    }));
}

Deno.test("readParquet() passes over fields of the metadata that it does not know", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    // A field that was a list in a proposal, and is a number in the format.
    const { items: group } = fileMetadata.fields.rowGroups[1];
    const { items: chunk } = group.fields.columns[1];
    const column = chunk.fields.metadata[1];
    const odd = struct({ ...column.fields, odd: [15, listOf(struct({ size: [1, "i64"] }))] });
    const columns = listOf(struct({ ...chunk.fields, metadata: [3, odd] }));
    const groups = listOf(struct({ ...group.fields, columns: [1, columns] }));
    const type = struct({ ...fileMetadata.fields, rowGroups: [4, groups] });
    const mark = ({ rowGroups }: FileMetadata) => {
      for (const { metadata } of rowGroups![0]!.columns!) {
        Object.assign(metadata!, { odd: [{ size: 22 }, { size: 7 }] });
      }
    };
    await changeFooter(path, mark, type);
    await assertCities(path);
    const judged = await queryDuckDb(`SELECT city FROM '${path}' ORDER BY id`).catch(() => []);
    if (judged.length > 0) assertEquals(judged.map(({ city }) => city), cities);
  }));

/** What is wrong or not supported, the change that makes it so, and what the error says. */
const refused: Record<string, readonly [(metadata: FileMetadata) => void, string]> = {
  "a short column of another writer": [
    (metadata) => {
      metadata.createdBy = bytesOf("parquet-mr version 1.12.0");
      metadata.rowGroups![0]!.columns![1]!.metadata!.compressedBytes! -= 14;
    },
    "column city, row group 0, is corrupt: the header of page 1 cannot be decoded: it ends too early",
  ],
  "an encrypted file with a plain footer": [
    (metadata) => void (metadata.encryption = {}),
    "is encrypted, which is not supported yet",
  ],
  "an encrypted column": [
    ({ rowGroups }) => void (rowGroups![0]!.columns![1]!.encryption = {}),
    "column city is encrypted, which is not supported yet",
  ],
  "columns in other files": [
    ({ rowGroups }) => void (rowGroups![0]!.columns![1]!.filePath = bytesOf("part-0.parquet")),
    "has columns in another file, part-0.parquet, which is not supported yet",
  ],
  "a column without metadata": [
    ({ rowGroups }) => void (rowGroups![0]!.columns![1]!.metadata = undefined),
    "is corrupt: row group 0 has no metadata for a column",
  ],
  "a column that is missing": [
    ({ rowGroups }) => void rowGroups![0]!.columns!.pop(),
    "is corrupt: row group 0 has 1 columns, but the schema has 2",
  ],
  "metadata without row groups": [
    (metadata) => void (metadata.rowGroups = undefined),
    "is corrupt: its footer lacks the schema, the rows or the row groups",
  ],
  "row groups that are gone": [
    (metadata) => void (metadata.rowGroups = []),
    "is corrupt: its footer states 6 rows, but its row groups state 0",
  ],
  "a schema that ends early": [
    ({ schema }) => void schema!.pop(),
    "is corrupt: its schema lacks columns",
  ],
  "fewer rows than are promised": [
    (metadata) => {
      metadata.numRows = 7;
      metadata.rowGroups![0]!.numRows = 7;
    },
    "column id, row group 0, is corrupt: its pages have 6 values, but its row group has 7 rows",
  ],
  "more rows than are promised": [
    (metadata) => {
      metadata.numRows = 5;
      metadata.rowGroups![0]!.numRows = 5;
    },
    "is corrupt: row group 0 states 5 rows, but its column id has 6 values",
  ],
  "another number of rows in a row group": [
    ({ rowGroups }) => void (rowGroups![0]!.numRows = 7),
    "is corrupt: its footer states 6 rows, but its row groups state 7",
  ],
};

for (const [what, [change, message]] of Object.entries(refused)) {
  Deno.test(`readParquet() refuses ${what} in one line`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      await writeCities(path);
      await changeFooter(path, change);
      const error = await assertRejects(() => readAll(readParquet(path)), FileError);
      assertEquals(error.message, `${path}: ${message}`);
    }));
}

Deno.test("readParquet() says that a file is encrypted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await Deno.writeFile(path, bytesOf("PARE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0PARE"));
    const message = "in.parquet: is encrypted, which is not supported yet";
    await assertRejects(() => readParquet(path).schema(), FileError, message);
  }));

Deno.test("a page that does not fit the memory is refused before it is decoded", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    const pages: Uint8Array[] = [bytesOf("PAR1")];
    const numBytes = 2 ** 30;
    // One page of the right size, one that claims a gigabyte.
    for (const uncompressedBytes of [10, numBytes]) {
      pages.push(writeThrift({ type: 0, uncompressedBytes, compressedBytes: 10 }, pageHeader));
      pages.push(new Uint8Array(10));
    }
    const pageBytes = pages.reduce((sum, { length }) => sum + length, 0);
    await changeFooter(path, (metadata) => {
      const columns = metadata.rowGroups![0]!.columns!;
      for (const { metadata: column } of columns) {
        column!.dataPageOffset = 4;
        column!.dictionaryPageOffset = undefined;
        column!.compressedBytes = pageBytes - 4;
      }
      columns[1]!.metadata!.uncompressedBytes = numBytes + 10;
      pages.push(footerOf(writeThrift(metadata, fileMetadata)));
    });
    await writeParts(path, pages);
    const before = Deno.memoryUsage().rss;
    const message =
      `column city has a page of ${numBytes} bytes, more than the 536870912 that can be`;
    await assertRejects(() => readAll(readParquet(path)), FileError, message);
    const grown = Deno.memoryUsage().rss - before;
    assert(grown < 200 << 20, `${grown} bytes more`);
  }));
