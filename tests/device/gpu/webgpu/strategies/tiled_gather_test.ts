/** Text that a device gathers in one pass, against plain arrays. */

import { assert, assertEquals } from "@std/assert";
import {
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../../gpu/column/column.ts";
import { selectTrue, takeRows } from "../../../../../gpu/column/filter.ts";
import { gatherColumn } from "../../../../../gpu/column/gather.ts";
import type { TileOptions } from "../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { gatherSelected } from "../../../../../gpu/webgpu/join/gather_selected.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  type Plain,
  plainOf,
  randomColumn,
  slicedColumn,
} from "../../../../support/models/column_model.ts";
import { uploaded } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { surround } from "../../../../support/values/surround.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";
import {
  randomTiles,
  TILE_ORDERS,
  tilesOf,
  tilesTest,
} from "../../../../support/device/tile_orders.ts";

const TEXT: ColumnType = { kind: "string" };
const BOOL: ColumnType = { kind: "bool" };
const INT: ColumnType = { kind: "int", bits: 32, signed: true };

const PIECES = ["a", "bc", "Łódź", "漢", "😀", "x y z ", "0123456789", "longer than some words "];

/** A context with other tiles, so that one device does for all. */
function withTiles(context: WebGpuContext, tiles: TileOptions): WebGpuContext {
  return { ...context, tiles };
}

/** Short and empty rows, some of thousands of bytes, nulls; in buffers with other bytes. */
function randomTexts(random: SeededRandom, numRows: number): HostColumn {
  const nulls = random.pick([0, 0.1, 0.9]);
  const empty = random.pick([0, 0.2, 0.95]);
  const long = random.pick([0, 0.01, 0.2]);
  const values = Array.from({ length: numRows }, (): Plain => {
    if (random.chance(nulls)) return null;
    if (random.chance(empty)) return "";
    const text = random.pick(PIECES).repeat(1 + random.below(4));
    return random.chance(long) ? text.repeat(random.below(200)) : text;
  });
  if (random.chance(0.5)) return slicedColumn(random, TEXT, values);
  return surround(stringColumn(values as (string | null)[]), { random });
}

function randomMask(random: SeededRandom, numRows: number): HostColumn {
  const share = random.pick([0, 0.01, 0.5, 0.99]);
  return columnOf(
    BOOL,
    Array.from({ length: numRows }, () => random.chance(0.05) ? null : random.chance(share)),
  );
}

async function assertFilters(
  context: WebGpuContext,
  columns: readonly HostColumn[],
  mask: HostColumn,
  message: string,
): Promise<void> {
  const { columns: kept } = await filterOnDevice(context, columns, mask, mask.length);
  const results = await downloadColumns(context, kept);
  kept.forEach(releaseColumn);
  const keeps = plainOf(mask);
  for (const [k, column] of columns.entries()) {
    const expected = plainOf(column).filter((_, row) => keeps[row] === true);
    assertEquals(plainOf(results[k]!), expected, `column ${k}, ${message}`);
  }
}

/** Gathers rows, which must be those of the column; -1 is null. */
async function assertGathers(
  context: WebGpuContext,
  columns: readonly HostColumn[],
  selection: Int32Array,
  message: string,
): Promise<void> {
  const onDevice = [];
  for (const column of columns) onDevice.push(await uploaded(context, column));
  const gathered = await gatherSelected(context, onDevice, selection);
  const results = await downloadColumns(context, gathered);
  [...onDevice, ...gathered].forEach(releaseColumn);
  for (const [k, column] of columns.entries()) {
    const values = plainOf(column);
    const expected = Array.from(selection, (row) => row < 0 ? null : values[row]!);
    assertEquals(plainOf(results[k]!), expected, `column ${k}, ${message}`);
  }
}

function randomSelection(random: SeededRandom, numRows: number): Int32Array {
  const missing = random.pick([0, 0.1]);
  const length = random.pick([1, 31, 32, 33, 256, 257, random.below(3000) + 1]);
  return Int32Array.from(
    { length },
    () => random.chance(missing) ? -1 : random.below(numRows),
  );
}

tilesTest(
  "one pass filters the text of plain arrays, in tiles of any size and order",
  async (own) => {
    await forSeeds(fewOr(1, 2), async (random) => {
      for (let round = 0; round < fewOr(5, 12); round++) {
        const { name, tiles } = randomTiles(random);
        const numRows = random.pick([1, 31, 32, 33, 255, 256, 257, 700 + random.below(3000)]);
        const columns = [randomTexts(random, numRows), randomColumn(random, INT, numRows)];
        if (random.chance(0.3)) columns.push(randomTexts(random, numRows));
        const message = `${numRows} rows, ${name}`;
        await assertFilters(withTiles(own, tiles), columns, randomMask(random, numRows), message);
      }
    });
  },
);

tilesTest(
  "one pass gathers rows in any order, any number of times, and missing ones",
  async (own) => {
    await forSeeds(fewOr(1, 2), async (random) => {
      for (let round = 0; round < fewOr(5, 12); round++) {
        const { name, tiles } = randomTiles(random);
        const numRows = 1 + random.below(2000);
        const columns = [randomTexts(random, numRows), randomColumn(random, INT, numRows)];
        const selection = randomSelection(random, numRows);
        const message = `${selection.length} of ${numRows} rows, ${name}`;
        await assertGathers(withTiles(own, tiles), columns, selection, message);
      }
    });
  },
);

tilesTest("every order of tiles gives the same rows", async (own) => {
  await forSeeds(1, async (random) => {
    const column = randomTexts(random, 9000);
    const selection = Int32Array.from({ length: 9000 }, (_, row) => (row * 7919) % 9000);
    for (const order of someOf(Object.keys(TILE_ORDERS), 2)) {
      await assertGathers(withTiles(own, tilesOf(32, order)), [column], selection, order);
    }
  });
});

tilesTest("columns in several windows, and lists, take two passes as before", async (own) => {
  await forSeeds(1, async (random) => {
    const context = withTiles(own, tilesOf(64, "in order"));
    const list: ColumnType = { kind: "list", item: TEXT };
    for (let round = 0; round < 3; round++) {
      const numRows = 1500 + random.below(1500);
      const texts = Array.from({ length: numRows }, () => random.pick(PIECES));
      const columns = [stringColumn(texts), randomColumn(random, list, numRows)];
      // Of the first windows every row stays.
      const keeps = plainOf(randomMask(random, numRows)).map((keep, row) =>
        row < 700 || keep === true
      );
      await assertFilters(context, columns, columnOf(BOOL, keeps), "in windows");
      await assertGathers(context, columns, randomSelection(random, numRows), "in windows");
    }
  });
}, { windowBytes: 16_384 });

tilesTest("a filter takes one dispatch a text column, and one readback", async (own) => {
  const context = withTiles(own, tilesOf(256, "in order"));
  const { counters } = own.device;
  const rows = Array.from({ length: 1_000 }, (_, row) => row);
  const texts = stringColumn(rows.map((row) => `row ${row}`));
  const mask = columnOf(BOOL, rows.map((row) => row % 3 === 0));
  const { columns } = await filterOnDevice(context, [texts, texts], mask, rows.length);
  assertEquals(counters.readbacks, 1);
  assertEquals(counters.dispatches, 3 + 2);
  assertEquals(counters.downloads, 0);
  columns.forEach(releaseColumn);
});

tilesTest("a filter that keeps little gives back the memory of the rest", async (own) => {
  const context = withTiles(own, tilesOf(256, "in order"));
  const numRows = 20_000;
  const column = stringColumn(Array.from({ length: numRows }, (_, row) => `row ${row}`.repeat(9)));
  const mask = columnOf(BOOL, Array.from({ length: numRows }, (_, row) => row % 1000 === 7));
  const { columns: [kept] } = await filterOnDevice(context, [column], mask, numRows);
  assertEquals(context.pool.inUseBuffers, 1);
  assert(context.pool.inUseBytes < 4_000, `${context.pool.inUseBytes} bytes`);
  const [host] = await downloadColumns(context, [kept!]);
  assertEquals(valuesOf(host!), valuesOf(takeRows([column], selectTrue(mask), numRows)[0]!));
  releaseColumn(kept!);
});

tilesTest("a filter that keeps every row copies none", async (own) => {
  const context = withTiles(own, tilesOf(32, "in order"));
  const column = stringColumn(["a", "b", null]);
  const mask = columnOf(BOOL, [true, true, true]);
  const { columns } = await filterOnDevice(context, [column], mask, 3);
  assert(columns[0] === column);
});

tilesTest("rows that are longer than they were guessed to be are gathered again", async (own) => {
  const context = withTiles(own, tilesOf(32, "in order"));
  const texts = Array.from({ length: 2000 }, (_, row) => row === 5 ? "long ".repeat(90) : `${row}`);
  const column = stringColumn(texts);
  const before = { ...own.device.counters };
  const selection = new Int32Array(1000).fill(5);
  await assertGathers(context, [column], selection, "again");
  assertEquals(own.device.counters.dispatches - before.dispatches, 2);
  assertEquals(own.device.counters.readbacks - before.readbacks, 2);
});

tilesTest("a tile of more than 16 MiB leaves one pass for two", async (own) => {
  const context = withTiles(own, tilesOf(256, "in order"));
  const long = "0123456789 Łódź ".repeat(5000);
  const texts = Array.from(
    { length: 2500 },
    (_, row) => row < 220 ? long.slice(row) : `short ${row}`,
  );
  const column = stringColumn(texts);
  const order = Int32Array.from(texts, (_, row) => row);
  const device = await uploaded(own, column);
  const before = own.device.counters.dispatches;
  const [gathered] = await gatherSelected(context, [device], order);
  // One pass; then sizes, their scan, samples and the copy.
  assertEquals(own.device.counters.dispatches - before, 1 + 4);
  const [result] = await downloadColumns(context, [gathered!]);
  [device, gathered!].forEach(releaseColumn);
  assertEquals(valuesOf(result!), valuesOf(gatherColumn(column, order)));
  const mask = columnOf(BOOL, texts.map((_, row) => row !== 1000));
  await assertFilters(context, [column], mask, "long tile");
});

tilesTest("rules say of what rows text is filtered or gathered in one pass", async (own) => {
  const rows = { fewestRows: 500, fewestBytes: 0, mostBytes: 20 };
  const run = async (work: "filter" | "gather", numRows: number, rowBytes: number) => {
    const rules = [{ work, ...rows }];
    const context = withTiles(own, { ...tilesOf(256, "in order"), use: "rules", rules });
    const column = stringColumn(Array(numRows).fill("a".repeat(rowBytes)));
    const before = own.device.counters.dispatches;
    const mask = columnOf(BOOL, Array.from({ length: numRows }, (_, row) => row % 3 > 0));
    await assertFilters(context, [column], mask, "by rule");
    const filtered = own.device.counters.dispatches - before;
    const device = await uploaded(own, column);
    const [gathered] = await gatherSelected(context, [device], new Int32Array(numRows));
    [device, gathered!].forEach(releaseColumn);
    return [filtered, own.device.counters.dispatches - before - filtered];
  };
  const twoPasses = [3 + 3, 4];
  assertEquals(await run("filter", 499, 10), twoPasses);
  assertEquals(await run("filter", 500, 10), [3 + 1, 4]);
  assertEquals(await run("gather", 499, 10), twoPasses);
  assertEquals(await run("gather", 500, 20), [3 + 3, 1]);
  assertEquals(await run("gather", 500, 21), twoPasses);
});
