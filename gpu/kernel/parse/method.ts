import { HOST_FUNCTIONS, isHostFunction } from "../language/host_functions.ts";
import type { CallExpression, MemberExpression } from "acorn";
import { bindingOf, constantCall, constantMember, helperValue, memberName } from "./constant.ts";
import type { ParseContext } from "./parse_context.ts";
import { boundValue, forbidden, parseExpression, rootOf, stateName, typed } from "./expression.ts";
import type { ListMethod, RowExpr, RowType, ViewMethod } from "./row_code.ts";

/** Parameters and result of the methods of a view; properties have no parameters. */
const VIEW_METHODS: Readonly<
  Record<ViewMethod, { takes: readonly RowType[] | null; gives: RowType }>
> = {
  size: { takes: null, gives: "i32" },
  length: { takes: null, gives: "i32" },
  byteAt: { takes: ["i32"], gives: "i32" },
  charAt: { takes: ["i32"], gives: "i32" },
  next: { takes: ["i32"], gives: "i32" },
  prev: { takes: ["i32"], gives: "i32" },
  advance: { takes: ["i32", "i32"], gives: "i32" },
  sub: { takes: ["i32", "i32"], gives: "view" },
  find: { takes: ["view", "i32"], gives: "i32" },
  rfind: { takes: ["view"], gives: "i32" },
  equals: { takes: ["view"], gives: "bool" },
  compare: { takes: ["view"], gives: "i32" },
  has: { takes: ["i32"], gives: "bool" },
  toFloat: { takes: [], gives: "f64" },
};

/** Parameters and result of the methods of a list. */
const LIST_METHODS: Readonly<
  Record<ListMethod, { takes: readonly RowType[] | null; gives: RowType }>
> = {
  size: { takes: null, gives: "i32" },
  at: { takes: ["i32"], gives: "view" },
  isNull: { takes: ["i32"], gives: "bool" },
};

/** `view.size`, `given.limit`, `table.size`. */
export function parseMember(context: ParseContext, node: MemberExpression): RowExpr {
  const own = bindingOf(context, node);
  if (own !== undefined) return boundValue(context, node, own);
  const name = memberName(context, node);
  const of = bindingOf(context, node.object);
  if (of?.is === "constant") return constantMember(context, node, of, name);
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

/** `isSpace(char)`, `view.find(other, from)`, `table.at(index)`. */
export function parseMethod(context: ParseContext, node: CallExpression): RowExpr {
  const { callee } = node;
  const takeArguments = (types: readonly (RowType | "sink")[]) =>
    parseArguments(context, node, types);
  const own = node.optional ? undefined : bindingOf(context, callee);
  if (own?.is === "constant") return helperValue(context, callee, own, takeArguments);
  if (node.optional || callee.type !== "MemberExpression") {
    return context.fail(node, "only methods of the parameters can be called");
  }
  const name = memberName(context, callee);
  const of = bindingOf(context, callee.object);
  if (of?.is === "constant") return constantCall(context, callee, of, name, takeArguments);
  if (of?.is === "list") return listCall(context, node, of.name, name);
  if (callee.object.type === "Identifier") {
    if (of?.is === "sink") {
      return context.fail(node, `${callee.object.name}.${name} has no value; make it a statement`);
    }
    if (of === undefined) {
      return context.fail(node, "only methods of the parameters can be called");
    }
  }
  const view = object(context, callee.object);
  const method = view.type === "view" && Object.hasOwn(VIEW_METHODS, name)
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

/** `list.at(index)`, `list.isNull(index)`. */
function listCall(
  context: ParseContext,
  node: CallExpression,
  list: string,
  name: string,
): RowExpr {
  const method = Object.hasOwn(LIST_METHODS, name) ? LIST_METHODS[name as ListMethod] : undefined;
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
