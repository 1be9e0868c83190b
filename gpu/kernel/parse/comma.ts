/**
 * Comma operators, which minifiers write in place of statements.
 *
 * @module
 */

import type { Expression } from "acorn";

/**
 * Splits an expression at its first comma operators. The operands before a comma are evaluated
 * first, so each can be a statement. Minifiers write `if (i = text.find(a, 0), i < 0)`.
 */
export function withoutComma(node: Expression): { before: Expression[]; value: Expression } {
  switch (node.type) {
    case "SequenceExpression": {
      const last = node.expressions.at(-1);
      if (last === undefined) return { before: [], value: node };
      const { before, value } = withoutComma(last);
      return { before: [...node.expressions.slice(0, -1), ...before], value };
    }
    case "ConditionalExpression": {
      const { before, value } = withoutComma(node.test);
      return { before, value: { ...node, test: value } };
    }
    case "LogicalExpression": {
      const { before, value } = withoutComma(node.left);
      return { before, value: { ...node, left: value } };
    }
    case "BinaryExpression": {
      if (node.left.type === "PrivateIdentifier") return { before: [], value: node };
      const { before, value } = withoutComma(node.left);
      return { before, value: { ...node, left: value } };
    }
    case "UnaryExpression": {
      if (node.operator === "void") return { before: [], value: node };
      const { before, value } = withoutComma(node.argument);
      return { before, value: { ...node, argument: value } };
    }
    default:
      return { before: [], value: node };
  }
}

/** Whether there is a comma in a test, in the part that decides it. */
export function hasComma(node: Expression): boolean {
  switch (node.type) {
    case "SequenceExpression":
      return true;
    case "LogicalExpression":
      return hasComma(node.left) || hasComma(node.right);
    case "UnaryExpression":
      return hasComma(node.argument);
    case "ConditionalExpression":
      return hasComma(node.test) || hasComma(node.consequent) || hasComma(node.alternate);
    case "BinaryExpression":
      return node.left.type !== "PrivateIdentifier" && hasComma(node.left);
    default:
      return false;
  }
}
