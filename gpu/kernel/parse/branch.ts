import type { Expression } from "acorn";
import type { ParseContext } from "./parse_context.ts";
import { condition } from "./expression.ts";
import { effects } from "./statement.ts";
import type { RowStmt } from "./row_code.ts";
import { withoutComma } from "./without_comma.ts";

/**
 * A branch on a test in which commas may stand anywhere: minifiers write
 * `if (a < 0 || (b = c + 1, b > 9)) return null`. What is evaluated on the way becomes statements,
 * and a side that is reached in two ways is written twice.
 */
export function branch(
  context: ParseContext,
  test: Expression,
  then: () => RowStmt[],
  otherwise: () => RowStmt[],
): RowStmt[] {
  const { before, value } = withoutComma(test);
  return [...effects(context, before), ...branchOn(context, value, then, otherwise)];
}

function branchOn(
  context: ParseContext,
  node: Expression,
  then: () => RowStmt[],
  otherwise: () => RowStmt[],
): RowStmt[] {
  if (hasComma(node)) {
    switch (node.type) {
      case "LogicalExpression": {
        const rest = () => branch(context, node.right, then, otherwise);
        if (node.operator === "&&") return branch(context, node.left, rest, otherwise);
        if (node.operator === "||") return branch(context, node.left, then, rest);
        break;
      }
      case "UnaryExpression":
        if (node.operator === "!") return branch(context, node.argument, otherwise, then);
        break;
      case "ConditionalExpression":
        return branch(
          context,
          node.test,
          () => branch(context, node.consequent, then, otherwise),
          () => branch(context, node.alternate, then, otherwise),
        );
    }
  }
  return [{ do: "if", test: condition(context, node), then: then(), else: otherwise() }];
}

/** Whether a comma stands in a test, on the way to what decides. */
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
