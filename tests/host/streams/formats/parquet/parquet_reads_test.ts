import { assert, assertEquals, assertRejects } from "@std/assert";
import { FixedSizeBinary, Int32, Utf8 } from "apache-arrow";
import type { ByteRange } from "../../../../../streams/bytes/byte_store.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { FileInput } from "../../../../../streams/bytes/file_input.ts";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import { GroupReader } from "../../../../../streams/formats/parquet/read/group_reader.ts";
import { KeptHead } from "../../../../../streams/formats/parquet/metadata/head.ts";
import { loadParquetWasm } from "../../../../../streams/formats/parquet/module/module.ts";
import { ModuleFile } from "../../../../../streams/formats/parquet/module/module_file.ts";
import { OpenParquet } from "../../../../../streams/formats/parquet/read/open.ts";
import { rangeBlob } from "../../../../../streams/formats/parquet/metadata/range_blob.ts";
import { readParquetRows } from "../../../../../streams/formats/parquet/read/reader.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { numRowsOf } from "../../../../../streams/rows/row_run.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import { asInt96, changeFooter, int96 } from "../../../../support/files/parquet_files.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../support/values/streams_samples.ts";

const rows = Array.from({ length: 1000 }, (_, id) => ({
  id,
  city: id % 7 === 0 ? null : ["Zürich", "Lima", "Þórshöfn", "東京"][id % 4]!,
}));

async function writeCities(path: string): Promise<void> {
  const batch = batchOf({
    id: [new Int32(), rows.map(({ id }) => id)],
    city: [new Utf8(), rows.map(({ city }) => city)],
  });
  await writeAll(writeParquet(path, { rowGroupRows: 600 }), [batch]);
}

function readerOf(parquet: OpenParquet): GroupReader {
  const { decodedSchema } = parquet;
  return new GroupReader(parquet, { decodedSchema, schema: decodedSchema, isSelection: false });
}

/** Makes all reads from now on fail. */
function failReads(input: FileInput): void {
  input.readMany = () => Promise.reject(new Deno.errors.BadResource("it is gone"));
}

const firstGroup = [{ start: 0, step: 1, count: 600 }];

Deno.test("a read that fails is an error of its own, as often as it happens, and other files are read", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    // More often than parquet-wasm could trap.
    for (let time = 0; time < 200; time++) {
      using input = await FileInput.open(path);
      using parquet = await OpenParquet.open(input, new KeptHead());
      failReads(input);
      const groupRows = async () =>
        await Array.fromAsync(await readerOf(parquet).rows(0, firstGroup));
      await assertRejects(groupRows, Deno.errors.BadResource);
    }
    assertEquals(rowsOf(await readAll(readParquet(path))), rows);
  }));

Deno.test("a read that fails while batches come is an error behind those that came", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    using input = await FileInput.open(path);
    using parquet = await OpenParquet.open(input, new KeptHead());
    const reader = readerOf(parquet);
    const first = await Array.fromAsync(await reader.rows(0, firstGroup));
    assertEquals(rowsOf(first.map(({ batch }) => batch)), rows.slice(0, 600));
    failReads(input);
    const laterRows = async () =>
      await Array.fromAsync(await reader.rows(1, [{ start: 0, step: 1, count: 400 }]));
    await assertRejects(laterRows, Deno.errors.BadResource);
  }));

Deno.test("data of less than no bytes, and behind the end, is an error that says where", async () => {
  const file = { numBytes: 1000, read: () => Promise.reject(new Error("this was read")) };
  for (const [start, stop] of [[1200, 1300], [700, 600]] as const) {
    const { blob, failed } = rangeBlob(file);
    // It stays pending.
    blob.slice(start, stop).arrayBuffer();
    const error = await assertRejects(() => failed, TypeError);
    const last = Math.min(stop, 1000);
    assertEquals(error.message, `is corrupt: it places data at bytes ${start} to ${last}`);
  }
});

Deno.test("a file that cannot be read from the start is no trap", async () => {
  const wasm = await loadParquetWasm();
  const reason = new Error("the disk is gone");
  const file = { numBytes: 1000, read: () => Promise.reject(reason) };
  const error = await assertRejects(() => ModuleFile.open(wasm, file), Error);
  assert(error === reason);
});

/** Changes where the page index is said to lie, in a file of ours. */
async function breakIndex(path: string, change: (index: number[]) => readonly number[]) {
  await changeFooter(path, ({ rowGroups }) => {
    for (const chunk of rowGroups!.flatMap(({ columns }) => columns!)) {
      const [offset, length] = change([chunk.offsetIndexOffset!, chunk.offsetIndexLength!]);
      chunk.offsetIndexOffset = offset;
      chunk.offsetIndexLength = length;
    }
  });
}

const wrongIndexes: Record<string, (index: number[]) => readonly number[]> = {
  "of other bytes": ([offset, length]) => [offset! - 2000, length!],
  "cut off": ([offset, length]) => [offset!, length! - 2],
  "of negative length": ([offset]) => [offset!, -5],
  "behind the end": ([, length]) => [2 ** 40, length!],
  "in front of the start": ([, length]) => [-7, length!],
  "of all of the file": () => [4, 2 ** 31 - 1],
};

for (const [what, change] of Object.entries(wrongIndexes)) {
  Deno.test(`a page index ${what} does no harm`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      await writeCities(path);
      await breakIndex(path, change);
      const judged = await queryDuckDb(`SELECT id, city FROM '${path}' ORDER BY id`);
      assertEquals(judged, rows);
      for (const [start, stop] of [[0, 1000], [10, 20], [598, 603], [999, 1000]]) {
        const batches = await readAll(readParquet(path), { start, stop });
        assertEquals(rowsOf(batches), rows.slice(start, stop), `rows ${start} to ${stop}`);
      }
    }));
}

Deno.test("a page index that some columns lack is not used", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    await changeFooter(path, ({ rowGroups }) => {
      rowGroups![0]!.columns![1]!.offsetIndexOffset = undefined;
    });
    using input = await FileInput.open(path);
    using parquet = await OpenParquet.open(input, new KeptHead());
    assertEquals([parquet.hasIndex(0), parquet.hasIndex(1)], [false, true]);
    assertEquals(
      rowsOf(await readAll(readParquet(path), { start: 590, stop: 610 })),
      rows.slice(590, 610),
    );
  }));

Deno.test("a source that is read again reads the file anew, also if it has kept its size", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const write = async (city: string): Promise<number> => {
      const batch = batchOf({ city: [new Utf8(), [city]] });
      await writeAll(writeParquet(`${folder}/new.parquet`, { compression: "none" }), [batch]);
      const bytes = await Deno.readFile(`${folder}/new.parquet`);
      await Deno.writeFile(path, bytes);
      return bytes.length;
    };
    const size = await write("Lima");
    const source = readParquet(path);
    assertEquals(rowsOf(await readAll(source)), [{ city: "Lima" }]);
    assertEquals(await write("Oslo"), size);
    assertEquals(rowsOf(await readAll(source)), [{ city: "Oslo" }]);
  }));

Deno.test("the range of INT96 is found out once, for the schema and for the rows", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const newYear = 2_440_588;
    const days = Array.from({ length: 40_000 }, (_, row) => int96(newYear + row, BigInt(row)));
    const batch = batchOf({ seen: [new FixedSizeBinary(12), days] });
    await writeAll(writeParquet(path, { compression: "none" }), [batch]);
    await asInt96(path);
    const source = readParquet(path);
    await source.schema();
    const once = source.bytesRead;
    await readAll(source);
    const again = source.bytesRead - once;
    assert(again < 1.25 * once, `${again} bytes for the rows, ${once} for the schema`);
  }));

Deno.test("the pages of a row group are asked for while the one before it is decoded", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (SELECT i AS id, hash(i) AS noise FROM range(9000) t(i))
      TO '${path}' (ROW_GROUP_SIZE 2048)`);
    using input = await FileInput.open(path);
    const steps: string[] = [];
    const nameOf = ({ start, stop }: ByteRange) => `${start} to ${stop}`;
    const readMany = input.readMany.bind(input);
    input.prepare = (ranges) => void steps.push(`prepare ${ranges.map(nameOf)}`);
    input.readMany = (ranges) => {
      steps.push(`read ${ranges.map(nameOf)}`);
      return readMany(ranges);
    };
    const request: RowRequest = [rowSlice(5000, 1000, -1)];
    const rows = readParquetRows(input, new KeptHead(), request, { columns: ["noise"] });
    const numRows = (await Array.fromAsync(rows)).map(({ runs }) => numRowsOf(runs!));
    assertEquals(numRows, [905, 2048, 1047]);
    // Of two neighbouring groups each the column alone, in reverse order.
    const reads = steps.filter((step) => step.startsWith("read"));
    assertEquals(reads.length, 3);
    const prepares = reads.slice(1).map((step) => step.replace("read", "prepare"));
    assertEquals(steps, [reads[0], prepares[0], reads[1], prepares[1], reads[2]]);
  }));

Deno.test("a damaged file is an error that names it, or as many rows as were asked for", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeCities(path);
    const bytes = await Deno.readFile(path);
    const footer = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    // The page index lies in front of the footer.
    const places = {
      pages: [4, footer],
      index: [footer - 100, footer],
      footer: [footer, bytes.length],
    };
    const draws = new Draws(["rows", "an error", ...Object.keys(places)]);
    await forSeeds(30, async (random) => {
      const damaged = bytes.slice();
      const [place, [start, stop]] = random.pick(
        Object.entries(places) as [string, [number, number]][],
      );
      draws.add(place);
      for (let time = random.below(3); time >= 0; time--) {
        damaged[start + random.below(stop - start)] = random.below(256);
      }
      await Deno.writeFile(path, damaged);
      const first = random.below(990);
      const request: RowRequest = [rowSlice(first + 10, first, -1)];
      let numRows = 0;
      try {
        for await (const { batch, runs } of readParquet(path).rows(request, {})) {
          numRows += runs === undefined ? batch.numRows : numRowsOf(runs);
        }
        draws.add("rows");
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        assert(error.message.startsWith(`${path}: `), error.message);
        draws.add("an error");
        return;
      }
      assert(numRows <= 10 && (place === "footer" || numRows === 10), `${numRows} rows`);
    }, draws);
  }));

Deno.test("metadata that is read again with the rows counts once", () =>
  inFolder(async (folder) => {
    const path = `${folder}/cities.parquet`;
    await writeCities(path);
    const fresh = readParquet(path);
    await readAll(fresh);
    const source = readParquet(path);
    await source.schema();
    const ofSchema = source.bytesRead;
    assert(ofSchema > 0);
    await source.numRows();
    assertEquals(source.bytesRead, ofSchema);
    await readAll(source);
    assertEquals(source.bytesRead, fresh.bytesRead);
    // Who reads the rows twice has read them twice.
    await readAll(source);
    assertEquals(source.bytesRead, 2 * fresh.bytesRead);
  }));
