/**
 * Finds the faults that can be planted in a TypeScript module.
 *
 * It leaves alone what no test can see: types, comments, text, and the messages of errors. It also leaves
 * alone long tables of numbers, which scripts generate, and the step of a `for`, which would never end
 * without it.
 *
 * @module
 */

// deno-lint-ignore-file no-import-prefix
import ts from "npm:typescript@5.9.3";
import type { Fault, FaultKind } from "./fault.ts";

/** The replacement of each operator. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" },
  ...{ "+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "&&": "||", "||": "&&" },
  ...{ "<<": ">>", ">>": "<<", ">>>": ">>", "&": "|", "|": "&", "^": "|" },
  ...{ "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=", "*=": "+=" },
};
const COMPARES = new Set(["<", "<=", ">", ">="]);
/** The length from which a list of numbers is a table. */
const TABLE_ITEMS = 16;

/** Returns all faults of a module. */
export function typescriptFaults(path: string, text: string): Fault[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const add = (kind: FaultKind, node: { start: number; stop: number }, planted: string) =>
    faults.push({ path, kind, ...node, planted });
  const rangeOf = (node: ts.Node) => ({ start: node.getStart(file), stop: node.getEnd() });
  const textOf = (node: ts.Node) => node.getText(file);

  const visit = (node: ts.Node): void => {
    if (isUnseen(node)) return;
    if (ts.isBinaryExpression(node)) addOperator(node);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add("operator", rangeOf(node), textOf(node.operand));
    } else if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) addNumber(node);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add("constant", rangeOf(node), "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add("constant", rangeOf(node), "true");
    else if (isDroppable(node)) add("statement", rangeOf(node), ";");
    if (ts.isCallExpression(node)) addSwaps(node.arguments);
    if (ts.isForStatement(node)) {
      for (const part of [node.initializer, node.condition, node.statement]) part && visit(part);
    } else ts.forEachChild(node, visit);
  };

  const addOperator = ({ left, operatorToken, right }: ts.BinaryExpression): void => {
    const operator = textOf(operatorToken);
    const planted = OPERATORS[operator];
    const isOfText = operator.startsWith("+") && (isText(left) || isText(right));
    if (planted !== undefined && !isOfText) add("operator", rangeOf(operatorToken), planted);
    if (operator === "??") {
      add("operator", { ...rangeOf(left), stop: right.getEnd() }, textOf(left));
    }
    if (COMPARES.has(operator) && !isNumber(right)) {
      for (const sign of ["+", "-"]) {
        add(
          "bound",
          rangeOf(right),
          isBig(left) ? `(${textOf(right)} ${sign} 1n)` : `(${textOf(right)} ${sign} 1)`,
        );
      }
    }
  };

  const addNumber = (node: ts.NumericLiteral | ts.BigIntLiteral): void => {
    const suffix = ts.isBigIntLiteral(node) ? "n" : "";
    const value = BigInt(Math.trunc(Number(textOf(node).replaceAll("_", "").replace(/n$/, ""))));
    const is = (other: bigint) =>
      add(isBound(node) ? "bound" : "constant", rangeOf(node), `${other}${suffix}`);
    if (value === 0n) return void is(1n);
    is(value + 1n);
    is(value - 1n);
  };

  const addSwaps = (args: ts.NodeArray<ts.Expression>): void => {
    for (let k = 0; k + 1 < args.length; k++) {
      const [first, second] = [textOf(args[k]!), textOf(args[k + 1]!)];
      if (first === second || first.startsWith("...") || second.startsWith("...")) continue;
      const between = text.slice(args[k]!.getEnd(), args[k + 1]!.getStart(file));
      add(
        "arguments",
        { start: args[k]!.getStart(file), stop: args[k + 1]!.getEnd() },
        second + between + first,
      );
    }
  };

  visit(file);
  return faults;
}

/** Whether a node has no effect when the module runs, or only on texts for people. */
function isUnseen(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) {
    return true;
  }
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isThrowStatement(node)) return true;
  if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return true;
  const items = ts.isArrayLiteralExpression(node)
    ? node.elements
    : ts.isCallExpression(node)
    ? node.arguments
    : [];
  return items.length >= TABLE_ITEMS && items.every(isNumber);
}

/** Whether a node is a statement that the module can run without. */
function isDroppable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) {
    return node.expression.getFirstToken()?.kind !== ts.SyntaxKind.SuperKeyword;
  }
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return false;
  const { thenStatement } = node;
  const only = ts.isBlock(thenStatement) && thenStatement.statements.length === 1
    ? thenStatement.statements[0]!
    : thenStatement;
  return ts.isReturnStatement(only) || ts.isContinueStatement(only) || ts.isBreakStatement(only) ||
    ts.isThrowStatement(only);
}

/** Whether a number is a bound: compared, added, subtracted, an index or an argument. */
function isBound({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return /^[<>+-]=?$/.test(parent.operatorToken.getText());
  return ts.isElementAccessExpression(parent) || ts.isCallExpression(parent);
}

function isNumber(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return isNumber(node.operand);
  return ts.isNumericLiteral(node) || ts.isBigIntLiteral(node);
}

function isBig(node: ts.Node): boolean {
  return /\d+n\b|\bBigInt\(/.test(node.getText());
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ||
    (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));
}
