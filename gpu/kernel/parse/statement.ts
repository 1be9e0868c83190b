import type {
  AssignmentExpression,
  Expression,
  ForStatement,
  Pattern,
  ReturnStatement,
  Statement,
  VariableDeclaration,
} from "acorn";
import type { BinaryFn } from "../ir/ir.ts";
import { branch, hasComma } from "./branch.ts";
import { callStatement } from "./call.ts";
import type { Binding, ParseContext } from "./parse_context.ts";
import {
  condition,
  forbidden,
  isState,
  parseExpression,
  rootOf,
  stateName,
  typed,
} from "./expression.ts";
import { returned } from "./return.ts";
import { alwaysLeaves, type RowExpr, type RowLoop, type RowStmt } from "./row_code.ts";
import { withoutComma } from "./without_comma.ts";

/** What a statement is called in an error. */
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

/** Parses statements in a scope of their own; what can never be reached is dropped. */
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
    const value = parseExpression(context, init);
    const name = context.unique(declarator.id.name);
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

/** The test and the body of a loop; a test with commas becomes the first statements of the body. */
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

/** Expressions for what they do, one after the other. */
export function effects(context: ParseContext, nodes: readonly Expression[]): RowStmt[] {
  return nodes.flatMap((node) => effect(context, node));
}

/** An expression for what it does. Minifiers write statements as `a && b`, `a ? b : c`, `a, b`. */
/** The statements of an expression that is one. */
export function effect(context: ParseContext, node: Expression): RowStmt[] {
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
    case "AssignmentExpression":
      return assignment(context, node);
    case "UpdateExpression": {
      const target = assignable(context, node.argument);
      if (target.type !== "i32") return context.fail(node, `expected i32, found ${target.type}`);
      return [
        set(target, node.operator === "++" ? "+" : "-", { op: "const", type: "i32", value: 1 }),
      ];
    }
    case "CallExpression":
      return callStatement(context, node);
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

function assignment(context: ParseContext, node: AssignmentExpression): RowStmt[] {
  const target = assignable(context, node.left);
  const { before, value } = withoutComma(node.right);
  const first = effects(context, before);
  if (node.operator === "=") {
    const right = typed(context, value, target.type);
    if (right.type === "view" && rootOf(right) !== target.root) {
      return context.fail(node, "a view can only become another part of the same parameter");
    }
    return [...first, { do: "set", name: target.name, value: right }];
  }
  const fn = node.operator.slice(0, -1);
  if (target.type !== "i32" || fn === "**" || fn === "&&" || fn === "||" || fn === "??") {
    return context.fail(node, `${node.operator} cannot be used on ${target.type}`);
  }
  return [...first, set(target, fn as BinaryFn, typed(context, value, "i32"))];
}

type Variable = Extract<Binding, { is: "value" }>;

function set({ name, type }: Variable, fn: BinaryFn, right: RowExpr): RowStmt {
  const left: RowExpr = { op: "name", type, name };
  return { do: "set", name, value: { op: "binary", type: "i32", fn, left, right } };
}

function assignable(context: ParseContext, node: Pattern | Expression): Variable {
  if (node.type === "MemberExpression" && isState(context, node.object)) {
    return { is: "value", type: "i32", name: stateName(context, node), constant: false };
  }
  if (node.type !== "Identifier") return context.fail(node, "only a local can be assigned");
  const binding = context.lookup(node.name);
  if (binding?.is !== "value") return context.fail(node, `${node.name} is not a local`);
  if (binding.constant) return context.fail(node, `${node.name} is a constant`);
  return binding;
}

function plainReturn(context: ParseContext, node: ReturnStatement): RowStmt[] {
  if (!context.writes) return context.fail(node, "return needs a value");
  return [{ do: "return" }];
}
