import type { CallExpression, MemberExpression } from "acorn";
import { constantStatement, memberName } from "./parse_constant.ts";
import type { ParseContext } from "./parse_context.ts";
import { forbidden, parseArguments, parseExpression } from "./parse_expression.ts";
import type { RowStmt, RowType } from "./row_code.ts";

/** A call for what it does: `out.put(char)`, `c.registers.set(i, value)`. */
export function callStatement(context: ParseContext, node: CallExpression): RowStmt {
  const { callee } = node;
  const isSink = callee.type === "MemberExpression" && callee.object.type === "Identifier" &&
    context.lookup(callee.object.name)?.is === "sink";
  if (!isSink) {
    const stored = callee.type === "MemberExpression" ? storingCall(context, node, callee) : null;
    if (stored !== null) return stored;
    parseExpression(context, node);
    return context.fail(node, "the statement has no effect");
  }
  const method = memberName(context, callee);
  if (method !== "put" && method !== "copy" && method !== "repeat") {
    return context.fail(node, `a sink has no method ${method}`);
  }
  context.sinkSites++;
  if (method === "repeat") {
    const [view, count] = parseArguments(context, node, ["view", "i32"]);
    if (view === undefined || count === undefined) return forbidden(context, node);
    return { do: "repeat", view, count };
  }
  const [argument] = parseArguments(context, node, [method === "put" ? "i32" : "view"]);
  if (argument === undefined) return forbidden(context, node);
  return method === "put" ? { do: "put", char: argument } : { do: "copy", view: argument };
}

function storingCall(
  context: ParseContext,
  node: CallExpression,
  callee: MemberExpression,
): RowStmt | null {
  if (callee.property.type !== "Identifier" || callee.computed) return null;
  const takeArguments = (types: readonly RowType[]) => parseArguments(context, node, types);
  return constantStatement(context, callee, callee.property.name, takeArguments);
}
