/**
 * Parses the statements of a row function.
 *
 * @module
 */

import type {
  Expression,
  ForStatement,
  ReturnStatement,
  Statement,
  VariableDeclaration,
} from "acorn";
import { hasComma, withoutComma } from "./comma.ts";
import { assignment, callStatement, update } from "./effect.ts";
import { condition, forbidden, parseExpression, rootOf, typed } from "./expression.ts";
import type { ParseContext } from "./parse_context.ts";
import type { RowResult } from "../language/row_function.ts";
import { isLiteral } from "./number.ts";
import { alwaysLeaves, type RowExpr, type RowLoop, type RowStmt } from "./row_code.ts";

/** What errors call the statements. */
const STATEMENTS: Readonly<Record<string, string>> = {
  LabeledStatement: "a label",
  SwitchStatement: "switch",
  DoWhileStatement: "do ... while",
  ForInStatement: "for ... in",
  ForOfStatement: "for ... of",
  ThrowStatement: "throw",
  TryStatement: "try",
  FunctionDeclaration: "a closure",
  ClassDeclaration: "a class",
  WithStatement: "with",
  DebuggerStatement: "debugger",
};

/** Parses statements in a scope of their own, and drops those that can never be reached. */
export function parseStatements(
  context: ParseContext,
  nodes: readonly Statement[],
): RowStmt[] {
  return context.scoped(() => {
    const statements: RowStmt[] = [];
    for (const node of nodes) {
      const parsed = parseStatement(context, node);
      if (!alwaysLeaves(statements)) statements.push(...parsed);
    }
    return statements;
  });
}

function parseStatement(context: ParseContext, node: Statement): RowStmt[] {
  context.weight++;
  switch (node.type) {
    case "BlockStatement":
      return parseStatements(context, node.body);
    case "EmptyStatement":
      return [];
    case "VariableDeclaration":
      return declaration(context, node);
    case "ExpressionStatement":
      return effect(context, node.expression);
    case "IfStatement":
      return branch(
        context,
        node.test,
        () => parseStatements(context, [node.consequent]),
        () => node.alternate ? parseStatements(context, [node.alternate]) : [],
      );
    case "WhileStatement":
      return [{ do: "loop", init: [], update: [], ...round(context, node.test, node.body) }];
    case "ForStatement":
      return forLoop(context, node);
    case "BreakStatement":
    case "ContinueStatement":
      if (node.label) return context.fail(node, "a label cannot be used");
      return [{ do: node.type === "BreakStatement" ? "break" : "continue" }];
    case "ReturnStatement": {
      const { argument } = node;
      return argument ? returned(context, argument) : plainReturn(context, node);
    }
    default:
      return context.fail(node, `${STATEMENTS[node.type] ?? node.type} cannot be used`);
  }
}

function declaration(context: ParseContext, node: VariableDeclaration): RowStmt[] {
  if (node.kind !== "let" && node.kind !== "const") {
    return context.fail(node, `${node.kind} cannot be used; use let or const`);
  }
  return node.declarations.flatMap((declarator): RowStmt[] => {
    if (declarator.id.type !== "Identifier") {
      return context.fail(declarator, "destructuring cannot be used");
    }
    if (!declarator.init) {
      return context.fail(declarator, `${declarator.id.name} needs an initialiser`);
    }
    const { before, value: init } = withoutComma(declarator.init);
    const statements = effects(context, before);
    const name = context.unique(declarator.id.name);
    const value = initial(context, init, name);
    const root = rootOf(value);
    context.bind(declarator.id.name, {
      is: "value",
      type: value.type,
      name,
      ...(root === undefined ? {} : { root }),
      constant: node.kind === "const",
    });
    return [...statements, { do: "let", name, value }];
  });
}

/** Parses the value that a local starts with. */
function initial(context: ParseContext, node: Expression, name: string): RowExpr {
  if (context.floats.has(name)) return typed(context, node, "f64");
  const value = parseExpression(context, node);
  if (isLiteral(value)) context.adaptable.add(name);
  return value;
}

function forLoop(context: ParseContext, node: ForStatement): RowStmt[] {
  return context.scoped((): RowStmt[] => {
    const { init } = node;
    return [{
      do: "loop",
      init: init == null
        ? []
        : init.type === "VariableDeclaration"
        ? declaration(context, init)
        : effect(context, init),
      update: node.update ? effect(context, node.update) : [],
      ...round(context, node.test ?? null, node.body),
    }];
  });
}

/**
 * Parses the test and the body of a loop. A test with commas becomes the first statements of the
 * body.
 */
function round(
  context: ParseContext,
  test: Expression | null,
  node: Statement,
): Pick<RowLoop, "test" | "body"> {
  const always = { op: "const", type: "bool", value: true } as const;
  if (test === null) return { test: always, body: parseStatements(context, [node]) };
  if (!hasComma(test)) {
    return { test: condition(context, test), body: parseStatements(context, [node]) };
  }
  const leaving = branch(context, test, () => [], () => [{ do: "break" }]);
  return { test: always, body: [...leaving, ...parseStatements(context, [node])] };
}

/** Parses expressions for their effects, in order. */
function effects(context: ParseContext, nodes: readonly Expression[]): RowStmt[] {
  return nodes.flatMap((node) => effect(context, node));
}

/**
 * Parses an expression for its effects. Minifiers write statements as `a && b`, `a ? b : c`,
 * `a, b`.
 */
function effect(context: ParseContext, node: Expression): RowStmt[] {
  context.weight++;
  switch (node.type) {
    case "SequenceExpression":
      return effects(context, node.expressions);
    case "LogicalExpression": {
      if (node.operator === "??") return context.fail(node, "?? cannot be used");
      const then = () => effect(context, node.right);
      return node.operator === "&&"
        ? branch(context, node.left, then, () => [])
        : branch(context, node.left, () => [], then);
    }
    case "ConditionalExpression":
      return branch(
        context,
        node.test,
        () => effect(context, node.consequent),
        () => effect(context, node.alternate),
      );
    case "AssignmentExpression": {
      const { before, value } = withoutComma(node.right);
      return [...effects(context, before), assignment(context, node, value)];
    }
    case "UpdateExpression":
      return [update(context, node)];
    case "CallExpression":
      return [callStatement(context, node)];
    case "UnaryExpression":
      if (node.operator === "void") {
        return node.argument.type === "Literal" ? [] : effect(context, node.argument);
      }
      return context.fail(node, "the statement has no effect");
    default:
      return forbiddenEffect(context, node);
  }
}

function forbiddenEffect(context: ParseContext, node: Expression): never {
  const isValue = node.type === "Literal" || node.type === "Identifier" ||
    node.type === "BinaryExpression" || node.type === "MemberExpression";
  return isValue ? context.fail(node, "the statement has no effect") : forbidden(context, node);
}

function plainReturn(context: ParseContext, node: ReturnStatement): RowStmt[] {
  if (!context.writes) return context.fail(node, "return needs a value");
  return [{ do: "return" }];
}

/**
 * Parses a branch whose test may contain commas anywhere: minifiers write
 * `if (a < 0 || (b = c + 1, b > 9)) return null`. What is evaluated on the way becomes statements,
 * and a side that can be reached in two ways is repeated.
 */
function branch(
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

/** Parses `return node`, or an arrow function whose body is `node`. */
export function returned(context: ParseContext, node: Expression): RowStmt[] {
  const { before, value } = withoutComma(node);
  const first = effects(context, before);
  if (value.type === "Literal" && value.value === null) {
    if (context.kind === "map" || context.isHelper) {
      return context.fail(node, `a ${context.isHelper ? "helper" : "map"} cannot return null`);
    }
    context.returnsNull = true;
    return [...first, { do: "returnNull" }];
  }
  const { writes } = context;
  if (
    value.type === "ConditionalExpression" &&
    (writes || context.kind === "view" || hasHalves(context.returns) || hasNull(value))
  ) {
    return [
      ...first,
      ...branch(
        context,
        value.test,
        () => returned(context, value.consequent),
        () => returned(context, value.alternate),
      ),
    ];
  }
  if (writes) {
    if (!isEffect(value)) {
      const what = context.isHelper
        ? "a helper that takes a sink"
        : `a row of kind ${context.kind}`;
      return context.fail(node, `${what} returns nothing`);
    }
    return [...first, ...effect(context, value), { do: "return" }];
  }
  const { returns } = context;
  if (hasHalves(returns)) return [...first, halves(context, value)];
  // A function that returns a list writes it, and has been dealt with above.
  const type = returns === "string" || returns === "list" || returns === "numbers"
    ? "view"
    : returns === "u64"
    ? "i64"
    : returns;
  const result = typed(context, value, type);
  if (type === "view" && rootOf(result) !== context.subject) {
    return context.fail(node, "a view must return a part of its text");
  }
  return [...first, { do: "return", value: result }];
}

/** Whether a result is returned in two halves. */
function hasHalves(returns: RowResult): returns is "words" | "i128" {
  return returns === "words" || returns === "i128";
}

/** Parses `return [low, high]`. */
function halves(context: ParseContext, node: Expression): RowStmt {
  const items = node.type === "ArrayExpression" ? node.elements : [];
  const [low, high] = items;
  if (
    items.length !== 2 || !low || !high || low.type === "SpreadElement" ||
    high.type === "SpreadElement"
  ) {
    return context.fail(
      node,
      `${context.returns === "i128" ? "an i128 is" : "words are"} returned as [low, high]`,
    );
  }
  const type = context.returns === "i128" ? "i64" : "i32";
  return { do: "return", value: typed(context, low, type), high: typed(context, high, type) };
}

function hasNull(node: Expression): boolean {
  switch (node.type) {
    case "Literal":
      return node.value === null;
    case "ConditionalExpression":
      return hasNull(node.consequent) || hasNull(node.alternate);
    case "SequenceExpression":
      return true;
    default:
      return false;
  }
}

function isEffect(node: Expression): boolean {
  return (node.type === "UnaryExpression" && node.operator === "void") ||
    node.type === "CallExpression" || node.type === "AssignmentExpression" ||
    node.type === "LogicalExpression" || node.type === "UpdateExpression";
}
