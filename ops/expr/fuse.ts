/**
 * Bound expressions as a program of kernels.
 *
 * @module
 */

import type { ColumnType } from "../../gpu/column.ts";
import { cutIntoKernels } from "../../gpu/kernel/cut.ts";
import type { Program, Tree } from "../../gpu/kernel/tree.ts";
import { childrenOf, withChildren } from "../../gpu/kernel/tree_facts.ts";
import type { BoundExpr } from "./bind.ts";
import { foldTree } from "./fold.ts";

/** A program, and what it reads. */
export interface CompiledExprs {
  /** Its outputs are the expressions, in order. */
  readonly program: Program;
  /** For each input of the program, the number of the column in the schema. */
  readonly inputs: readonly number[];
  /** Names of the inputs. */
  readonly inputNames: readonly string[];
}

/** Options of `compileExprs`. */
export interface CompileOptions {
  /** False makes a kernel of every operation. True by default. */
  readonly fuse?: boolean;
  /** Names of the columns of the schema, for labels. */
  readonly names?: readonly string[];
}

/**
 * Compiles expressions that were bound to one schema. Only the columns that are still needed once
 * constants are folded become inputs.
 */
export function compileExprs(
  exprs: readonly BoundExpr[],
  { fuse = true, names = [] }: CompileOptions = {},
): CompiledExprs {
  const trees = exprs.map(({ tree }) => foldTree(tree));
  const used = new Map<number, ColumnType>();
  for (const tree of trees) collectColumns(tree, used);
  const inputs = [...used.keys()].sort((a, b) => a - b);
  const renumbered = new Map(inputs.map((column, input) => [column, input]));
  const inputNames = inputs.map((column) => names[column] ?? `$${column}`);
  const program = cutIntoKernels(
    inputs.map((column) => used.get(column)!),
    trees.map((tree, index) => ({
      label: exprs[index]?.label ?? "",
      tree: renumberColumns(tree, renumbered),
    })),
    { fuse, names: inputNames },
  );
  return Object.freeze({ program, inputs, inputNames });
}

function collectColumns(tree: Tree, used: Map<number, ColumnType>): void {
  if (tree.node === "column") used.set(tree.index, tree.type);
  for (const child of childrenOf(tree)) collectColumns(child, used);
}

function renumberColumns(tree: Tree, numbers: ReadonlyMap<number, number>): Tree {
  if (tree.node === "column") return { ...tree, index: numbers.get(tree.index) ?? tree.index };
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  return withChildren(tree, children.map((child) => renumberColumns(child, numbers)));
}
