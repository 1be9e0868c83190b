/**
 * What is asked of the parts of a text without making a list of them.
 *
 * @module
 */

import type { CallArgs } from "./define_string_op.ts";
import { type ExprNode, type Literal, literalNode } from "../expr/node.ts";
import { split } from "./split.ts";

/** A call of `split` with a literal delimiter, or with none. */
export interface SplitCall {
  /** What is split. */
  readonly text: ExprNode;
  /** Absent for white space. */
  readonly delimiter?: ExprNode;
  /** Absent for all parts. */
  readonly limit?: ExprNode;
}

/** A node as a call of `split` with a delimiter that is known; undefined for any other. */
export function knownSplit(node: ExprNode): SplitCall | undefined {
  if (node.node !== "call" || node.op !== split) return undefined;
  const [delimiter, limit] = node.args;
  if (delimiter !== undefined && delimiter.node !== "literal") return undefined;
  return {
    text: node.text,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** An argument of a call as a node, where it was given. */
export function argumentNode(arg: CallArgs[string]): ExprNode | undefined {
  if (typeof arg !== "object" || arg === null) {
    return arg === undefined ? undefined : literalNode(arg as Literal);
  }
  return "node" in arg ? arg as ExprNode : undefined;
}
