import { assert, assertEquals } from "@std/assert";
import { type DataType, Field, Int32, Schema, Utf8 } from "apache-arrow";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { valueAt } from "../../../../../gpu/column/value_at.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { foldTree } from "../../../../../gpu/kernel/fold/fold_tree.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { childrenOf, withChildren } from "../../../../../gpu/kernel/tree/tree_facts.ts";
import { columnTypeOf } from "../../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../../ops/expr/bind.ts";
import type { Expr } from "../../../../../ops/expr/expr.ts";
import type { StringOp } from "../../../../../ops/string/define/define_string_op.ts";
import * as operations from "../../../../../ops/string/operations.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { isConversion, literalCall } from "../../../../support/expressions/operation_calls.ts";
import {
  CONVERSION_KINDS,
  randomConversion,
  randomConversionColumns,
} from "../../../../support/random/random_conversions.ts";
import { randomTexts } from "../../../../support/random/random_text.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../../../../support/random/random_trees.ts";
import { forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";
import type { TypedColumns } from "../../../../support/kernels/programs.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

/** Whether a tree folds to a literal where its columns are the values of a row. It means the same. */
function folds(tree: Tree, types: readonly ColumnType[], row: readonly Value[]): boolean {
  const what = `${describeTree(tree)} of ${row}`;
  const columns = types.map((type, index) => columnOf(type, [row[index] ?? null]));
  const folded = foldTree(withLiterals(tree, columns.map((column) => valueAt(column, 0))));
  const kernels = new HostKernels();
  const run = (tree: Tree, columns: readonly HostColumn[]) => {
    const inputs = columns.map(({ type }) => type);
    const program = partitionIntoKernels(inputs, [{ label: "result", tree }]);
    return valuesOf(evaluateOnHost(program, columns, 1, kernels).columns[0]!);
  };
  assertEquals(run(folded, []), run(tree, columns), what);
  return folded.node === "literal" || folded.type.kind === "list";
}

type Literal = (Tree & { node: "literal" })["value"];

function withLiterals(tree: Tree, values: readonly Literal[]): Tree {
  if (tree.node === "column") {
    return { node: "literal", value: values[tree.index] ?? null, type: tree.type };
  }
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  return withChildren(tree, children.map((child) => withLiterals(child, values)));
}

for (const [kind, make] of Object.entries({ randomTextTree, randomNumberTree, randomTestTree })) {
  Deno.test(`${kind}: literals fold to what a kernel makes of columns`, () =>
    forSeeds(fewOr(40, 150), (random) => {
      const pick: Pick = (below) => random.below(below);
      const tree = make(pick, 1 + pick(4));
      assert(folds(tree, RANDOM_TYPES, randomRow(pick, pick(2) === 0, pick(2) === 0)));
    }));
}

Deno.test("conversions of literals fold to what a kernel makes of columns", () =>
  forSeeds(fewOr(50, 200), (random) => {
    const columns = randomConversionColumns(random, 1);
    const expr = randomConversion(random, random.pick(CONVERSION_KINDS), 1 + random.below(4));
    assert(foldsExpr(expr, columns));
  }));

Deno.test("every string operation on literals folds to what a kernel makes of columns", async (t) => {
  const random = new SeededRandom(5);
  for (const op of Object.values(operations) as StringOp[]) {
    // The conversions are drawn above, and there is no literal for a list that is joined.
    if (isConversion(op) || op.spec.name === "join" || op.spec.group === "choose") continue;
    await t.step(op.spec.name, () => {
      for (let i = 0; i < fewOr(3, 10); i++) {
        const text = randomTexts(random, 1);
        const { exprs: [expr], columns } = literalCall(random, op, text);
        const typed = Object.entries({ text, ...columns }).map(([name, [value]]) =>
          [name, [typeof value === "number" ? new Int32() : new Utf8(), [value as Value]]] as const
        );
        const isFolded = foldsExpr(expr!, Object.fromEntries(typed));
        assert(isFolded, "it is left in the tree");
      }
    });
  }
});

function foldsExpr(expr: Expr, columns: TypedColumns): boolean {
  const names = Object.keys(columns);
  const types = names.map((name): DataType => columns[name]![0]);
  const schema = new Schema(names.map((name, index) => new Field(name, types[index]!, true)));
  const row = names.map((name) => columns[name]![1][0] ?? null);
  return folds(bindExpr(expr, schema).tree, types.map(columnTypeOf), row);
}
