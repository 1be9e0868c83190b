/**
 * The precedence of operators, for whoever prints expressions or trees.
 *
 * @module
 */

/** How tightly each operator binds, as in JavaScript; an operand that binds less needs parentheses. */
export const BINDING = {
  "?:": 1,
  "||": 2,
  "&&": 3,
  "|": 4,
  "&": 6,
  "==": 7,
  "!=": 7,
  "<": 8,
  "<=": 8,
  ">": 8,
  ">=": 8,
  "<<": 9,
  ">>": 9,
  "+": 10,
  "-": 10,
  "*": 11,
  "/": 11,
  "%": 11,
  "**": 12,
  /** `!a`, `-a` and `~a`. */
  unary: 13,
  ".": 14,
} as const;

/** An operator, or the class of those before one operand. */
export type Operator = keyof typeof BINDING;

/** An operator between two operands that a call of an operation is written with. */
export type InfixOperator = "+" | "-" | "*" | "/" | "%" | "**" | "&" | "|" | "<<" | ">>";

/** An operator before one operand that a call of an operation is written with. */
export type PrefixOperator = "-" | "~";

/** Prints an operator between operands; `part` prints an operand, in parentheses where it binds less. */
export function printInfix<Node>(
  [left, right]: readonly [Node, Node],
  operator: Operator,
  part: (node: Node, binding: number) => string,
): string {
  const own = BINDING[operator];
  // All operators group to the left, apart from the power, whose left operand has no sign.
  const sides = operator === "**" ? [BINDING["."], own] as const : [own, own + 1] as const;
  return `${part(left, sides[0])} ${operator} ${part(right, sides[1])}`;
}
