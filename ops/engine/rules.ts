/**
 * Applies the rewrites of a plan, which each kind of node defines. None of them changes the rows or
 * their order.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Names, OperatorNode, SourceRows, Step } from "./node.ts";

/** Replaces nodes once the schemas of their results are known. */
export function settleNodes(steps: readonly Step[], results: readonly Schema[]): readonly Step[] {
  return steps.map((step, index) => {
    const { node } = step;
    return { ...step, node: node.kind.rewrites?.onSchema?.(node, results[index]!) ?? node };
  });
}

/**
 * Removes columns that no later step needs, and steps that add only such columns, and records at each
 * step which columns of its result are needed. A removed expression is not evaluated, so a strict
 * conversion in it throws no error.
 */
export function pruneColumns(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  let wanted: Names;
  for (const { node, step } of steps.toReversed()) {
    const { onWanted } = node.kind.rewrites ?? {};
    const needed = wanted && onWanted ? onWanted(node, wanted) : node;
    if (needed === undefined) continue;
    kept.push({ node: needed, step, wanted });
    wanted = needed.kind.needs(needed.spec, wanted);
  }
  return kept.toReversed();
}

/** Applies the rules for neighbours until none matches. */
export function rewritePairs(steps: readonly Step[]): readonly Step[] {
  for (let index = 0; index + 1 < steps.length; index++) {
    const [first, second] = [steps[index]!, steps[index + 1]!];
    for (const { rewrite } of second.node.kind.rewrites?.pairs ?? []) {
      const replaced = rewrite(first, second);
      if (replaced === undefined) continue;
      return rewritePairs([...steps.slice(0, index), ...replaced, ...steps.slice(index + 2)]);
    }
  }
  return steps;
}

/** Resolves negative positions of leading slices, given the row count of the source. */
export function resolveNumRows(
  steps: readonly Step[],
  numRows: number | undefined,
): readonly Step[] {
  let known = numRows;
  return steps.map((step) => {
    const { node } = step;
    if (known === undefined) return step;
    const resolved = node.kind.rewrites?.onNumRows?.(node, known) ?? node;
    known = numRowsAfter(node, known);
    return { ...step, node: resolved };
  });
}

/** The row count of a node's result, if it follows from that of its input. */
export function numRowsAfter({ kind, spec }: OperatorNode, numRows: number): number | undefined {
  if (kind.numRows !== undefined) return kind.numRows(spec, numRows);
  return kind.rows === "same" ? numRows : undefined;
}

/** Pushes the leading node down into a seekable source, as a range of rows. */
export function intoSource(
  steps: readonly Step[],
): { readonly range: SourceRows; readonly rest: readonly Step[] } {
  const [first, ...after] = steps;
  const moved = first?.node.kind.rewrites?.intoSource?.(first.node);
  if (moved === undefined) return { range: {}, rest: steps };
  const { range, rest } = moved;
  return { range, rest: rest === undefined ? after : [{ ...first!, node: rest }, ...after] };
}

/** Lets the first node that makes batch boundaries insert a node at the front of the plan. */
export function lookAhead(steps: readonly Step[]): readonly Step[] {
  const index = steps.findIndex(({ node }) => node.kind.boundaries === "made");
  if (index < 1) return steps;
  const { node, step } = steps[index]!;
  const ahead = node.kind.rewrites?.ahead?.(node, steps.slice(0, index));
  return ahead === undefined ? steps : [{ node: ahead, step }, ...steps];
}

/** Whether no result depends on the batch boundaries of the source. */
export function mayJoinBatches(steps: readonly Step[]): boolean {
  const made = steps.findIndex(({ node }) => node.kind.boundaries === "made");
  const before = made < 0 ? steps : steps.slice(0, made);
  return !before.some(({ node }) => node.kind.boundaries === "seen");
}
