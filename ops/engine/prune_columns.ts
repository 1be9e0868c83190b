/** @module */

import { isJoin, wantedOfJoin } from "../join/join_node.ts";
import type { Names, OperatorNode } from "./node.ts";
import type { Step } from "./rules.ts";
import { isWithColumns, withColumnsNode } from "../rows/with_columns_node.ts";

/**
 * Leaves out the expressions, and the columns of joins, that no later step needs, and writes down at
 * each step which columns of its result are still wanted. An expression that is left out is not computed at all: a
 * strict conversion in it refuses nothing.
 */
export function pruneColumns(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  let wanted: Names;
  for (const { node, step } of steps.toReversed()) {
    const needed = withWanted(node, wanted);
    if (needed === undefined) continue;
    kept.push({ node: needed, step, wanted });
    wanted = needed.needs(wanted);
  }
  return kept.toReversed();
}

/** The node without the columns that nobody wants; undefined where it would add no others. */
function withWanted(node: OperatorNode, wanted: Names): OperatorNode | undefined {
  if (wanted === undefined) return node;
  if (isJoin(node)) return wantedOfJoin(node, wanted);
  if (!isWithColumns(node)) return node;
  const columns = [...node.columns].filter(([name]) => wanted.has(name));
  if (columns.length === node.columns.size) return node;
  return columns.length === 0 ? undefined : withColumnsNode(new Map(columns));
}
