/** What lies below nulls is nobody's: it may be anything, and no reader of our files meets it. */

import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { Buffer } from "node:buffer";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import { inFolder, readAll, rowsOf, writeAll } from "../../../../support/values/streams_samples.ts";

const TEXTS = ["é", null, "longer than twelve bytes", null];
/** Rows 1 and 3 are null. */
const NULLS = { length: 4, nullCount: 2, nullBitmap: Uint8Array.of(0b0101) };
const BYTES = Uint8Array.of(
  ...new TextEncoder().encode("é"),
  ...[0xff, 0xc3],
  ...new TextEncoder().encode("longer than twelve bytes"),
  0x80,
);

function textOver(type: arrow.Utf8 | arrow.LargeUtf8): arrow.Data {
  const offsets = [0, 2, 4, 28, 29];
  const isWide = type instanceof arrow.LargeUtf8;
  const valueOffsets = isWide ? BigInt64Array.from(offsets, BigInt) : Int32Array.from(offsets);
  return arrow.makeData({ type, ...NULLS, valueOffsets, data: BYTES } as never);
}

/** Views of two texts; below the nulls one of a huge text in a buffer that there is not. */
function viewsOver(): arrow.Data {
  const views = new Uint8Array(64).fill(0x7b);
  const words = new Int32Array(views.buffer);
  words.set([2, 0, 0, 0], 0);
  views.set(BYTES.subarray(0, 2), 4);
  words.set([24, 0, 0, 4], 8);
  views.set(BYTES.subarray(4, 8), 36);
  const type = new arrow.Utf8View();
  return arrow.makeData({ type, ...NULLS, views, variadicBuffers: [BYTES] } as never);
}

/** Views of texts that lie in the views, with no buffers. */
function shortViewsOver(): arrow.Data {
  const views = new Uint8Array(64).fill(0x7b);
  const words = new Int32Array(views.buffer);
  words.set([2, 0, 0, 0], 0);
  words.set([1, 0x61, 0, 0], 8);
  views.set(BYTES.subarray(0, 2), 4);
  return arrow.makeData(
    { type: new arrow.Utf8View(), ...NULLS, views, variadicBuffers: [] } as never,
  );
}

function indicesOver(): arrow.Data {
  const dictionary = arrow.vectorFromArray(["é", "longer than twelve bytes"], new arrow.Utf8());
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 5);
  return arrow.makeData({ type, ...NULLS, data: Int32Array.of(0, -7, 1, 2 ** 30), dictionary });
}

const COLUMNS: Readonly<
  Record<string, readonly [arrow.Data<arrow.DataType>, readonly (string | null)[]]>
> = {
  text: [textOver(new arrow.Utf8()), TEXTS],
  wide: [textOver(new arrow.LargeUtf8()), TEXTS],
  view: [viewsOver(), TEXTS],
  short: [shortViewsOver(), ["é", null, "a", null]],
  category: [indicesOver(), TEXTS],
};

for (const [name, [data, values]] of Object.entries(COLUMNS)) {
  const schema = new arrow.Schema([new arrow.Field(name, data.type, true)]);
  const type = new arrow.Struct(schema.fields);
  const whole = new arrow.RecordBatch(
    schema,
    arrow.makeData({ type, length: 4, nullCount: 0, children: [data] }),
  );
  const rows = values.map((value) => ({ [name]: value }));

  Deno.test(`what lies below nulls of a ${name} column is in no Arrow file, which Polars reads`, () =>
    inFolder(async (folder) => {
      const { default: polars } = await loadPeer("polars");
      for (const compression of ["none", "zstd"] as const) {
        for (const start of [0, 1]) {
          const path = `${folder}/${compression}${start}.arrow`;
          await writeAll(writeIpc(path, { compression }), [whole.slice(start)]);
          assertEquals(rowsOf(await readAll(readIpc(path))), rows.slice(start));
          const read = polars.readIPC(Buffer.from(await Deno.readFile(path))).toRecords();
          assertEquals(read.map((row: Record<string, unknown>) => ({ ...row })), rows.slice(start));
        }
      }
    }));

  Deno.test(`what lies below nulls of a ${name} column keeps no Parquet file from being written`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.parquet`;
      await writeAll(writeParquet(path), [whole, whole.slice(1)]);
      assertEquals(rowsOf(await readAll(readParquet(path))), [...rows, ...rows.slice(1)]);
    }));
}
