/** Uploads and downloads, the only two doors of the device. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { ColumnType, HostColumn, Offsets } from "../../../../../gpu/column/column.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  alignedBytes,
  alignWindows,
  fixedDataBytes,
  NO_WORD,
  WebGpuColumn,
  windowLayout,
} from "../../../../../gpu/webgpu/memory/device_column.ts";
import { maxFixedRows } from "../../../../../gpu/webgpu/strategies/single_pass.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { planWindows, uploadColumn } from "../../../../../gpu/webgpu/transfer/upload.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { contextTest, uploaded, withDevice } from "../../../../support/device/device_kernels.ts";
import { FLAT_TYPES, plainOf, randomColumn } from "../../../../support/models/column_model.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

/** A column that does not remember where it came from, so that its bytes must come back. */
function withoutHost(column: WebGpuColumn): WebGpuColumn {
  const { type, hasValidity, windows } = column;
  return new WebGpuColumn({ type, hasValidity, windows });
}

async function roundTrip(
  context: WebGpuContext,
  columns: readonly HostColumn[],
): Promise<HostColumn[]> {
  const onDevice: WebGpuColumn[] = [];
  for (const column of columns) onDevice.push(withoutHost(await uploaded(context, column)));
  const results = await downloadColumns(context, onDevice);
  for (const column of onDevice) column.release();
  return results;
}

for (const windowBytes of [undefined, 1_024]) {
  const cut = windowBytes === undefined ? "one window" : "many windows";
  deviceTest(`columns come back as they went, in ${cut}`, async () => {
    const options = windowBytes === undefined ? {} : { windowBytes };
    await withDevice(async (context) => {
      await forSeeds(5, async (random) => {
        const length = random.pick([0, 1, 31, 32, 33, 200, 257]);
        const columns = FLAT_TYPES.map((type) => randomColumn(random, type, length));
        const results = await roundTrip(context, columns);
        results.forEach((result, k) => {
          assertEquals(result.type, FLAT_TYPES[k]);
          assertEquals(plainOf(result), plainOf(columns[k]!));
        });
      });
    }, options);
  });
}

contextTest(
  "all columns of a download share one wait, and every byte is counted",
  async (context) => {
    const { counters } = context.device;
    const ints = columnOf({ kind: "int", bits: 32, signed: true }, [1, 2, null]);
    await roundTrip(context, [stringColumn(["a", "bcd"]), ints]);
    assertEquals(counters.uploads, 2);
    assertEquals(counters.uploadedBytes, 12 + 4 + 1 + 12);
    assertEquals(counters.downloads, 1);
    assertEquals(counters.downloadedBytes, 12 + 4 + 4 + 12);
    assertEquals(counters.readbacks, 0);
  },
);

contextTest(
  "a column that was uploaded as it is comes back as the same object, for nothing",
  async (context) => {
    const text = stringColumn(["a", "b"]);
    const onDevice = await uploaded(context, text);
    const [result] = await downloadColumns(context, [onDevice]);
    assert(result === text);
    assertEquals(context.device.counters.downloads, 0);
    onDevice.release();
  },
);

contextTest("lists and structs are refused by the upload", async (context) => {
  await forSeeds(1, async (random) => {
    const list = randomColumn(random, { kind: "list", item: { kind: "bool" } }, 3);
    await assertRejects(() => uploadColumn(context, list, { label: "tags" }), TypeError, "tags");
  });
});

contextTest("a column with a row that is larger than a window is not uploaded", async (context) => {
  const text = stringColumn(["small", "small", "large ".repeat(100)]);
  assertEquals(await uploadColumn(context, text, { label: "text" }), null);
}, { windowBytes: 256 });

contextTest(
  "a column of 200 MB goes through bindings of 128 MiB and comes back whole",
  async (context) => {
    const row = new TextEncoder().encode("0123456789 abcdefghijklmnop € 漢字 ".repeat(20));
    const length = Math.ceil(200_000_000 / row.length);
    const data = new Uint8Array(length * row.length);
    for (let k = 0; k < length; k++) data.set(row, k * row.length);
    const column: HostColumn = {
      place: "host",
      type: { kind: "string" },
      length,
      nullCount: 0,
      validity: null,
      data,
      offsets: Int32Array.from({ length: length + 1 }, (_, k) => k * row.length),
      children: [],
    };
    const onDevice = withoutHost(await uploaded(context, column));
    const most = context.device.maxBindingBytes;
    assertEquals(onDevice.windows.length, Math.ceil((data.length + 4 * length) / most));
    for (const { buffer } of onDevice.windows) assert(buffer.bytes <= most);
    const [result] = await downloadColumns(context, [onDevice]);
    onDevice.release();
    assertEquals(result!.length, length);
    assert(equalBytes(result!.data, data));
    assert(equalBytes(bytesOf(result!.offsets!), bytesOf(column.offsets!)));
  },
);

function bytesOf(array: Offsets): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The assertion of the library takes minutes for this much. */
function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

Deno.test("windowLayout() aligns text and the parts of many rows, and packs those of few", () =>
  forSeeds(2000, (random) => {
    const item = random.pick(FLAT_TYPES);
    const type: ColumnType = random.chance(0.5) ? item : { kind: "list", item };
    const isList = type.kind === "list";
    const isText = item.kind === "string";
    const length = random.pick([0, 1, 33, 4095, 4096, 4097, random.below(200_000)]);
    const numItems = isList ? random.below(300_000) : 0;
    const dataBytes = isText
      ? random.below(300_000)
      : fixedDataBytes(item, isList ? numItems : length);
    const hasValidity = random.chance(0.5);
    const items = { length: numItems, hasValidity: isList && random.chance(0.5) };
    const layout = windowLayout(type, length, dataBytes, hasValidity, items);
    const sizes = [
      [layout.validityWord, hasValidity ? Math.ceil(length / 32) : 0],
      ...(isText || isList ? [[layout.offsetsWord, length + 1]] : []),
      ...(items.hasValidity ? [[layout.itemValidityWord, Math.ceil(numItems / 32)]] : []),
      ...(isText && isList ? [[layout.itemOffsetsWord, numItems + 1]] : []),
      [layout.dataWord, Math.ceil(dataBytes / 4)],
    ] as [number, number][];
    let end = 0;
    for (const [word, words] of sizes) {
      const unit = length >= 4096 ? 64 : type.kind === "string" && word === layout.dataWord ? 4 : 1;
      assert(word >= end && word - end < unit, `${word} behind ${end}`);
      if (length >= 4096) assertEquals(word % 64, 0);
      end = word + words;
    }
    // Text is loaded four words at a time.
    if (type.kind === "string") {
      assertEquals(layout.dataWord % 4, 0);
      end = 4 * Math.ceil(end / 4);
    }
    assertEquals(layout.words, Math.max(1, end));
    assertEquals(layout.itemValidityWord === NO_WORD, !items.hasValidity);
    const packed = sizes.reduce((sum, [, words]) => sum + words, 0);
    if (!isList) assert(4 * (layout.words - Math.max(1, packed)) <= alignedBytes(length));
  }));

Deno.test("maxFixedRows() says of how many rows values, validity and a flag fit a window", () =>
  forSeeds(2000, (random) => {
    const type = random.pick(FLAT_TYPES.filter(({ kind }) => kind !== "string"));
    const windowBytes = 32 + random.below(2 ** (4 + random.below(20)));
    const bytesOf = (rows: number) =>
      4 * (windowLayout(type, rows, fixedDataBytes(type, rows), true).words + 1);
    const rows = maxFixedRows(type, windowBytes);
    assert(bytesOf(rows) <= windowBytes, `${rows} rows take ${bytesOf(rows)} of ${windowBytes}`);
    const most = 2 * rows + 32 * alignedBytes(rows) / 4 + 64;
    assert(bytesOf(most) > windowBytes, `${most} rows take ${bytesOf(most)} of ${windowBytes}`);
  }));

Deno.test("planWindows() cuts so that every window fits and no row is lost", () => {
  const text = stringColumn(Array.from({ length: 300 }, (_, row) => "x".repeat(row % 90)));
  const ranges = planWindows(text, 400)!;
  assertEquals(ranges[0]![0], 0);
  assertEquals(ranges.at(-1)![1], 300);
  ranges.forEach(([start, stop], k) => {
    assertEquals(start, k === 0 ? 0 : ranges[k - 1]![1]);
    const bytes = text.offsets![stop]! - text.offsets![start]!;
    assert(4 * (stop - start + 1) + bytes <= 400);
  });
});

Deno.test("alignWindows() cuts where any column begins a window", () => {
  const column = (...lengths: number[]) => {
    let start = 0;
    const windows = lengths.map((length) => {
      const buffer = { release() {} };
      const window = { start, length, dataBytes: 0, layout: {}, buffer };
      start += length;
      return window;
    });
    const parts = { type: { kind: "bool" }, hasValidity: false, windows };
    return new WebGpuColumn(parts as unknown as ConstructorParameters<typeof WebGpuColumn>[0]);
  };
  const ranges = alignWindows([column(4, 6), column(10), column(3, 1, 6)], 10, 5);
  assertEquals(ranges.map(({ start, length }) => [start, length]), [[0, 3], [3, 1], [4, 5], [
    9,
    1,
  ]]);
  assertEquals(ranges.map(({ views }) => views.map(({ firstRow }) => firstRow)), [
    [0, 0, 0],
    [3, 3, 0],
    [0, 4, 0],
    [5, 9, 5],
  ]);
  assertEquals(alignWindows([], 0), []);
});

Deno.test("a column counts its owners, and releases its buffers with the last one", () => {
  let released = 0;
  const buffer = { release: () => released++ };
  const windows = [{ start: 0, length: 1, dataBytes: 1, layout: {}, buffer }];
  const parts = { type: { kind: "bool" }, hasValidity: false, windows };
  const column = new WebGpuColumn(
    parts as unknown as ConstructorParameters<typeof WebGpuColumn>[0],
  );
  column.retain().release();
  assertEquals(released, 0);
  column.release();
  assertEquals(released, 1);
  assertThrows(() => column.release(), Error, "released too often");
  assertThrows(() => column.retain(), Error, "after its last release");
});
