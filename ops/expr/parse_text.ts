/**
 * The state that all functions of the parser share: the text, its places and the operations. Also the
 * error for constructs that JavaScript has and expressions do not.
 *
 * @module
 */

import type { Expr } from "./expr.ts";
import type { StringOp } from "../syntax/node.ts";
import { ExprError } from "../../base/errors/expr_error.ts";
import { setPlace } from "../syntax/node_place.ts";
import { operatorHint, wordHint } from "../syntax/other_words.ts";
import type { AnyNode } from "acorn";

/** A range of the text, in the form of acorn's nodes. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The text of an expression while it is parsed. */
export class ParseText {
  readonly text: string;
  readonly operations: ReadonlyMap<string, StringOp>;

  constructor(text: string, operations: ReadonlyMap<string, StringOp>) {
    this.text = text;
    this.operations = operations;
  }

  /** Returns the error for a mistake in a range of the text. */
  error(message: string, at: Stretch): ExprError;
  error(message: string, start: number, stop: number): ExprError;
  error(message: string, at: Stretch | number, stop = 0): ExprError {
    const place = typeof at === "number"
      ? { text: this.text, start: at, stop }
      : { text: this.text, start: at.start, stop: at.end };
    return new ExprError(message, place);
  }

  /** Records the place of an expression, for later errors. */
  placed(expr: Expr, { start, end }: Stretch): Expr {
    setPlace(expr.node, { text: this.text, start, stop: end });
    return expr;
  }

  /** Returns the text of a range. */
  slice({ start, end }: Stretch): string {
    return this.text.slice(start, end);
  }
}

const CONSTRUCTS: Readonly<Record<string, string>> = {
  ArrayExpression: "Lists are",
  ArrowFunctionExpression: "Functions are",
  AssignmentExpression: "Assignment is",
  AwaitExpression: "await is",
  ClassExpression: "Classes are",
  FunctionExpression: "Functions are",
  ImportExpression: "import is",
  MetaProperty: "import.meta is",
  ObjectExpression: "Objects are",
  SequenceExpression: "A list of expressions is",
  SpreadElement: "... is",
  TaggedTemplateExpression: "Templates are",
  TemplateLiteral: "Templates are",
  ThisExpression: "this is",
  UpdateExpression: "Assignment is",
  YieldExpression: "yield is",
};

const CALLEE = "Only operations can be called, by their names";

const OPTIONAL = "Optional chaining is not supported; what is computed of null is null: a.abs()";

/** Throws the error for a construct that expressions do not have. */
export function unsupported(source: ParseText, node: AnyNode): never {
  switch (node.type) {
    case "AssignmentExpression":
      throw source.error(assignment(source, node), node);
    case "TemplateLiteral":
      throw source.error("Templates are not supported; + joins text", node);
    case "BinaryExpression":
    case "UnaryExpression":
    case "LogicalExpression":
      throw source.error(
        `The operator ${node.operator} is not supported${operatorHint(node.operator)}`,
        node,
      );
    case "Literal":
      throw source.error("Regular expressions are not supported", node);
    case "ChainExpression":
      throw source.error(OPTIONAL, node);
    case "NewExpression":
      throw source.error(
        "new is not supported; now() is this moment, and toDate() and toTimestamp() read text",
        node,
      );
    case "CallExpression":
      if (node.optional) throw source.error(OPTIONAL, node);
      throw source.error(CALLEE, node.callee);
    case "MemberExpression":
      throw source.error(node.optional ? OPTIONAL : CALLEE, node);
    default:
      throw source.error(`${CONSTRUCTS[node.type] ?? `${node.type} is`} not supported`, node);
  }
}

/** Returns the message for an assignment; `a =~ b` is parsed as an assignment of `~b`. */
function assignment(
  { text }: ParseText,
  { right }: AnyNode & { type: "AssignmentExpression" },
): string {
  const isMatch = right.type === "UnaryExpression" && text.startsWith("=~", right.start - 1);
  if (isMatch) return `The operator =~ is not supported${wordHint("=~")}`;
  return "Assignment is not supported; == compares";
}
