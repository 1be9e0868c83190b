/**
 * Explains a program as text: the kernels that run, the steps that each fuses, and why fusion ended.
 *
 * @module
 */

import { describeTree, shorten } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Kernel, Program, Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf } from "../../gpu/kernel/tree/tree_facts.ts";
import { showControls } from "../../base/show_controls.ts";
import type { CompiledExprs } from "./compile_exprs.ts";

/** Describes each kernel of compiled expressions in a block, then lists their results. */
export function explainKernels({ program, inputNames }: CompiledExprs): string {
  const { kernels, outputs } = program;
  const kernelNumber = (column: number) => column - inputNames.length + 1;
  const nameOf = (column: number) =>
    showControls(inputNames[column] ?? `kernel ${kernelNumber(column)}`);
  const blocks = kernels.map((kernel, index) => explainKernel(kernel, index + 1, nameOf));
  const names = outputs.map(nameOf);
  const lines = [...blocks, ...explainAscii(program), `results: ${names.join(", ")}`];
  return lines.join("\n");
}

/** Lists the kernels that are fused into others where all text is ASCII. */
function explainAscii({ kernels, ascii }: Program): string[] {
  if (ascii === undefined) return [];
  const apart = new Set(ascii.kernels.map(({ label }) => label));
  const fused = kernels.filter(({ label, cut }) => cut !== undefined && !apart.has(label));
  const labels = fused.map(({ label }) => showControls(label));
  return [`fused where all text is ASCII: ${labels.join(", ")}`];
}

function explainKernel(
  kernel: Kernel,
  number: number,
  nameOf: (column: number) => string,
): string {
  const columns = new Set<number>();
  const steps: string[] = [];
  collect(kernel.tree, columns, steps);
  const lines = [
    `kernel ${number}: ${kernel.label}`,
    `  reads: ${[...columns].map(nameOf).join(", ") || "nothing"}`,
    `  fuses: ${steps.join(", ") || "nothing"}`,
  ];
  const names = Array.from({ length: 1 + Math.max(-1, ...columns) }, (_, column) => nameOf(column));
  const fails = [...new Set(failuresOf(kernel.tree, names))];
  if (fails.length > 0) lines.push(`  may fail: ${fails.join(", ")}`);
  if (kernel.cut !== undefined) lines.push(`  apart because: ${kernel.cut}`);
  if (kernel.hostOnly !== undefined) lines.push(`  on the host because: ${kernel.hostOnly}`);
  return lines.map(showControls).join("\n");
}

/** Returns the strict calls of a tree, in order of execution. */
function failuresOf(tree: Tree, names: readonly string[]): string[] {
  const inner = childrenOf(tree).flatMap((child) => failuresOf(child, names));
  if (tree.node !== "call" || tree.strict !== true || tree.isPart === true) return inner;
  return [...inner, shorten(describeTree(tree, names))];
}

/** Collects the columns that a tree reads, and the names of its steps in order of execution. */
function collect(tree: Tree, columns: Set<number>, steps: string[]): void {
  if (tree.node === "column") columns.add(tree.index);
  for (const child of childrenOf(tree)) collect(child, columns, steps);
  const step = stepName(tree);
  if (step !== undefined) steps.push(step);
}

function stepName(tree: Tree): string | undefined {
  switch (tree.node) {
    case "column":
    case "literal":
      return undefined;
    case "call":
      if (tree.isPart === true) return undefined;
      if (tree.operator !== undefined) return tree.operator;
      return tree.fn.name + (tree.shown ? `(${tree.shown.literals.join(", ")})` : "");
    case "compare":
      return tree.op;
    case "cast":
      return "widen";
    case "choose":
      return "?:";
    case "and":
      return "&&";
    case "or":
      return "||";
    case "not":
      return "!";
    case "fillNull":
      return tree.isPart === true ? undefined : tree.node;
    default:
      return tree.node;
  }
}
