import { add } from "../../../../support/kernels/sums.ts";
import { assert, assertEquals } from "@std/assert";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import {
  emitJavaScript,
  javaScriptSource,
} from "../../../../../gpu/kernel/emit/javascript/emit.ts";
import { emitWgsl } from "../../../../../gpu/kernel/emit/wgsl/emit.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import {
  BOOL,
  call,
  choose,
  column,
  compare,
  concat,
  fillNull,
  INT32,
  isNull,
  literal,
  logic,
  not,
  STRING,
} from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const TYPES = [STRING, STRING, INT32, BOOL];

const ROWS: Value[][] = [
  ["ab cd ef", "x", 1, true],
  ["public public x", "yx", 0, false],
  ["one", "", 2, true],
  ["", "ü ä", -1, null],
  [" é€ ", "é", null, true],
  [null, "a b c", 1, false],
  ["a b", null, 1, true],
];

const name = column(0);
const other = column(1);
const flag = column(3, BOOL);
/** A view with two searches that may be null. */
const part = (text: Tree = name) => call("splitPart", text, " ", 1);
/** A measure with a loop. */
const length = (text: Tree = name) => call("length", text);

/** Searches and loops in the code of one row, on each target. */
function loops(tree: Tree): { javaScript: number; wgsl: number } {
  const kernel = { label: "", tree, type: tree.type };
  const ir = lowerKernel(kernel, TYPES, { ascii: false, nullable: TYPES.map(() => true) });
  if (ir.kernel === "byteMap") throw new Error("A byte map has no code");
  const javaScript = javaScriptSource(emitJavaScript(ir));
  const { code } = emitWgsl(ir, ir.type.kind === "string" ? "write" : "single");
  const row = code.slice(code.indexOf("fn compute_row"), code.indexOf("\n@compute"));
  const count = (source: string, of: RegExp) => source.match(of)?.length ?? 0;
  return {
    javaScript: count(javaScript, /\b(for|while) \(|\$seekByte\(\$view/g),
    wgsl: count(
      row.slice(0, row.indexOf("\n}\n")),
      /\b(for|while|loop) [({]|\n +v_\w+ = seek\d+\(/g,
    ),
  };
}

function assertComputes(tree: Tree): void {
  const program = partitionIntoKernels(TYPES, [{ label: "result", tree }]);
  const columns = TYPES.map((type, index) => columnOf(type, ROWS.map((row) => row[index] ?? null)));
  const [result] = evaluateAround(program, columns, ROWS.length, testKernels());
  assertEquals(result && valuesOf(result), ROWS.map((row) => evaluateTree(tree, row)));
}

/** That both trees, which differ in a call that is there already, have the same loops. */
function assertOnce(twice: Tree, once: Tree): void {
  assertEquals(loops(twice), loops(once));
  assertComputes(twice);
}

Deno.test("a view that stands in a concatenation twice is cut once", () => {
  assertOnce(concat(part(), "-", part()), concat(part(), "-", name));
  assertOnce(concat(call("upper", part()), part()), concat(call("upper", part()), name));
});

Deno.test("a measure that stands in a sum twice is counted once", () => {
  assertOnce(add(length(), length()), add(length(), literal(1)));
});

Deno.test("what a test computed is not computed again where it holds", () => {
  const isPublic = () => compare("==", part(), literal("public"));
  assertOnce(choose(isPublic(), part(), literal("-")), choose(isPublic(), name, literal("-")));
  const both = () => logic("and", call("contains", other, "x"), isPublic());
  assertOnce(choose(both(), part(), literal("-")), choose(both(), name, literal("-")));
  assertOnce(
    choose(logic("and", flag, logic("and", isPublic(), compare("!=", part(), other))), name, other),
    choose(logic("and", flag, logic("and", isPublic(), compare("!=", name, other))), name, other),
  );
  assertOnce(
    choose(compare("<", length(), column(2, INT32)), length(), literal(0)),
    choose(compare("<", length(), column(2, INT32)), literal(1), literal(0)),
  );
});

Deno.test("what was looked at for null is not computed again where it is there", () => {
  const missing = () => isNull(part());
  assertOnce(choose(missing(), literal("-"), part()), choose(missing(), literal("-"), name));
  const present = () => logic("and", not(isNull(part())), flag);
  assertOnce(choose(present(), part(), literal("-")), choose(present(), name, literal("-")));
  const absent = () => logic("or", isNull(part()), flag);
  assertOnce(choose(absent(), literal("-"), part()), choose(absent(), literal("-"), name));
});

Deno.test("a view of one of two texts is remembered with its place", () => {
  const text = () => part(choose(flag, name, other));
  assertOnce(concat(text(), "-", text()), concat(text(), "-", name));
  const filled = () => part(fillNull(name, other));
  assertOnce(concat(filled(), "-", filled()), concat(filled(), "-", other));
  // A choice that is lowered twice has two variables for its place.
  assertComputes(concat(choose(flag, name, other), text(), choose(flag, name, other), text()));
});

Deno.test("a call is computed again where only some of the paths have computed it", () => {
  const sometimes = choose(flag, call("twice", part()), literal("-"));
  const tree = concat(sometimes, call("upper", part()));
  const without = loops(concat(sometimes, call("upper", name)));
  assert(loops(tree).javaScript > without.javaScript);
  assert(loops(tree).wgsl > without.wgsl);
  assertComputes(tree);
  assertComputes(concat(fillNull(part(), other), "-", fillNull(part(), literal("?"))));
  assertComputes(
    choose(not(compare("==", part(), literal("public"))), part(), fillNull(part(), other)),
  );
  assertComputes(
    choose(logic("or", compare("==", part(), literal("b")), flag), fillNull(part(), other), name),
  );
});

Deno.test("calls with other arguments are other calls", () => {
  const first = call("splitPart", name, " ", 0);
  assertComputes(concat(first, "-", part(), "-", call("splitPart", other, " ", 1)));
  assertComputes(concat(part(), "-", call("splitPart", name, "b", 1)));
});
