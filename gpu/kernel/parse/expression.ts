/**
 * Parses the expressions of a row function.
 *
 * @module
 */

import type {
  AnyNode,
  BinaryExpression,
  CallExpression,
  Expression,
  MemberExpression,
  UnaryExpression,
} from "acorn";
import { HOST_FUNCTIONS, isHostFunction } from "../language/host_functions.ts";
import {
  bindingOf,
  constantCall,
  constantMember,
  constantValue,
  helperValue,
  memberName,
} from "./constant.ts";
import { isIntrinsic } from "../language/intrinsics.ts";
import { insteadOf, intrinsicCall } from "./intrinsic.ts";
import { asType, isLong, longOf, numberOf, type Operand, unified } from "./number.ts";
import { combined, negated } from "./operator.ts";
import { type Binding, namesOf, type ParseContext } from "./parse_context.ts";
import {
  LIST_METHODS,
  type ListMethod,
  type Method,
  type RowExpr,
  type RowType,
  VIEW_METHODS,
  type ViewMethod,
} from "./row_code.ts";

/** What errors call the constructs whose names in the grammar say little. */
const CONSTRUCTS: Readonly<Record<string, string>> = {
  ArrowFunctionExpression: "a closure",
  FunctionExpression: "a closure",
  AssignmentExpression: "an assignment inside of an expression",
  UpdateExpression: "an assignment inside of an expression",
  ArrayExpression: "an array",
  ObjectExpression: "an object",
  NewExpression: "new",
  ThisExpression: "this",
  AwaitExpression: "await",
  YieldExpression: "yield",
  ChainExpression: "optional chaining",
  SequenceExpression: "a comma",
  TemplateLiteral: "a template",
  TaggedTemplateExpression: "a template",
  ClassExpression: "a class",
  ImportExpression: "import",
  MetaProperty: "import.meta",
};

/** Parses an expression that has a value. */
export function parseExpression(context: ParseContext, node: Expression): RowExpr {
  context.weight++;
  switch (node.type) {
    case "Literal":
      return literal(context, node, node.value);
    case "TemplateLiteral":
      return node.expressions.length > 0
        ? forbidden(context, node)
        : literal(context, node, node.quasis[0]?.value.cooked ?? "");
    case "Identifier":
      return identifier(context, node, node.name);
    case "UnaryExpression":
      return unary(context, node);
    case "BinaryExpression":
      return binary(context, node);
    case "LogicalExpression":
      if (node.operator === "??") return context.fail(node, "?? cannot be used");
      return {
        op: "binary",
        type: "bool",
        fn: node.operator,
        left: condition(context, node.left),
        right: condition(context, node.right),
      };
    case "ConditionalExpression": {
      const test = condition(context, node.test);
      const sides = [
        operandOf(context, node.consequent),
        operandOf(context, node.alternate),
      ] as const;
      const [yes, no] = unified(context, node, ...sides);
      return { op: "select", type: yes.type, ...commonRoot(context, node, yes, no), test, yes, no };
    }
    case "MemberExpression":
      return parseMember(context, node);
    case "CallExpression":
      return parseMethod(context, node);
    default:
      return forbidden(context, node);
  }
}

/** Parses an expression and checks its type. */
export function typed(context: ParseContext, node: Expression, type: RowType): RowExpr {
  return asType(context, operandOf(context, node), type);
}

function operandOf(context: ParseContext, node: Expression): Operand {
  return { node, expr: parseExpression(context, node) };
}

/** Parses an expression that must be a condition. */
export function condition(context: ParseContext, node: Expression): RowExpr {
  const expr = parseExpression(context, node);
  return expr.type === "bool"
    ? expr
    : context.fail(node, `${expr.type} is not a condition; compare it with something`);
}

/** Throws the error for a construct that the language does not have. */
export function forbidden(context: ParseContext, node: AnyNode): never {
  return context.fail(node, `${CONSTRUCTS[node.type] ?? node.type} cannot be used`);
}

/** Returns the parameter that a view is a part of. */
export function rootOf(expr: RowExpr): string | undefined {
  return "root" in expr ? expr.root : undefined;
}

function commonRoot(
  context: ParseContext,
  node: Expression,
  yes: RowExpr,
  no: RowExpr,
): { root?: string } {
  if (yes.type !== "view") return {};
  const root = rootOf(yes);
  if (root === undefined || root !== rootOf(no)) {
    return context.fail(node, "both views must be parts of the same parameter");
  }
  return { root };
}

function literal(context: ParseContext, node: Expression, value: unknown): RowExpr {
  if (typeof value === "boolean") return { op: "const", type: "bool", value };
  if (typeof value === "number") return numberOf(value);
  if (typeof value === "bigint") {
    return isLong(value)
      ? longOf(value)
      : context.fail(node, "the number does not fit into 64 bits");
  }
  if (typeof value === "string") {
    const char = value.codePointAt(0);
    if (char !== undefined && value.length === String.fromCodePoint(char).length) {
      return numberOf(char);
    }
    return context.fail(node, "a text literal must be one character, which stands for its code");
  }
  if (value === null) return context.fail(node, "null can only be returned");
  return context.fail(node, `a ${typeof value} literal cannot be used`);
}

/** The numbers that have names in JavaScript. */
const NAMED_NUMBERS: Readonly<Record<string, number>> = { NaN, Infinity };

function identifier(context: ParseContext, node: Expression, name: string): RowExpr {
  const binding = context.lookup(name);
  if (binding === undefined) {
    const value = Object.hasOwn(NAMED_NUMBERS, name) ? NAMED_NUMBERS[name] : undefined;
    if (value !== undefined) return numberOf(value);
    const problem = `${name} is not a parameter or a local; give constants as consts`;
    return context.fail(node, problem);
  }
  return boundValue(context, node, binding, name);
}

/** Returns the value of a name, or of a property of the last parameter. */
function boundValue(
  context: ParseContext,
  node: Expression,
  binding: Binding,
  name: string = binding.is === "value" ? binding.name : binding.is,
): RowExpr {
  if (binding.is === "constant") return constantValue(context, node, binding);
  if (binding.is !== "value") {
    const instead = binding.is === "given" ? `; it holds ${namesOf(context.given)}` : "";
    return context.fail(node, `${name} is not a value${instead}`);
  }
  const { type, root } = binding;
  return { op: "name", type, name: binding.name, ...(root === undefined ? {} : { root }) };
}

function unary(context: ParseContext, node: UnaryExpression): RowExpr {
  const { operator, argument } = node;
  switch (operator) {
    case "!":
      if (argument.type === "Literal" && typeof argument.value === "number") {
        return { op: "const", type: "bool", value: !argument.value };
      }
      return { op: "unary", type: "bool", fn: "!", value: condition(context, argument) };
    case "-":
      if (argument.type === "Literal" && typeof argument.value === "number") {
        return numberOf(-argument.value);
      }
      return negated(context, node, operator, operandOf(context, argument));
    case "~":
      return negated(context, node, operator, operandOf(context, argument));
    default:
      return context.fail(node, `${operator} cannot be used`);
  }
}

function binary(context: ParseContext, node: BinaryExpression): RowExpr {
  const { left, right, operator } = node;
  if (left.type === "PrivateIdentifier") return forbidden(context, node);
  const operands = [operandOf(context, left), operandOf(context, right)] as const;
  return combined(context, node, operator, ...operands);
}

/** Returns the local that holds `state.name`. */
export function stateName(context: ParseContext, node: MemberExpression): string {
  const name = memberName(context, node);
  return context.state.get(name)?.name ?? context.fail(node, `state has no ${name}`);
}

/** Whether an expression is the parameter that holds the state. */
export function isState(context: ParseContext, node: AnyNode): boolean {
  return bindingOf(context, node)?.is === "state";
}

/** Parses `view.size`, `given.limit`, `table.size`. */
function parseMember(context: ParseContext, node: MemberExpression): RowExpr {
  const own = bindingOf(context, node);
  if (own !== undefined) return boundValue(context, node, own);
  const name = memberName(context, node);
  const of = bindingOf(context, node.object);
  if (of?.is === "constant" && typeof of.value !== "string") {
    return constantMember(context, node, of, name);
  }
  if (of?.is === "state") return { op: "name", type: "i32", name: stateName(context, node) };
  if (of?.is === "list") {
    if (name !== "size") return context.fail(node, `a list has no property ${name}`);
    return { op: "list", type: "i32", method: name, list: of.name };
  }
  const view = object(context, node.object);
  if ((name === "size" || name === "length") && view.type === "view") {
    return { op: "method", type: "i32", method: name, view, args: [] };
  }
  return context.fail(node, `${view.type} has no property ${name}`);
}

/** Parses `isSpace(char)`, `view.find(other, from)`, `table.at(index)`. */
function parseMethod(context: ParseContext, node: CallExpression): RowExpr {
  const { callee } = node;
  const takeArguments = (types: readonly (RowType | "sink")[]) =>
    parseArguments(context, node, types);
  const own = node.optional ? undefined : bindingOf(context, callee);
  if (own?.is === "constant" && isIntrinsic(own.value)) {
    const operands = node.arguments.map((argument) =>
      argument.type === "SpreadElement"
        ? context.fail(argument, "... cannot be used")
        : operandOf(context, argument)
    );
    return intrinsicCall(context, node, own.name, own.value.intrinsic, operands);
  }
  if (own?.is === "constant") return helperValue(context, callee, own, takeArguments);
  if (node.optional || callee.type !== "MemberExpression") {
    return context.fail(node, `only methods of the parameters can be called${insteadOf(callee)}`);
  }
  const name = memberName(context, callee);
  const of = bindingOf(context, callee.object);
  if (of?.is === "constant" && typeof of.value !== "string") {
    return constantCall(context, callee, of, name, takeArguments);
  }
  if (of?.is === "list") return listCall(context, node, of.name, name);
  if (callee.object.type === "Identifier") {
    if (of?.is === "sink") {
      return context.fail(node, `${callee.object.name}.${name} has no value; make it a statement`);
    }
    if (of === undefined) {
      return context.fail(node, `only methods of the parameters can be called${insteadOf(callee)}`);
    }
  }
  const view = object(context, callee.object);
  const method: Method | undefined = view.type === "view" && Object.hasOwn(VIEW_METHODS, name)
    ? VIEW_METHODS[name as ViewMethod]
    : undefined;
  if (method === undefined || method.takes === null) {
    return context.fail(node, `${view.type} has no method ${name}`);
  }
  const args = parseArguments(context, node, method.takes);
  if (isHostFunction(name)) context.hostOnly = HOST_FUNCTIONS[name];
  const root = method.gives === "view" ? rootOf(view) : undefined;
  return {
    op: "method",
    type: method.gives,
    ...(root === undefined ? {} : { root }),
    method: name as ViewMethod,
    view,
    args,
  };
}

/** Parses `list.at(index)`, `list.isNull(index)`. */
function listCall(
  context: ParseContext,
  node: CallExpression,
  list: string,
  name: string,
): RowExpr {
  const method: Method | undefined = Object.hasOwn(LIST_METHODS, name)
    ? LIST_METHODS[name as ListMethod]
    : undefined;
  if (method === undefined || method.takes === null) {
    return context.fail(node, `a list has no method ${name}`);
  }
  const [at] = parseArguments(context, node, method.takes);
  if (at === undefined) return forbidden(context, node);
  if (name === "at") context.readsItems = true;
  const root = method.gives === "view" ? { root: list } : {};
  return { op: "list", type: method.gives, ...root, method: name as ListMethod, list, at };
}

/** Parses the arguments of a call. */
export function parseArguments(
  context: ParseContext,
  node: CallExpression,
  types: readonly (RowType | "sink")[],
): RowExpr[] {
  if (node.arguments.length !== types.length) {
    context.fail(node, `expected ${types.length} arguments, found ${node.arguments.length}`);
  }
  return node.arguments.flatMap((argument, index): RowExpr[] => {
    if (argument.type === "SpreadElement") return context.fail(argument, "... cannot be used");
    const type = types[index] ?? "i32";
    if (type !== "sink") return [typed(context, argument, type)];
    if (bindingOf(context, argument)?.is !== "sink") {
      return context.fail(argument, "expected the sink of the function");
    }
    if (context.returns === "numbers" || context.backward) {
      return context.fail(argument, "a helper cannot write to a sink that takes items alone");
    }
    return [];
  });
}

function object(context: ParseContext, node: MemberExpression["object"]): RowExpr {
  return node.type === "Super" ? forbidden(context, node) : parseExpression(context, node);
}
