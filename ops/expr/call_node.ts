/**
 * Calls of string operations: checked when they are written, resolved to a row function when they
 * are compiled.
 *
 * @module
 */

import type { CallArgs, ResolvedCall, StringOp, StringOpParameter } from "../define_string_op.ts";
import type { CallNode, ExprNode } from "./node.ts";

/**
 * A call of `op` on `text`. A null literal for an argument that may be left out leaves it out.
 *
 * Throws a TypeError for a wrong number of arguments or a literal of a wrong type, and a RangeError
 * for a literal that the operation refuses.
 */
export function callNode(
  op: StringOp,
  text: ExprNode,
  given: readonly ExprNode[],
): CallNode {
  const { parameters, spec } = op;
  if (given.length > parameters.length) {
    throw new TypeError(`${signatureOf(op)} takes ${mostArguments(parameters.length)}`);
  }
  const args = parameters.map((parameter, index) => {
    const arg = given[index];
    const absent = arg === undefined || (parameter.optional && isNullLiteral(arg));
    if (!absent) {
      checkLiteral(op, parameter, arg);
      return arg;
    }
    if (!parameter.optional) throw new TypeError(`${signatureOf(op)} needs ${parameter.name}`);
  });
  while (args.length > 0 && args.at(-1) === undefined) args.pop();
  const problem = spec.check?.(argsByName(op, args));
  if (problem !== undefined) throw new RangeError(`${spec.name}(): ${problem}`);
  return Object.freeze({ node: "call", op, text, args: Object.freeze(args) });
}

/** The row function that computes a call, and its arguments with the defaults filled in. */
export function resolveCall({ op, args }: CallNode): ResolvedCall {
  const byName = argsByName(op, args);
  const key = "overloads" in op.spec ? op.spec.choose(byName) : "row";
  const fn = op.rowFunction(key);
  const defaults = op.overloads[key]?.defaults ?? {};
  const nodes = new Map(op.parameters.map(({ name }, index) => [name, args[index]]));
  return {
    fn,
    args: fn.args.map(({ name }) => {
      const arg = nodes.get(name) ?? defaults[name];
      if (arg === undefined) throw new TypeError(`${op.spec.name}() has no default for ${name}`);
      return arg;
    }),
  };
}

/** How an operation is called: `slice(start, stop?, step?)`. */
export function signatureOf(op: StringOp): string {
  const parameters = op.parameters.map(({ name, optional }) => optional ? `${name}?` : name);
  return `${op.spec.name}(${parameters.join(", ")})`;
}

function argsByName(op: StringOp, args: CallNode["args"]): CallArgs {
  return Object.fromEntries(op.parameters.map(({ name }, index) => {
    const arg = args[index];
    return [name, arg?.node === "literal" ? arg.value : arg];
  }));
}

function isNullLiteral(node: ExprNode): boolean {
  return node.node === "literal" && node.value === null;
}

function checkLiteral(op: StringOp, { name, type }: StringOpParameter, arg: ExprNode): void {
  if (arg.node !== "literal" || arg.value === null) return;
  const { value } = arg;
  if (type === "i32") {
    if (typeof value !== "bigint" && !Number.isInteger(value)) {
      throw new TypeError(`${signatureOf(op)}: ${name} must be a whole number`);
    }
    if (Number(value) !== (Number(value) | 0)) {
      throw new RangeError(`${signatureOf(op)}: ${name} must fit in 32 bits, ${value} does not`);
    }
    return;
  }
  if (type === "string" && typeof value !== "string") {
    throw new TypeError(`${signatureOf(op)}: ${name} must be text`);
  }
  if (type === "bool" && typeof value !== "boolean") {
    throw new TypeError(`${signatureOf(op)}: ${name} must be true or false`);
  }
}

function mostArguments(count: number): string {
  if (count === 0) return "no arguments";
  return count === 1 ? "no more than 1 argument" : `no more than ${count} arguments`;
}
