/**
 * Calls of string operations. They are checked when they are written, and resolved to a row function
 * when they are compiled.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { RowFunction } from "../../gpu/kernel/language/row_function.ts";
import { didYouMean } from "../../base/nearest_name.ts";
import type { CallArgs, StringOpParameter } from "./overload.ts";
import type { CallNode, ExprNode, NumberKey, StringOp } from "./node.ts";
import { dataNode, isRegexData, type Literal, type LiteralData, literalNode } from "./literal.ts";
import { receiverOf } from "./receiver.ts";
import { zoneNameOf } from "./time_zone.ts";

/** Arguments by name, from an object at the end of a call. */
export interface NamedArgs {
  /** The arguments, by the name of the parameter. */
  readonly named: Readonly<Record<string, ExprNode>>;
}

/** The row function that computes one call, and its arguments in order. */
interface ResolvedCall {
  /** The row function. */
  readonly fn: RowFunction;
  /** Its arguments in order; a default is a plain value. */
  readonly args: readonly (ExprNode | string | number | boolean)[];
  /** The Arrow type of a measure, or of the items of a list, where the operation names it. */
  readonly gives?: DataType;
  /** The message for a null in a strict call, with marks for the call and its operands. */
  readonly refusal?: string;
}

/**
 * Returns a call of `op` on `text`. A null literal leaves out an optional argument; named arguments
 * may come last.
 *
 * Throws a TypeError for a wrong number of arguments or a literal of a wrong type, and a RangeError
 * for a literal that the operation refuses.
 */
export function callNode(
  op: StringOp,
  text: ExprNode,
  given: readonly (ExprNode | NamedArgs | undefined)[],
): CallNode {
  const { parameters, spec } = op;
  const positional = inOrder(op, given);
  if (positional.length > parameters.length) {
    throw new TypeError(`${signatureOf(op)} takes ${mostArguments(parameters.length)}`);
  }
  const args = parameters.map((parameter, index) => {
    const arg = positional[index];
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

/**
 * Returns the row function that computes a call on values of a type, and its arguments with defaults
 * filled in; undefined if that type has no row function. `number` is the key of an overload that is
 * chosen already. Throws a RangeError for a time zone that the row function does not support.
 */
export function resolveCall(
  { op, args, part }: CallNode,
  on: DataType,
  number?: NumberKey,
): ResolvedCall | undefined {
  const byName = argsByName(op, args);
  const chosen = "overloads" in op.spec ? op.spec.choose?.(byName, receiverOf(on), on) : "row";
  const key = part ?? number ?? chosen;
  if (key === undefined) return undefined;
  const fn = op.rowFunction(key, byName, zoneNameOf(on));
  const { defaults = {}, gives, refusal } = op.overloads[key] ?? {};
  const nodes = new Map(op.parameters.map(({ name }, index) => [name, args[index]]));
  return {
    fn,
    ...(gives === undefined
      ? {}
      : { gives: typeof gives === "function" ? gives(on, byName) : gives }),
    ...(refusal === undefined ? {} : { refusal: refusal("$0", "$1", "$2", "$3") }),
    args: fn.args.map(({ name }) => {
      const arg = nodes.get(name) ?? defaults[name];
      if (arg === undefined) throw new TypeError(`${op.spec.name}() has no default for ${name}`);
      return arg;
    }),
  };
}

/** Returns the signature of an operation: `slice(start, stop?, step?)`. */
export function signatureOf(op: StringOp): string {
  const parameters = op.parameters.map(({ name, optional }) => optional ? `${name}?` : name);
  return `${op.spec.name}(${parameters.join(", ")})`;
}

/** Returns the arguments of a call by name, for the hooks of its operation. */
export function argsByName(op: StringOp, args: CallNode["args"]): CallArgs {
  return Object.fromEntries(op.parameters.map(({ name }, index) => {
    const arg = args[index];
    return [name, arg?.node === "literal" || arg?.node === "data" ? arg.value : arg];
  }));
}

/** Returns an argument of a call as a node; undefined if it is absent. */
export function argumentNode(arg: CallArgs[string]): ExprNode | undefined {
  if (typeof arg !== "object" || arg === null) {
    return arg === undefined ? undefined : literalNode(arg as Literal);
  }
  return "node" in arg ? arg as ExprNode : undefined;
}

function isNullLiteral(node: ExprNode): boolean {
  return node.node === "literal" && node.value === null;
}

/** Orders arguments by position. An object is data for a required literal parameter, else options. */
function inOrder(
  op: StringOp,
  given: readonly (ExprNode | NamedArgs | undefined)[],
): (ExprNode | undefined)[] {
  const ordered: (ExprNode | undefined)[] = [];
  for (const [index, arg] of given.entries()) {
    const parameter = op.parameters[index];
    if (arg === undefined || !("named" in arg)) ordered.push(arg);
    else if (parameter?.type === "literal" && !parameter.optional) {
      ordered.push(dataNode(dataOf(op, arg)));
    } else if (index === given.length - 1) placeNamed(op, arg, ordered);
    else throw new TypeError(`${signatureOf(op)}: options come last`);
  }
  return ordered;
}

function placeNamed(op: StringOp, { named }: NamedArgs, ordered: (ExprNode | undefined)[]): void {
  const names = op.parameters.map(({ name }) => name);
  for (const [name, arg] of Object.entries(named)) {
    const index = names.indexOf(name);
    if (index < 0) {
      throw new TypeError(`${signatureOf(op)} has no option ${name}${didYouMean(name, names)}`);
    }
    if (ordered[index] !== undefined) {
      throw new TypeError(`${signatureOf(op)}: ${name} is given twice`);
    }
    ordered[index] = arg;
  }
  for (let index = 0; index < ordered.length; index++) ordered[index] ??= undefined;
}

function dataOf(op: StringOp, { named }: NamedArgs): LiteralData {
  return Object.fromEntries(
    Object.entries(named).map(([name, arg]) => {
      if (arg.node === "literal" || arg.node === "data") return [name, arg.value];
      throw new TypeError(`${signatureOf(op)}: ${name} must be a literal`);
    }),
  );
}

/** The operations for which there is one with a pattern, whose name ends in Re. */
const WITH_PATTERN = new Set(["contains", "count", "find", "replace", "split"]);

function checkLiteral(op: StringOp, { name, type }: StringOpParameter, arg: ExprNode): void {
  if (type === "any") return;
  if (type === "literal") {
    if (arg.node === "literal" || arg.node === "data") return;
    const isWord = arg.node === "column" && op.spec.accepts?.[name] === "string";
    const hint = isWord ? `; write it in quotes: ${JSON.stringify(arg.name)}` : "";
    throw new TypeError(`${signatureOf(op)}: ${name} must be a literal${hint}`);
  }
  if (arg.node === "data") {
    const isPattern = isRegexData(arg.value);
    const hint = isPattern && WITH_PATTERN.has(op.spec.name)
      ? `; ${op.spec.name}Re() takes one`
      : "";
    throw new TypeError(
      `${signatureOf(op)}: ${name} cannot be ${isPattern ? "a pattern" : "a list"}${hint}`,
    );
  }
  if (arg.node !== "literal" || arg.value === null || type === "same") return;
  const { value } = arg;
  if (type === "i32") {
    if (typeof value !== "bigint" && !Number.isInteger(value)) {
      throw new TypeError(`${signatureOf(op)}: ${name} must be a whole number`);
    }
    if (Number(value) !== (Number(value) | 0)) {
      throw new RangeError(
        `${signatureOf(op)}: ${name} must fit in 32 bits, but ${value} does not`,
      );
    }
    return;
  }
  if (type === "i64" || type === "u64") {
    if (typeof value === "bigint" || Number.isInteger(value)) return;
    throw new TypeError(`${signatureOf(op)}: ${name} must be a whole number`);
  }
  if (type === "f64" && typeof value !== "number" && typeof value !== "bigint") {
    throw new TypeError(`${signatureOf(op)}: ${name} must be a number`);
  }
  // Whether a value is one of the items of a list shows where the list is bound.
  const isItem = op.spec.accepts?.[name] === "value";
  if (type === "string" && typeof value !== "string" && !isItem) {
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
