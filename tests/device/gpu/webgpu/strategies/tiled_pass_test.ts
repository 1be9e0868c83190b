/** Text that a device makes in one pass, against the host and against two passes, byte for byte. */

import { assertEquals } from "@std/assert";
import { Int8, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type { TileOptions } from "../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { type Plain, plainOf, slicedColumn } from "../../../../support/models/column_model.ts";
import { evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import {
  RANDOM_TYPES,
  randomRow,
  randomTextTree,
} from "../../../../support/random/random_trees.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { surround } from "../../../../support/values/surround.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";
import {
  randomTiles,
  TILE_ORDERS,
  TILE_ROWS,
  tilesOf,
  tilesTest,
} from "../../../../support/device/tile_orders.ts";

const TYPES = { name: new Utf8(), other: new Utf8(), i8: new Int8() };

/**
 * Expressions whose rows note what they append, and others that append in loops. A software adapter
 * compiles each for a second, and again for another number of rows where a row has loops.
 */
const EXPRESSIONS = [
  'name.contains("bc") ? name.left(3) + "***" : name == "public" ? "p" : name',
  'fillNull(name, "none, or a literal that is longer than a few words") + other',
  'name.splitPart(" ", 1) + other.splitPart(",", 0)',
  'name.length() > 4 ? name.removePrefix("a") : ""',
  'name.replace("a", "<é>")',
  "name.upper()",
];

/** One that is compiled once for any number of rows. */
const JOINED = 'name + " > " + other';

/** Rows of one tile or a few, and more tiles than one looks at together. */
const FEW_ROWS = [1, 31, 32, 33, 255, 256, 257];
const MANY_TILES = 70;

const PIECES = ["a", "b", "bc", "x", "A", " ", "Zz9", "longer than a word", ",", "public"];
const UNICODE = [...PIECES, "é", "ß", "漢", "😀"];

function randomText(random: SeededRandom, mostPieces: number, pieces: readonly string[]): string {
  return Array.from({ length: random.below(mostPieces + 1) }, () => random.pick(pieces)).join("");
}

/** Rows as they come: short or uneven ones, empty ones, nulls, in buffers with other bytes. */
function randomColumn(random: SeededRandom, numRows: number, nulls: number): HostColumn {
  const pieces = random.pick([PIECES, UNICODE]);
  const most = random.pick([1, 3, 8]);
  const isUneven = random.chance(0.5);
  const values = Array.from({ length: numRows }, (): Plain => {
    if (random.chance(nulls)) return null;
    return randomText(random, isUneven && random.chance(0.02) ? 60 * most : most, pieces);
  });
  if (random.chance(0.5)) return slicedColumn(random, { kind: "string" }, values);
  return surround(stringColumn(values as (string | null)[]), { random });
}

function randomColumns(random: SeededRandom, numRows: number): Record<string, HostColumn> {
  const nulls = random.pick([0, 0.1, 0.9]);
  const numbers = Array.from({ length: numRows }, () => random.below(9) - 3);
  return {
    name: randomColumn(random, numRows, nulls),
    other: randomColumn(random, numRows, random.pick([0, nulls])),
    i8: columnOf({ kind: "int", bits: 8, signed: true }, numbers),
  };
}

/** Computes expressions on the device, which must give the text of the host. */
async function assertSame(
  context: WebGpuContext,
  texts: readonly string[],
  columns: Readonly<Record<string, HostColumn>>,
  numRows: number,
  message: string,
): Promise<void> {
  const { program, inputNames } = compileProgram(texts, TYPES, { fuse: true });
  const inputs = inputNames.map((name) => columns[name]!);
  const { columns: expected } = evaluateOnHost(program, inputs, numRows, testKernels());
  const results = await evaluateToHost(context, program, inputs, numRows);
  for (const [k, text] of texts.entries()) {
    assertEquals(
      plainOf(results[k]!),
      plainOf(expected[k]!),
      `${text}, ${numRows} rows, ${message}`,
    );
  }
}

/** A context whose tiles can be changed from run to run, so that one device does for all. */
function withTiles(context: WebGpuContext, tiles: TileOptions): WebGpuContext {
  return { ...context, tiles, sureBytes: 0 };
}

tilesTest("one pass gives the text of the host, in tiles of any size and order", async (own) => {
  await forSeeds(1, async (random) => {
    const run = async (text: string, rows: number, order: string, numRows: number) => {
      const columns = randomColumns(random, numRows);
      const message = `tiles of ${rows} rows, ${order}`;
      await assertSame(withTiles(own, tilesOf(rows, order)), [text], columns, numRows, message);
    };
    // Each order and each size of tiles once; which expression has them is drawn.
    const orders = shuffled(random, Object.keys(TILE_ORDERS));
    const sizes = shuffled(random, TILE_ROWS);
    const expressions = someOf(EXPRESSIONS, 1);
    for (const [k, text] of expressions.entries()) {
      const rows = sizes[k % sizes.length]!;
      await run(text, rows, orders[k]!, MANY_TILES * rows - random.below(rows));
    }
    for (const order of someOf(orders.slice(expressions.length), 1)) {
      const rows = random.pick(TILE_ROWS);
      await run(JOINED, rows, order, MANY_TILES * rows - random.below(rows));
      for (const rows of TILE_ROWS) await run(JOINED, rows, order, random.pick(FEW_ROWS));
    }
  });
});

tilesTest(
  "a tile of several windows is stored whole, though others were counted meanwhile",
  async (own) => {
    const numRows = 1500;
    const texts = (size: number) => Array.from({ length: numRows }, (_, k) => `${k} `.repeat(size));
    const columns = { name: stringColumn(texts(9)), other: stringColumn(texts(12)) };
    const context = withTiles(own, tilesOf(256, "all of them silent"));
    await assertSame(context, [JOINED], columns, numRows, "several windows");
  },
);

tilesTest("each expression is one kernel, one dispatch, and one readback for all", async (own) => {
  const numRows = 1000;
  const name = stringColumn(Array.from({ length: numRows }, (_, k) => `${k}`));
  const context = withTiles(own, tilesOf(256, "in order"));
  const { counters } = own.device;
  const { program, inputNames } = compileProgram([JOINED, 'name + "!"'], TYPES, { fuse: true });
  const before = { ...counters };
  await evaluateToHost(context, program, inputNames.map(() => name), numRows);
  assertEquals(counters.compilations - before.compilations, 2);
  assertEquals(counters.dispatches - before.dispatches, 2);
  assertEquals(counters.readbacks - before.readbacks, 1);
});

tilesTest("a rule says of what rows text is made in one pass", async (own) => {
  const rule = { work: "pieces", fewestRows: 500, fewestBytes: 5, mostBytes: 20 } as const;
  const tiles = { ...tilesOf(256, "in order"), use: "rules", rules: [rule] } as const;
  const context = withTiles(own, tiles);
  const run = async (text: string, numRows: number, rowBytes: number) => {
    const before = own.device.counters.dispatches;
    const columns = { name: stringColumn(Array(numRows).fill("a".repeat(rowBytes))) };
    await assertSame(context, [text], columns, numRows, "by rule");
    return own.device.counters.dispatches - before;
  };
  const text = 'name + "!"';
  assertEquals(await run(text, 499, 10), 3);
  assertEquals(await run(text, 500, 10), 1);
  // Of the text that is read and that which is made, the longer one counts.
  assertEquals(await run(text, 500, 4), 1);
  assertEquals(await run(text, 500, 3), 3);
  assertEquals(await run(text, 500, 19), 1);
  assertEquals(await run(text, 500, 20), 3);
  assertEquals(await run('name.replace("b", "")', 500, 10), 3);
});

tilesTest("a text that is longer than the room for it is made again", async (own) => {
  const numRows = 1000;
  const columns = { name: stringColumn(Array.from({ length: numRows }, (_, k) => `a${k}a`)) };
  const context = withTiles(own, tilesOf(64, "in order"));
  const { counters } = own.device;
  const before = { ...counters };
  await assertSame(context, ['name.replace("a", "much longer")'], columns, numRows, "again");
  assertEquals(counters.dispatches - before.dispatches, 2);
  assertEquals(counters.readbacks - before.readbacks, 2);
});

tilesTest(
  "a row that takes too long leaves one pass for two, and those for the host",
  async (own) => {
    const long = "no b ".repeat(6000);
    const numRows = 400;
    const values = Array.from({ length: numRows }, (_, k) => k === 20 ? long : `row ${k}`);
    const columns = { name: stringColumn(values) };
    const context = withTiles({ ...own, longRowBytes: 2 ** 30 }, tilesOf(32, "in order"));
    const texts = ['name.replace("x", "yy")'];
    const before = own.device.counters.dispatches;
    await assertSame(context, texts, columns, numRows, "too long");
    // One pass, then sizes and their scan.
    assertEquals(own.device.counters.dispatches - before, 3);
  },
);

tilesTest("random trees agree with plain JavaScript in one pass", async (own) => {
  await forSeeds(1, async (random) => {
    const pick = (below: number) => random.below(below);
    const { name, tiles } = randomTiles(random);
    const [ascii, nulls] = [random.chance(0.5), random.chance(0.7)];
    // Without fusion a tree is many kernels.
    const fuse = random.chance(0.7);
    const depths = fuse ? [3, random.pick([3, 4])].slice(0, fewOr(1, 2)) : [3];
    const trees = depths.map((depth) => randomTextTree(pick, depth));
    const outputs = trees.map((tree) => ({ label: describeTree(tree), tree }));
    const program = partitionIntoKernels(RANDOM_TYPES, outputs, { fuse });
    const numRows = random.below(700);
    for (let round = 0; round < fewOr(1, 3); round++) {
      const rows = Array.from({ length: numRows }, () => randomRow(pick, ascii, nulls));
      const inputs = RANDOM_TYPES.map((type, k) => columnOf(type, rows.map((row) => row[k]!)));
      const results = await evaluateToHost(withTiles(own, tiles), program, inputs, numRows);
      for (const [k, tree] of trees.entries()) {
        const expected = rows.map((row) => evaluateTree(tree, row));
        assertEquals(valuesOf(results[k]!), expected, `${outputs[k]!.label}, ${name}`);
      }
    }
  });
});

function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  return items.map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place).map(({ item }) => item);
}
