/**
 * Applies the rewrites of a plan, which each kind of node defines. None of them changes the rows of
 * the result or their order.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { RowPick } from "../../streams/rows/row_request.ts";
import { mostRows as mostRowsOf } from "../../streams/rows/row_slice.ts";
import type { OpenOptions, Source } from "../../streams/plan/source.ts";
import type { Names, OperatorNode, Step } from "./node.ts";
import { inStep, stepErrorOf } from "../../base/errors/wrap_error.ts";

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

/** Returns the row count of a node's result, if it follows from that of its input. */
export function numRowsAfter({ kind, spec }: OperatorNode, numRows: number): number | undefined {
  if (kind.numRows !== undefined) return kind.numRows(spec, numRows);
  return kind.rows === "same" ? numRows : undefined;
}

/**
 * Returns the steps at the front of a plan that only pick rows, their picks, and the remaining
 * steps.
 */
export function leadingPicks(steps: readonly Step[]): {
  readonly picks: readonly RowPick[];
  readonly picking: readonly Step[];
  readonly rest: readonly Step[];
} {
  const picks: RowPick[] = [];
  for (const { node } of steps) {
    const pick = node.kind.rewrites?.picks?.(node);
    if (pick === undefined) break;
    picks.push(pick);
  }
  return { picks, picking: steps.slice(0, picks.length), rest: steps.slice(picks.length) };
}

/**
 * Lets each step reject the input that it would get from a source. Knowing the number of rows can
 * only help a step, but may take long to find out, so rows are counted only if a step rejects
 * without it. If that number is unknown, the size of the file may help.
 */
export async function checkInputs(
  steps: readonly Step[],
  source: Source,
  options: OpenOptions,
): Promise<void> {
  const { name } = source;
  try {
    await checkEach(steps, { name });
  } catch (error) {
    // If counting fails, so would reading.
    const numRows = await source.numRows(options).catch(() => undefined);
    const numBytes = source.numRequests === undefined ? source.numBytes : undefined;
    if (numRows !== undefined) return await checkEach(steps, { name, numRows });
    if (numBytes === undefined) throw error;
    await checkEach(steps, { name, numBytes });
  }
}

/** The name and the known sizes of a source. */
interface SourceFacts {
  readonly name: string;
  readonly numRows?: number;
  readonly numBytes?: number;
}

async function checkEach(
  steps: readonly Step[],
  { name: source, numRows, numBytes }: SourceFacts,
): Promise<void> {
  let mostRows = numRows;
  let mostBytes = numBytes;
  let behind: string | undefined;
  for (const { node, step } of steps) {
    const known = { source, mostRows, mostBytes };
    const facts = behind === undefined ? known : { ...known, behind };
    const check = () => node.kind.rewrites?.checkInput?.(node, facts);
    await inStep(check, (error) => stepErrorOf(step, node.name, error));
    const { rows } = node.kind;
    mostRows = mostRowsAfter(node, mostRows);
    if (rows !== "same" && rows !== "fewer") mostBytes = undefined;
    if (rows !== "same") behind = node.name;
  }
}

/**
 * Returns the most rows of a node's result for the most rows of its input; undefined means any
 * number.
 */
function mostRowsAfter(node: OperatorNode, mostRows = Infinity): number | undefined {
  const { rows, rewrites } = node.kind;
  if (rows !== "same" && rows !== "fewer") return undefined;
  const pick = rewrites?.picks?.(node);
  // A slice may return more of fewer rows: `-10:10` takes all of ten and none of twenty.
  const limit = pick?.kind === "slice" ? mostRowsOf(pick) : Infinity;
  const most = Math.min(mostRows, limit);
  return most === Infinity ? undefined : most;
}

/** Lets the first node that creates batch boundaries insert a node at the front of the plan. */
export function lookAhead(steps: readonly Step[]): readonly Step[] {
  const index = steps.findIndex(({ node }) => node.kind.boundaries === "made");
  if (index < 1) return steps;
  const { node, step } = steps[index]!;
  const ahead = node.kind.rewrites?.ahead?.(node, steps.slice(0, index));
  return ahead === undefined ? steps : [{ node: ahead, step }, ...steps];
}

/** Whether the result is independent of the batch boundaries of the source. */
export function mayJoinBatches(steps: readonly Step[]): boolean {
  const made = steps.findIndex(({ node }) => node.kind.boundaries === "made");
  const before = made < 0 ? steps : steps.slice(0, made);
  return !before.some(({ node }) => node.kind.boundaries === "seen");
}
