import { assertEquals, assertThrows } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { Utf8Error } from "../../../../../base/errors/value_error.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { reverseItems } from "../../../../../gpu/host/runtime/reverse_items.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type {
  i32,
  ListSink,
  NumberSink,
  RowFunctionSpec,
  TextList,
  View,
} from "../../../../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import {
  columnOf,
  stringColumn,
  type Value,
  valuesOf,
} from "../../../../support/values/host_columns.ts";
import { randomTexts } from "../../../../support/random/random_text.ts";
import {
  backward,
  backwardModel,
  before,
  callOfSpec,
  found,
  LIST,
  positions,
  size,
  spread,
  spreadModel,
} from "../../../../support/kernels/list_functions.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { BOOL, call, column, INT32, isNull, STRING } from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

function run(tree: Tree, columns: readonly HostColumn[], fuse = true): HostColumn {
  const program = partitionIntoKernels(columns.map(({ type }) => type), [{ label: "x", tree }], {
    fuse,
  });
  const [result] = evaluateAround(program, columns, columns[0]!.length, testKernels());
  return result!;
}

Deno.test("a row function of kind list writes items, and both arrays grow with them", () =>
  forSeeds(20, (random) => {
    const texts = randomTexts(random, 40).map((text) => random.chance(0.2) ? `${text}!` : text);
    const result = run(callOfSpec(spread, column(0)), [stringColumn(texts)]);
    assertEquals(result.type, LIST);
    assertEquals(valuesOf(result), texts.map((text) => text === null ? null : spreadModel(text)));
  }));

Deno.test("a row function that is backward gives its items from the last to the first", () =>
  forSeeds(20, (random) => {
    const texts = randomTexts(random, 40);
    const result = run(callOfSpec(backward, column(0)), [stringColumn(texts)]);
    const expected = texts.map((text) => text === null ? null : backwardModel(text));
    assertEquals(valuesOf(result), expected);
  }));

Deno.test("a row function with items of 32 bits gives a list of integers", async () => {
  for (const signed of [true, false]) {
    const type = { kind: "list", item: { kind: "int", bits: 32, signed } } as const;
    await forSeeds(10, (random) => {
      const texts = randomTexts(random, 40).map((text) => random.chance(0.2) ? `${text}!` : text)
        .map((text) => text?.replace(/[^\0-\x7f]/gu, "b").repeat(random.pick([1, 1, 30])) ?? null);
      const target = random.pick(["a", "b", "aa", "-", ""]);
      const tree: Tree = {
        ...callOfSpec(positions, column(0), { node: "literal", type: STRING, value: target }),
        type,
      };
      const result = run(tree, [stringColumn(texts)]);
      assertEquals(result.type, type);
      const expected = texts.map((text) => {
        if (text === null || target === "" || text.includes("!")) return null;
        const at = [...text].flatMap((_, i) => text.startsWith(target, i) ? [-i] : []);
        return signed ? at.map((i) => i | 0) : at.map((i) => i >>> 0);
      });
      assertEquals(valuesOf(result), expected);
    });
  }
});

Deno.test("reverseItems() turns around what lies between, short and long", () => {
  const texts = ["", "ab", "x".repeat(99), "cde", "y".repeat(200), "f"];
  const { data, offsets } = stringColumn(["keep", ...texts, "keep too"]);
  reverseItems(data, offsets as Int32Array, 1, 7);
  const turned = { ...stringColumn(["", ...texts, ""]), data, offsets };
  assertEquals(valuesOf(turned), ["keep", ...texts.reverse(), "keep too"]);
});

Deno.test("a list is null where its text or an argument is, and can be asked for it", () => {
  const tree = callOfSpec(spread, column(0));
  const columns = [stringColumn(["a", null, "b!", ""])];
  assertEquals(valuesOf(run(isNull(tree), columns)), [false, true, true, false]);
  assertEquals(valuesOf(run(tree, columns)), [["a"], null, null, []]);
});

Deno.test("a row function reads a list: its size, its items, and which are null", () =>
  forSeeds(20, (random) => {
    const items = () => randomTexts(random, random.below(4));
    const lists = Array.from({ length: 60 }, () => random.chance(0.1) ? null : items());
    const indices = lists.map(() => random.below(7) - 2);
    const start = random.below(8);
    const columns = [
      sliceColumn(columnOf(LIST, lists), start, 60),
      columnOf(INT32, indices.slice(start)),
    ];
    const rows = lists.slice(start);
    assertEquals(valuesOf(run(callOfSpec(size, column(0, LIST)), columns)), rows.map(sizeOf));
    const result = run(callOfSpec(before, column(0, LIST), column(1, INT32)), columns);
    const expected = rows.map((list, row): Value => {
      const index = indices[start + row]!;
      const [previous, item] = [list?.[index - 1] ?? null, list?.[index] ?? null];
      return previous === null || item === null ? null : `${previous}𝄞`;
    });
    assertEquals(valuesOf(result), expected);
  }));

Deno.test("a search in items stays within them, and goes back where an item is asked for again", () =>
  forSeeds(20, (random) => {
    const lists = Array.from({ length: 60 }, () => randomTexts(random, random.below(4)));
    const needle = random.pick(["a", "aa", "-", "é"]);
    const tree = callOfSpec(found, column(0, LIST), {
      node: "literal",
      type: STRING,
      value: needle,
    });
    const expected = lists.map((list) => {
      const at = (index: number, from: number) => {
        const text = new TextEncoder().encode(list[index] ?? "");
        const key = new TextEncoder().encode(needle);
        return text.findIndex((_, start) =>
          start >= from && key.every((byte, offset) => text[start + offset] === byte)
        );
      };
      let sum = 0;
      list.forEach((_, i) => sum = sum * 7 + at(i, 0) + at(list.length - 1 - i, 1) | 0);
      return sum;
    });
    assertEquals(valuesOf(run(tree, [columnOf(LIST, lists)])), expected);
  }));

function sizeOf(list: readonly unknown[] | null): number | null {
  return list === null ? null : list.length;
}

Deno.test("a view on an item is a view like any other, and a list that is read is a column", () => {
  const first: RowFunctionSpec = {
    name: "first",
    kind: "view",
    subject: "list",
    row: (list: TextList) => list.at(0),
  };
  const tree = call("upper", callOfSpec(first, callOfSpec(spread, column(0))));
  const { kernels } = partitionIntoKernels([STRING], [{ label: "result", tree }], {
    names: ["name"],
  });
  assertEquals(kernels.map(({ label, cut, hostOnly }) => [label, cut, hostOnly]), [
    ["spread(name)", "first reads the list that spread makes", undefined],
    ["result", undefined, undefined],
  ]);
  const columns = [stringColumn(["ab", "", null, "é!"])];
  for (const fuse of [true, false]) {
    assertEquals(valuesOf(run(tree, columns, fuse)), ["A", "", null, null]);
  }
});

Deno.test("an item that is not UTF-8 is an error with its row", () => {
  const tree = callOfSpec(before, column(0, LIST), column(1, INT32));
  for (const rows of [[[], ["a"], ["b", "c"]], [null, ["a"], ["b", "c"]]]) {
    const lists = columnOf(LIST, rows);
    const [items] = lists.children as [HostColumn];
    const data = items.data.slice();
    data[items.offsets![lists.offsets![2]! + 1]!] = 0xff;
    const broken = { ...lists, children: [{ ...items, data }] };
    const error = assertThrows(() => run(tree, [broken, columnOf(INT32, [1, 1, 1])]), Utf8Error);
    assertEquals([error.row, error.message], [2, "An item of row 2 is not UTF-8"]);
  }
});

Deno.test("items below a null list need not be UTF-8", () => {
  const items = { ...stringColumn(["é", "a", "b"]), data: Uint8Array.of(0xff, 97, 0xc3, 0xa9) };
  const offsets = Int32Array.of(0, 1, 2, 4);
  const rows = columnOf(LIST, [null, ["a"], ["b"]]);
  const lists = {
    ...rows,
    offsets: Int32Array.of(0, 1, 2, 3),
    children: [{ ...items, offsets, validity: null, nullCount: 0 }],
  };
  const tree = callOfSpec(before, column(0, LIST), column(1, INT32));
  assertEquals(valuesOf(run(tree, [lists, columnOf(INT32, [1, 1, 1])])), [null, null, null]);
});

/** A row function, and the start of the message that it must give. */
const MISTAKES: [string, RowFunctionSpec, string][] = [
  ["an item in an emit", {
    name: "x",
    kind: "emit",
    row: (out: ListSink, text: View) => out.item(text),
  }, "x: a sink has no method item"],
  ["a list where a view is wanted", {
    name: "x",
    kind: "emit",
    subject: "list",
    row: (out: ListSink, list: never) => out.copy(list),
  }, "x: list is not a value"],
  ["a method that lists do not have", {
    name: "x",
    kind: "measure",
    subject: "list",
    // deno-lint-ignore no-explicit-any
    row: (list: any) => list.find(1),
  }, "x: a list has no method find"],
  ["a property that lists do not have", {
    name: "x",
    kind: "measure",
    subject: "list",
    // deno-lint-ignore no-explicit-any
    row: (list: any) => list.length,
  }, "x: a list has no property length"],
  ["a map of a list", {
    name: "x",
    kind: "map",
    subject: "list",
    row: (out: ListSink, char: i32) => out.put(char),
  }, "x: a map works on text, not on a list"],
  ["a list given backward with an item in parts", {
    name: "x",
    kind: "list",
    backward: true,
    row: (out: ListSink, text: View) => out.copy(text),
  }, "x: the sink of a list that is given backward has no method copy"],
  ["text in a list of integers", {
    name: "x",
    kind: "list",
    items: "i32",
    row: (out: ListSink, text: View) => out.copy(text),
  }, "x: a sink of numbers has no method copy"],
  ["integers that are given backward", {
    name: "x",
    kind: "list",
    items: "i32",
    backward: true,
    row: (out: NumberSink, text: View) => out.item(text.size),
  }, "x: only a list of texts can be given backward"],
  ["items of what is no list", {
    name: "x",
    kind: "emit",
    items: "i32",
    row: (out: ListSink, text: View) => out.copy(text),
  }, "x: only a list has items"],
  ["a text given backward", {
    name: "x",
    kind: "emit",
    backward: true,
    row: (out: ListSink, text: View) => out.copy(text),
  }, "x: only a list of texts can be given backward"],
  ["a list with a value to return", {
    name: "x",
    kind: "list",
    row: (_out: ListSink, text: View) => text.size,
  }, "x: a row of kind list returns nothing"],
];

for (const [what, spec, message] of MISTAKES) {
  Deno.test(`the language of row functions refuses ${what}`, () => {
    const error = assertThrows(() => parseRowFunction(spec), KernelError);
    assertEquals(error.message.slice(0, message.length), message);
  });
}

Deno.test("the type of a test of lists is bool", () => {
  assertEquals(run(isNull(column(0, LIST)), [columnOf(LIST, [[], null])]).type, BOOL);
});
