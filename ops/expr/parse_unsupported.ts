/**
 * What JavaScript has and expressions have not, by the names that people use.
 *
 * @module
 */

import type { AnyNode } from "acorn";
import type { ParseText } from "./parse_text.ts";

const CONSTRUCTS: Readonly<Record<string, string>> = {
  ArrayExpression: "Lists are",
  ArrowFunctionExpression: "Functions are",
  AssignmentExpression: "Assignment is",
  AwaitExpression: "await is",
  ChainExpression: "Optional chaining is",
  ClassExpression: "Classes are",
  FunctionExpression: "Functions are",
  ImportExpression: "import is",
  MetaProperty: "import.meta is",
  NewExpression: "new is",
  ObjectExpression: "Objects are",
  SequenceExpression: "A list of expressions is",
  SpreadElement: "... is",
  TaggedTemplateExpression: "Templates are",
  TemplateLiteral: "Templates are",
  ThisExpression: "this is",
  UpdateExpression: "Assignment is",
  YieldExpression: "yield is",
};

/** Throws the error for a construct that expressions do not have. */
export function unsupported(source: ParseText, node: AnyNode): never {
  switch (node.type) {
    case "AssignmentExpression":
      throw source.error("Assignment is not supported; == compares", node);
    case "TemplateLiteral":
      throw source.error("Templates are not supported; + joins text", node);
    case "BinaryExpression":
    case "UnaryExpression":
      throw source.error(`The operator ${node.operator} is not supported`, node);
    case "LogicalExpression":
      throw source.error(
        `The operator ${node.operator} is not supported; use fillNull()`,
        node,
      );
    case "Literal":
      throw source.error("Regular expressions are not supported", node);
    case "MemberExpression":
      throw member(source, node);
    case "CallExpression":
      if (node.optional) throw source.error("Optional chaining is not supported", node);
      throw source.error("Only operations are called, by their names", node.callee);
    default:
      throw source.error(`${CONSTRUCTS[node.type] ?? `${node.type} is`} not supported`, node);
  }
}

function member(source: ParseText, node: AnyNode & { type: "MemberExpression" }): Error {
  if (node.computed || node.property.type !== "Identifier") {
    return source.error("Brackets are not supported", node);
  }
  const { name } = node.property;
  if (source.operations.has(name)) {
    return source.error(`${name} is an operation; call it: ${source.slice(node)}()`, node);
  }
  const column = `col(${JSON.stringify(source.slice(node))})`;
  return source.error(`A column whose name has a dot is written ${column}`, node);
}
