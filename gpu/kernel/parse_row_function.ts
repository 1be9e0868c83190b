import { KernelError } from "../errors.ts";
import { ParseContext } from "./parse_context.ts";
import { parseStatements, returned } from "./parse_statement.ts";
import { alwaysLeaves, type RowBody } from "./row_code.ts";
import type { RowFunction, RowFunctionSpec } from "./row_function.ts";
import { RowSource } from "./row_source.ts";

/**
 * Parses and checks a row function from its own source. Every construct that the language does not
 * have is a `KernelError` that names the operation, the construct and its place.
 */
export function parseRowFunction(spec: RowFunctionSpec): RowFunction {
  const source = new RowSource(spec.name, spec.row);
  const { node } = source;
  const args = Object.entries(spec.args ?? {}).map(([name, type]) => ({ name, type }));
  const consts = copyConsts(spec);
  if (spec.returns !== undefined && spec.kind !== "measure") {
    throw new KernelError(`${spec.name}: only a measure declares what it returns`);
  }
  const returns = spec.kind === "measure" ? spec.returns ?? "i32" : "string";
  if (node.async || node.generator) source.fail(node, "row must be a plain function");

  const context = new ParseContext(source, spec.kind, returns, consts);
  const { subject, params } = bindParameters(context, args, spec.consts !== undefined);
  const statements = node.body.type === "BlockStatement"
    ? parseStatements(context, node.body.body)
    : returned(context, node.body);
  if ((spec.kind === "view" || spec.kind === "measure") && !alwaysLeaves(statements)) {
    source.fail({ start: node.end - 1, end: node.end }, "row must return a value on every path");
  }
  const { weight, sinkSites, returnsNull } = context;
  const body: RowBody = { subject, params, statements, weight, sinkSites };
  return Object.freeze({
    name: spec.name,
    kind: spec.kind,
    args,
    returns,
    consts,
    returnsNull,
    source: source.text,
    body,
  });
}

function copyConsts(spec: RowFunctionSpec): Record<string, number | Int32Array> {
  const consts: Record<string, number | Int32Array> = {};
  for (const [name, value] of Object.entries(spec.consts ?? {})) {
    const isInteger = typeof value === "number" && (value | 0) === value;
    if (!isInteger && !(value instanceof Int32Array)) {
      throw new KernelError(
        `${spec.name}: the constant ${name} must be a 32-bit integer or an Int32Array`,
      );
    }
    consts[name] = value instanceof Int32Array ? value.slice() : value;
  }
  return consts;
}

/** Gives the parameters their roles, which follow from the kind and the position. */
function bindParameters(
  context: ParseContext,
  args: RowFunction["args"],
  hasConsts: boolean,
): Pick<RowBody, "subject" | "params"> {
  const { node } = context.source;
  const writes = context.kind === "map" || context.kind === "emit";
  const roles = [
    ...(writes ? ["sink"] : []),
    "subject",
    ...args.map(({ type }) => type),
    ...(hasConsts ? ["consts"] : []),
  ];
  const params: string[] = [];
  node.params.forEach((parameter, index) => {
    if (parameter.type === "AssignmentPattern") {
      context.fail(parameter, "a default value cannot be used");
    }
    if (parameter.type !== "Identifier") {
      context.fail(parameter, "a parameter must be a plain name");
    }
    const role = roles[index];
    if (role === undefined) {
      context.fail(parameter, "row has more parameters than the operation gives");
    }
    if (role === "sink" || role === "consts") return context.bind(parameter.name, { is: role });
    const name = context.unique(parameter.name);
    const isChar = role === "subject" && context.kind === "map";
    const type = isChar || role === "i32" ? "i32" : role === "bool" ? "bool" : "view";
    context.bind(parameter.name, {
      is: "value",
      type,
      name,
      ...(type === "view" ? { root: name } : {}),
      constant: false,
    });
    if (role === "subject") context.subject = name;
    else params.push(name);
  });
  return { subject: context.subject, params };
}
