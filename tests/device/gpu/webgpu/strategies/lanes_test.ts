/** Rows that several lanes mark and copy, against the host: every loop that uses marks, at every border. */

import { assertEquals, assertNotEquals } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type {
  LaneOptions,
  LaneWidth,
} from "../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { widthFor } from "../../../../../gpu/webgpu/strategies/lanes.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { agreed, type AgreedColumns } from "../../../../support/kernels/agreed.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import {
  RANDOM_TYPES,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../../../../support/random/random_trees.ts";
import { randomSearched, SEARCHES } from "../../../../support/kernels/searches.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { surround } from "../../../../support/values/surround.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

const WIDTHS = [8, 16, 32] as const;

/** A context whose rows have so many lanes; one device does for all. */
function withLanes(context: WebGpuContext, width: LaneWidth): WebGpuContext {
  return { ...context, lanes: lanesOf(width), sureBytes: 0 };
}

function lanesOf(width: LaneWidth): LaneOptions {
  return { use: "always", rules: [], width };
}

/** The columns among random bytes, with text below nulls. */
function among(random: SeededRandom, columns: AgreedColumns): AgreedColumns {
  const entries = Object.entries(columns) as [keyof AgreedColumns, HostColumn][];
  return Object.fromEntries(entries.map(([name, column]) => [name, surround(column, { random })]));
}

contextTest("what lanes mark is what the host finds", async (context) => {
  await forSeeds(1, async (random) => {
    const first = random.below(WIDTHS.length);
    // Text in text would take too many rounds.
    const suited = SEARCHES.filter((expression) => !expression.includes("other, text"));
    const searches = someOf(suited, 12);
    for (const [k, width] of WIDTHS.entries()) {
      const numRows = 300 + random.below(60);
      const columns = among(random, randomSearched(random, { numRows, longest: 300 }));
      const own = searches.filter((_, place) => (first + place) % WIDTHS.length === k);
      await agreed(withLanes(context, width), own, columns);
    }
  });
});

/** Bytes before a hit: around parts of 16 bytes, segments, and rows that are too long to be marked. */
const BORDERS = [0, 16, 32, 496, 512, 528, 1024, 4080, 8176, 8192, 12_000];

contextTest("hits are found at every border, forward and backward", async (context) => {
  const places = BORDERS.flatMap((border) => [-17, -5, -2, -1, 0, 1, 2].map((k) => border + k))
    .filter((at) => at >= 0);
  const needles = someOf(["b", "bcde", "bcdefg", "bcdefghijklmnopqrstu"], 1);
  for (const [k, needle] of needles.entries()) {
    // The needle without its last character, right before it, is none.
    const before = places.map((at) => needle.slice(0, -1).padStart(at, "a").slice(-at || 1e9));
    const text = [
      ...before.map((head, row) => `${row % 2 === 0 ? head : head.replace(/./g, "a")}${needle}`),
      ...places.map((at) => needle + "a".repeat(at)),
      ...places.map((at) => "a".repeat(at)),
    ];
    const other = text.map((_, row) => row % 7 === 0 ? "" : needle);
    const columns = { text: stringColumn(text), other: stringColumn(other) };
    const [found, , last] = await agreed(withLanes(context, WIDTHS[k % 3]!), [
      `text.find("${needle}")`,
      "text.find(other)",
      `text.rfind("${needle}")`,
      "text.rfind(other)",
    ], columns);
    assertEquals(found, text.map((value) => value.indexOf(needle)), needle);
    assertEquals(last, text.map((value) => value.lastIndexOf(needle)), needle);
  }
});

contextTest("texts that differ anywhere, or nowhere, are told apart", async (context) => {
  const places = BORDERS.flatMap((border) => [-4, -1, 0, 1, 3].map((k) => border + k))
    .filter((at) => at >= 0);
  for (const width of WIDTHS) {
    const text = places.flatMap((at, k) => ["x".repeat(at) + "b" + "y".repeat(k), "é".repeat(at)]);
    const twin = places.flatMap((at, k) => ["x".repeat(at) + "a" + "y".repeat(k), "é".repeat(at)]);
    const columns = { text: stringColumn(text), twin: stringColumn(twin) };
    const results = await agreed(withLanes(context, width), [
      "text == twin",
      "twin < text",
      "text.startsWith(twin)",
      "twin.endsWith(text)",
      `text == "${"x".repeat(496)}b${"y".repeat(3 * 7 + 2)}"`,
    ], columns);
    const pairs = text.map((value, row): [string, string] => [value, twin[row]!]);
    assertEquals(results[0], pairs.map(([a, b]) => a === b));
    assertEquals(results[1], pairs.map(([a, b]) => b < a));
  }
});

contextTest("characters are counted in the whole of a text and in its parts", async (context) => {
  await forSeeds(1, async (random) => {
    for (const width of WIDTHS) {
      const text = Array.from({ length: 290 }, () => {
        if (random.chance(0.1)) return null;
        const size = random.pick([0, 7, 64, 500, 4000, 9000]) + random.below(40);
        return random.pick(["a", "é", "漢a", "😀"]).repeat(size / 2) + random.pick(["", "x", "é"]);
      });
      const columns = among(random, { text: stringColumn(text) });
      const [length] = await agreed(withLanes(context, width), [
        "text.length()",
        "text.slice(3, -2).length()",
        'text.find("x")',
      ], columns);
      assertEquals(length, text.map((value) => value === null ? null : [...value].length));
    }
  });
});

contextTest("copies of all sizes are made by lanes, however many there are", async (context) => {
  await forSeeds(1, async (random) => {
    const sizes = [0, 1, 63, 64, 65, 200, 511, 512, 700];
    for (const width of WIDTHS) {
      const texts = (most: number) =>
        Array.from({ length: 530 }, () => {
          const size = random.chance(0.01) ? most : random.pick(sizes);
          return random.chance(0.1) ? null : "abcdefgé".repeat(1 + size / 8).slice(0, size);
        });
      const columns = among(random, {
        text: stringColumn(texts(9000)),
        other: stringColumn(texts(700)),
        twin: stringColumn(texts(700)),
      });
      // A block of 256 rows has more copies than it can note.
      await agreed(withLanes(context, width), [
        'text + "-" + other + twin + other',
        'twin.replace("é", other.left(2))',
        'twin.split("a")',
      ], columns);
    }
  });
});

contextTest("rows that have a workgroup, windows, and other lanes go together", async (context) => {
  await forSeeds(1, async (random) => {
    const searches = ['text.contains("aab")', 'text.replace("ab", "<>")', "text.length()"];
    const columns = among(random, randomSearched(random));
    await agreed({ ...withLanes(context, 16), longRowBytes: 600 }, searches, columns);
  });
}, { windowBytes: 60_000 });

contextTest("random trees agree with plain JavaScript, whatever lanes do", async (context) => {
  await forSeeds(fewOr(1, 2), async (random) => {
    const pick = (below: number) => random.below(below);
    const nulls = random.chance(0.7);
    const rows = Array.from({ length: random.below(700) }, () => randomRow(pick, false, nulls));
    const inputs = RANDOM_TYPES.map((type, k) => columnOf(type, rows.map((row) => row[k]!)));
    const trees = [randomTextTree, randomTextTree, randomTestTree].map((make) => make(pick, 3));
    const outputs = trees.map((tree) => ({ label: describeTree(tree), tree }));
    const program = partitionIntoKernels(RANDOM_TYPES, outputs);
    const own = withLanes(context, random.pick(WIDTHS));
    const results = await evaluateToHost(own, program, inputs, rows.length);
    for (const [k, tree] of trees.entries()) {
      const expected = rows.map((row) => evaluateTree(tree, row));
      assertEquals(valuesOf(results[k]!), expected, outputs[k]!.label);
    }
  });
});

contextTest("rows are marked once, in a dispatch of its own, for both passes", async (context) => {
  const text = stringColumn(Array.from({ length: 1000 }, (_, k) => `${"a".repeat(k % 300)}b`));
  const dispatches = async (expression: string, lanes: LaneOptions) => {
    const before = context.device.counters.dispatches;
    await agreed({ ...context, lanes, sureBytes: 0 }, [expression], { text, other: text });
    return context.device.counters.dispatches - before;
  };
  const never: LaneOptions = { ...lanesOf(8), use: "never" };
  assertEquals(await dispatches('text.contains("ab")', never), 1);
  assertEquals(await dispatches('text.contains("ab")', lanesOf(8)), 2);
  assertEquals(await dispatches('text.replace("ab", "")', lanesOf(8)), 4);
  // Nothing is marked, only copied.
  assertEquals(await dispatches("text + other", lanesOf(8)), 3);
  // Nothing of either.
  assertEquals(await dispatches("text.slice(null, null, -1)", lanesOf(8)), 3);
});

contextTest(
  "rules say which rows have lanes that mark them or copy their text",
  async (context) => {
    const rows = { fewestRows: 300, fewestBytes: 100, mostBytes: 200 };
    const rules = [{ work: "marks", ...rows }, {
      work: "copies",
      ...rows,
      mostBytes: 150,
    }] as const;
    const { pipelines } = context;
    const get = pipelines.get.bind(pipelines);
    const codes = new Set<string>();
    pipelines.get = (spec) => {
      codes.add(spec.code);
      return get(spec);
    };
    const codesOf = async (
      lanes: LaneOptions,
      expression: string,
      numRows: number,
      bytes: number,
    ) => {
      codes.clear();
      const text = stringColumn(Array.from({ length: numRows }, () => "ab".repeat(bytes / 2)));
      await agreed({ ...context, lanes, sureBytes: 0 }, [expression], { text });
      return [...codes].sort();
    };
    const hasLanes = async (expression: string, numRows: number, bytes: number) => {
      const codes = await codesOf({ use: "rules", rules }, expression, numRows, bytes);
      const forced = await codesOf(lanesOf(8), expression, numRows, bytes);
      const usual = await codesOf({ ...lanesOf(8), use: "never" }, expression, numRows, bytes);
      assertNotEquals(forced, usual);
      const are = JSON.stringify(codes) === JSON.stringify(forced);
      assertEquals(codes, are ? forced : usual);
      return are;
    };
    const search = 'text.contains("b")';
    assertEquals(await hasLanes(search, 299, 100), false);
    assertEquals(await hasLanes(search, 300, 98), false);
    assertEquals(await hasLanes(search, 300, 100), true);
    assertEquals(await hasLanes(search, 300, 200), true);
    assertEquals(await hasLanes(search, 300, 202), false);
    assertEquals(await hasLanes('text + "-"', 300, 150), true);
    assertEquals(await hasLanes('text + "-"', 300, 152), false);
  },
);

Deno.test("the mean size of rows says how many lanes they have", () => {
  const sizes = [0, 63, 64, 255, 256, 511, 512, 4096, 4097, 1e6];
  assertEquals(sizes.map(widthFor), [1, 1, 8, 8, 16, 16, 32, 32, 1, 1]);
});
