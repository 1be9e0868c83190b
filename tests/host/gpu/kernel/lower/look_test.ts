/** Maps that look at the characters beside each one. */

import { assertEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { asciiWeight, looksBesideAscii } from "../../../../../gpu/kernel/lower/function_facts.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type { Kernel, Program, Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { rowFunctions } from "../../../../support/kernels/row_functions.ts";
import {
  call,
  choose,
  column,
  compare,
  concat,
  literal,
  STRING,
} from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const name = column(0);
const city = column(1);
const both = concat(name, " ", city);

function programOf(tree: Tree, fuse = true): Program {
  const options = { names: ["name", "city"], fuse };
  return partitionIntoKernels([STRING, STRING], [{ label: "result", tree }], options);
}

function labels(program: Program | undefined): string[] | undefined {
  return program?.kernels.map(({ label, cut }) => cut === undefined ? label : `${label}: ${cut}`);
}

Deno.test("text that is being written is cut before a map that looks, unless it is ASCII", () => {
  const program = programOf(call("shadow", both));
  const reason = "shadow looks at the characters beside each one";
  assertEquals(labels(program), [`name + " " + city: ${reason}`, "result"]);
  assertEquals(labels(program.ascii), ["result"]);
});

const ASCII: readonly (readonly [what: string, tree: Tree])[] = [
  ["a map of bytes", call("shadow", call("upper", both))],
  ["itself", call("shadow", call("shadow", both))],
  ["a view that can be written", call("shadow", call("head", both, 3))],
  ["a choice", call("shadow", choose(compare("==", name, city), both, name))],
  ["what has state", call("stitch", both, "-", 5)],
  ["a null", call("shadow", concat(name, literal(null)))],
];

for (const [what, tree] of ASCII) {
  Deno.test(`a map that looks is fused for ASCII text with ${what}`, () =>
    assertEquals(labels(programOf(tree).ascii), ["result"]));
}

const GENERAL: readonly (readonly [what: string, tree: Tree])[] = [
  ["text that lies somewhere", call("shadow", call("splitPart", name, " ", 0))],
  ["a literal with other characters", call("shadow", concat(name, "é"))],
  ["a map that may write other characters", call("shadow", call("grow", name, 0xe9))],
  ["a map that looks beside ASCII characters", call("trim", both)],
  ["what an emit writes", call("shadow", call("reverse", both))],
];

for (const [what, tree] of GENERAL) {
  Deno.test(`there is no program for ASCII text for ${what}`, () =>
    assertEquals(programOf(tree).ascii, undefined));
}

Deno.test("there is no program for ASCII text without fusion", () =>
  assertEquals(programOf(call("shadow", both), false).ascii, undefined));

Deno.test("a column that was cut off is not taken to be ASCII", () => {
  const cut = call("reverse", call("grow", name, 0xe9));
  assertEquals(programOf(call("shadow", concat(cut, city))).ascii, undefined);
  const beside = programOf(concat(call("shadow", both), cut));
  assertEquals(labels(beside.ascii)?.length, 2);
});

Deno.test("it is known which maps look beside ASCII characters", () => {
  const { shadow, trim, stitch } = rowFunctions;
  assertEquals([shadow, trim, stitch].map(({ fn }) => looksBesideAscii(fn)), [false, true, false]);
  assertEquals(asciiWeight(shadow.fn) < asciiWeight(trim.fn), true);
});

Deno.test("a map that looks at no ASCII character replaces bytes", () => {
  const kindOf = (tree: Tree) => {
    const program = programOf(tree);
    const [kernel] = (program.ascii ?? program).kernels;
    return lowerKernel(kernel as Kernel, [STRING, STRING], { ascii: true, nullable: [] }).kernel;
  };
  assertEquals(kindOf(call("shadow", name)), "byteMap");
  assertEquals(kindOf(call("shadow", call("upper", name))), "byteMap");
  assertEquals(kindOf(call("trim", name)), "row");
});

const ROWS: Record<string, readonly (readonly Value[])[]> = {
  ASCII: [["", ""], ["ab!", " cd "], [" ", "face!"], [null, "a"], ["zz!", null]],
  other: [["é", ""], ["ab!", "é cdé"], [" é", "𝄞face!"], [null, "é"], ["", "xé!"]],
};
const TREES: readonly Tree[] = [
  ...[...ASCII, ...GENERAL].map(([, tree]) => tree),
  // An intermediate column that is not ASCII, where all inputs are.
  concat(call("shadow", both), call("reverse", call("grow", name, 0xe9))),
  call("shadow", literal("béaé")),
  call("trim", literal(" a b ")),
  call("stitch", literal("aéb"), "-", 9),
];

for (const [which, rows] of Object.entries(ROWS)) {
  Deno.test(`${which} text: maps that look give what they mean, fused and unfused`, () => {
    const columns = [0, 1].map((index) => columnOf(STRING, rows.map((row) => row[index] ?? null)));
    for (const tree of TREES) {
      const wanted = rows.map((row) => evaluateTree(tree, row));
      for (const fuse of [true, false]) {
        const program = programOf(tree, fuse);
        const [result] = evaluateAround(program, columns, rows.length, testKernels());
        assertEquals(result && valuesOf(result), wanted, `${describeTree(tree)}, fuse: ${fuse}`);
      }
    }
  });
}

Deno.test("ASCII text is computed by the program for it, other text by the general one", () => {
  const program = programOf(call("shadow", both));
  const compilations = Object.values(ROWS).map((rows) => {
    const cache = new HostKernels({ minWasmRows: Infinity });
    const columns = [0, 1].map((index) =>
      columnOf(STRING, rows.map((row) => row[index] ?? null), { below: "ascii" })
    );
    evaluateAround(program, columns, rows.length, cache);
    return cache.compilations;
  });
  // The second kernel of the general one tries to replace bytes before it meets other characters.
  assertEquals(compilations, [1, 3]);
});

Deno.test("only a map can look at the characters beside each one", () => {
  const row = (text: unknown) => text;
  assertThrows(
    () => parseRowFunction({ name: "whole", kind: "view", looks: true, row }),
    KernelError,
    "whole: only a map looks at the characters beside each one",
  );
});
