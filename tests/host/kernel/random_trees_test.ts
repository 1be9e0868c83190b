import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { HostKernelCache } from "../../../gpu/host/kernels/kernel_cache.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { evaluateTree } from "../../support/evaluate_tree.ts";
import { columnOf, sliceText, type Value, valuesOf } from "../../support/host_columns.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../../support/random_trees.ts";
import { forSeeds } from "../../support/seeded_random.ts";

const TREES = 150;

function randomColumns(
  pick: Pick,
  ascii: boolean,
  nulls: boolean,
): { rows: Value[][]; columns: HostColumn[] } {
  const numRows = [0, 1, 7, 40][pick(4)] ?? 0;
  const before = pick(3);
  const all = Array.from({ length: before + numRows }, () => randomRow(pick, ascii, nulls));
  const rows = all.slice(before);
  const columns = RANDOM_TYPES.map((type, index) => {
    if (type.kind !== "string") return columnOf(type, rows.map((row) => row[index] ?? null));
    const whole = columnOf(type, all.map((row) => row[index] ?? null));
    return sliceText(whole, before, all.length);
  });
  return { rows, columns };
}

interface RunOptions {
  readonly fuse: boolean;
  readonly minWasmRows: number;
}

function run(
  tree: Tree,
  columns: readonly HostColumn[],
  numRows: number,
  { fuse, minWasmRows }: RunOptions,
): Value[] {
  const program = partitionIntoKernels(RANDOM_TYPES, [{ label: "result", tree }], { fuse });
  const kernels = new HostKernelCache({ minWasmRows });
  const [result] = evaluateAround(program, columns, numRows, kernels);
  return result === undefined ? [] : valuesOf(result);
}

for (const [kind, make] of Object.entries({ randomTextTree, randomNumberTree, randomTestTree })) {
  Deno.test(`${kind}: fused and unfused kernels of both targets agree with plain strings`, () =>
    forSeeds(TREES, (random) => {
      const pick: Pick = (below) => random.below(below);
      const tree = make(pick, 1 + pick(4));
      const { rows, columns } = randomColumns(pick, pick(2) === 0, pick(2) === 0);
      const wanted = rows.map((row) => evaluateTree(tree, row));
      const what = describeTree(tree);
      for (const fuse of [true, false]) {
        for (const minWasmRows of [1, Infinity]) {
          const options = { fuse, minWasmRows };
          const actual = run(tree, columns, rows.length, options);
          assertEquals(actual, wanted, `${JSON.stringify(options)} ${what}`);
        }
      }
    }));
}
