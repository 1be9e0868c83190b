/** Rows that a thread decodes before it is asked for them. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { encodeArrow } from "../../../../../../streams/formats/arrow/encoder.ts";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { parquetSource } from "../../../../../support/files/parquet_source.ts";
import {
  allowDecodeWorkers,
  endIdleDecodeWorkers,
  startDecodeWorker,
} from "../../../../../../streams/formats/parquet/worker/decode_worker.ts";
import type { RowRequest } from "../../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../../streams/rows/row_slice.ts";
import type { Source } from "../../../../../../streams/plan/source.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../../support/pipelines/source_batches.ts";

/** A source that another thread decodes, however small the file is. */
function helped(path: string): Source {
  return parquetSource(path, { aheadBytes: 1 << 20, leastBytes: 0 });
}

/** A file of 1,000 rows in groups of 100, and a thread that has had the time to begin with it. */
function withBegun(use: (path: string) => Promise<void>, waitMs = 300): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeRows(path, 0);
    await begin([path], waitMs);
    try {
      await use(path);
    } finally {
      endIdleDecodeWorkers();
    }
  });
}

async function begin(expected: readonly string[], waitMs: number): Promise<void> {
  allowDecodeWorkers();
  endIdleDecodeWorkers();
  startDecodeWorker(expected);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}

async function writeRows(path: string, first: number): Promise<void> {
  const values = Array.from({ length: 1000 }, (_, row) => first + row);
  const words = values.map((value) => value % 10 === 3 ? null : `Zürich ${1000 + value}`);
  const batch = batchOf({ id: [new arrow.Int32(), values], word: [new arrow.Utf8(), words] });
  await writeAll(writeParquet(path, { compression: "none", rowGroupRows: 100 }), [batch]);
}

/** Batches as bytes, so that types, nulls and boundaries are compared. */
function bytesOf(batches: readonly arrow.RecordBatch[]): Uint8Array {
  return encodeArrow(batches[0]!.schema, batches);
}

Deno.test("rows that were begun are those that come without, and as many bytes are read", () =>
  withBegun(async (path) => {
    const [without, ahead] = [readParquet(path), helped(path)];
    const all = [];
    for (const source of [without, ahead]) {
      await source.schema();
      all.push(bytesOf(await readAll(source)));
    }
    assertEquals(all[1], all[0]);
    assertEquals(ahead.bytesRead, without.bytesRead);
    // What was begun is taken once.
    assertEquals(bytesOf(await readAll(ahead)), all[0]);
  }));

Deno.test("the first rows are there before they are asked for", async () => {
  for (let waitMs = 200;; waitMs *= 2) {
    assert(waitMs < 20_000, "No rows were begun");
    let ids: unknown[] = [];
    await withBegun(async (path) => {
      const { size } = await Deno.stat(path);
      const other = `${path}.other`;
      await writeRows(other, 1000);
      assertEquals((await Deno.stat(other)).size, size);
      // The same file with other rows: those that were decoded before are not read again.
      using file = await Deno.open(path, { write: true });
      file.writeSync(await Deno.readFile(other));
      ids = rowsOf(await readAll(helped(path)).catch(() => [])).map(({ id }) => id);
    }, waitMs);
    if (ids.length === 1000 && ids.every((id, row) => id === row)) return;
  }
});

Deno.test("other rows and columns than all that were begun are read as if none were", () =>
  withBegun(async (path) => {
    const request: RowRequest = [rowSlice(250, 950)];
    for (
      const read of [
        (source: Source) => Array.fromAsync(source.rows(request, {}), ({ batch }) => batch),
        (source: Source) => Array.fromAsync(sourceBatches(source, { columns: ["word"] })),
      ]
    ) {
      await begin([path], 300);
      assertEquals(bytesOf(await read(helped(path))), bytesOf(await read(readParquet(path))));
    }
  }));

Deno.test("of a file that was replaced since then the rows are those of the new one", () =>
  withBegun(async (path) => {
    const other = `${path}.other`;
    await writeRows(other, 5000);
    await Deno.rename(other, path);
    const ids = rowsOf(await readAll(helped(path))).map(({ id }) => id);
    assertEquals(ids, Array.from({ length: 1000 }, (_, row) => 5000 + row));
  }));

Deno.test("a damaged file is the same error, behind the same rows", () =>
  withBegun(async (path) => {
    const bytes = await Deno.readFile(path);
    // The pages of the sixth row group and those behind it.
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 200);
    await Deno.writeFile(path, bytes);
    const numRowsBefore = async (source: Source) => {
      let numRows = 0;
      const error = await assertRejects(async () => {
        for await (const batch of sourceBatches(source)) numRows += batch.numRows;
      }, FileError);
      return [numRows, error.message];
    };
    // A missing one stands in nobody's way.
    await begin([`${path}.missing`, path], 300);
    assertEquals(await numRowsBefore(helped(path)), await numRowsBefore(readParquet(path)));
  }));
