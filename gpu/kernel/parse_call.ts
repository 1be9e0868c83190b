import type { CallExpression, MemberExpression } from "acorn";
import { constantStatement, memberName } from "./parse_constant.ts";
import type { ParseContext } from "./parse_context.ts";
import { forbidden, parseExpression } from "./parse_expression.ts";
import { FLOATS, parseArguments } from "./parse_method.ts";
import type { RowStmt, RowType } from "./row_code.ts";

/** Why an operation that writes them runs on the host. */
const NORMAL_FORMS = "it writes a normal form of Unicode";

/** A call for what it does: `out.put(char)`, `c.registers.set(i, value)`. */
export function callStatement(context: ParseContext, node: CallExpression): RowStmt[] {
  const { callee } = node;
  const isSink = callee.type === "MemberExpression" && callee.object.type === "Identifier" &&
    context.lookup(callee.object.name)?.is === "sink";
  if (!isSink) {
    const stored = callee.type === "MemberExpression" ? storingCall(context, node, callee) : null;
    if (stored !== null) return [stored];
    parseExpression(context, node);
    return context.fail(node, "the statement has no effect");
  }
  const method = memberName(context, callee);
  if (method === "end") return [end(context, node)];
  const takes = Object.hasOwn(SINK_METHODS, method) ? SINK_METHODS[method] : undefined;
  if (takes === undefined || (LIST_ONLY.has(method) && context.kind !== "list")) {
    return context.fail(node, `a sink has no method ${method}`);
  }
  context.sinkSites++;
  const [argument, count] = parseArguments(context, node, takes);
  if (method === "endItem") return [{ do: "endItem" }];
  if (argument === undefined) return forbidden(context, node);
  switch (method) {
    case "copy":
      return [{ do: "copy", view: argument }];
    case "item":
      return [{ do: "copy", view: argument }, { do: "endItem" }];
    case "repeat":
      return [{ do: "repeat", view: argument, count: count ?? forbidden(context, node) }];
    case "copyNormal":
      context.hostOnly = NORMAL_FORMS;
      return [{ do: "copyNormal", view: argument, form: count ?? forbidden(context, node) }];
    case "putFloat":
      context.hostOnly = FLOATS;
      return [{ do: "putFloat", value: argument }];
    default:
      return [{ do: "put", char: argument }];
  }
}

function end(context: ParseContext, node: CallExpression): RowStmt {
  if (context.state.size === 0) return context.fail(node, "only a map with state can end");
  parseArguments(context, node, []);
  context.canEnd = true;
  return { do: "end" };
}

/** What the methods of a sink take. */
const SINK_METHODS: Readonly<Record<string, readonly RowType[]>> = {
  put: ["i32"],
  copy: ["view"],
  repeat: ["view", "i32"],
  copyNormal: ["view", "i32"],
  putFloat: ["f64"],
  item: ["view"],
  endItem: [],
};

/** The methods that only the sink of a list has. */
const LIST_ONLY = new Set(["item", "endItem"]);

function storingCall(
  context: ParseContext,
  node: CallExpression,
  callee: MemberExpression,
): RowStmt | null {
  if (callee.property.type !== "Identifier" || callee.computed) return null;
  const takeArguments = (types: readonly RowType[]) => parseArguments(context, node, types);
  return constantStatement(context, callee, callee.property.name, takeArguments);
}
