import { add } from "../../../../support/kernels/sums.ts";
import { assertEquals } from "@std/assert";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import {
  call,
  choose,
  column,
  compare,
  concat,
  isNull,
  literal,
  STRING,
} from "../../../../support/kernels/trees.ts";

const name = column(0);
const part = call("splitPart", name, " ", 0);
const upper = call("upper", name);

/** Labels of the kernels of a tree, and why they were cut. */
function kernelsOf(tree: Tree, fuse = true): string[] {
  const options = { names: ["name", "city"], fuse };
  const { kernels } = partitionIntoKernels([STRING, STRING], [{ label: "result", tree }], options);
  return kernels.map(({ label, cut }) => cut === undefined ? label : `${label}: ${cut}`);
}

const CASES: [string, Tree, string[]][] = [
  [
    "views, concatenations and choices fuse",
    choose(
      compare("==", part, literal("x")),
      concat(part, " ", call("slice", part, 0, 1)),
      literal("none"),
    ),
    ["result"],
  ],
  ["a map of a view, and a map of a map, fuse", call("lower", call("upper", part)), ["result"]],
  ["a map of a concatenation fuses", call("upper", concat(name, part)), ["result"]],
  ["a null test of written text fuses", isNull(concat(name, part)), ["result"]],
  ["a view of mapped text is cut", call("slice", upper, 0, 1), [
    "upper(name): slice reads text that upper writes",
    "result",
  ]],
  ["a view that can be written fuses with mapped text", call("head", upper, 3), ["result"]],
  [
    "an operation that can be written fuses with text on both sides",
    call("skip", call("replaceChar", concat(name, "-"), "-", " "), 1),
    ["result"],
  ],
  [
    "a search in a view of mapped text is cut behind the view",
    call(
      "contains",
      call("head", upper, 3),
      "X",
    ),
    ["head(upper(name), 3): contains reads text that head writes", "result"],
  ],
  [
    "an argument of a view that can be written is cut where it is written",
    call(
      "replaceChar",
      concat(name, "!"),
      "a",
      upper,
    ),
    ["upper(name): replaceChar reads text that upper writes", "result"],
  ],
  ["a search in a concatenation is cut", call("contains", concat(name, "!"), "x!"), [
    'name + "!": contains reads text that "+" writes',
    "result",
  ]],
  ["a comparison of written text is cut", compare("<", upper, name), [
    'upper(name): "<" reads text that upper writes',
    "result",
  ]],
  [
    "equal text that is cut is one kernel",
    concat(
      call("slice", upper, 0, 1),
      call("reverse", upper),
    ),
    ["upper(name): slice reads text that upper writes", "result"],
  ],
];

for (const [what, tree, wanted] of CASES) {
  Deno.test(`partitionIntoKernels(): ${what}`, () => assertEquals(kernelsOf(tree), wanted));
}

Deno.test("partitionIntoKernels() keeps a map from being inlined at too many places", () => {
  const many = concat(...Array.from({ length: 40 }, () => call("reverse", name)));
  const [reason] = kernelsOf(call("lower", many)).slice(0, 1);
  assertEquals(reason?.endsWith("lower would be inlined at 40 places"), true, reason);
});

Deno.test("partitionIntoKernels() makes a kernel of every step where fusion is off", () => {
  assertEquals(kernelsOf(concat(call("slice", part, 0, 1), "!"), false), [
    'splitPart(name, " ", 0): fusion is off',
    'slice(splitPart(name, " ", 0), 0, 1): fusion is off',
    "result",
  ]);
});

Deno.test("partitionIntoKernels() passes an input that is a result through", () => {
  const program = partitionIntoKernels([STRING, STRING], [
    { label: "city", tree: column(1) },
    { label: "upper", tree: upper },
    { label: "again", tree: upper },
  ]);
  assertEquals(program.outputs, [1, 2, 2]);
  assertEquals(program.kernels.length, 1);
});

Deno.test("partitionIntoKernels() leaves floating-point sums to the host", () => {
  const float64 = { kind: "float", bits: 64 } as const;
  const tree = add(column(0, float64), column(1, float64));
  const { kernels } = partitionIntoKernels([float64, float64], [{ label: "sum", tree }]);
  assertEquals(kernels.map(({ hostOnly }) => hostOnly), [
    "it computes with floating-point numbers",
  ]);
});

Deno.test("partitionIntoKernels() leaves to the host what writes text at more places than a device takes", () => {
  const reasonOf = (tree: Tree) => {
    return partitionIntoKernels([STRING], [{ label: "result", tree }]).kernels[0]?.hostOnly;
  };
  const parts = (count: number) => Array.from({ length: count }, () => column(0));
  const reason = "it writes text at 129 places, and code for a device has 128 at most";
  assertEquals(reasonOf(concat(...parts(128))), undefined);
  assertEquals(reasonOf(concat(...parts(129))), reason);
  assertEquals(reasonOf(call("length", concat(...parts(129)))), reason);
  assertEquals(reasonOf(call("length", column(0))), undefined);
});
