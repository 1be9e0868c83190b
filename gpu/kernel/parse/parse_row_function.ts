/**
 * Parses row functions and helpers from their own source, which `toString()` returns.
 *
 * @module
 */

import type { ObjectPattern } from "acorn";
import { KernelError } from "../../../base/errors/expr_error.ts";
import { joinReturns } from "./join_returns.ts";
import { type Binding, namesOf, ParseContext } from "./parse_context.ts";
import { parseStatements, returned } from "./statement.ts";
import { alwaysLeaves, type RowBody, type RowStmt, type RowType, typeInside } from "./row_code.ts";
import {
  type AnyHelper,
  type HelperSpec,
  isHelper,
  type ParsedConst,
  resultOf,
  type RowFunction,
  type RowFunctionSpec,
} from "../language/row_function.ts";
import { RowSource } from "./row_source.ts";
import { isIntrinsic } from "../language/intrinsics.ts";
import { isScratch } from "../language/scratch.ts";
import { isLong, NeedsFloat } from "./number.ts";

/**
 * Parses and checks a row function from its own source. For a construct that the language does not
 * have, throws a `KernelError` that names the operation, the construct and its place.
 */
export function parseRowFunction(spec: RowFunctionSpec): RowFunction {
  if (spec.returns !== undefined && spec.kind !== "measure") {
    throw new KernelError(`${spec.name}: only a measure declares what it returns`);
  }
  const { subject = "string" } = spec;
  if (subject === "list" && spec.kind === "map") {
    throw new KernelError(`${spec.name}: a map works on text, not on a list`);
  }
  const worksOnText = subject === "string" || subject === "list";
  if (!worksOnText && spec.kind !== "emit" && spec.kind !== "measure") {
    throw new KernelError(`${spec.name}: only an emit or a measure works on ${subject}`);
  }
  if (spec.items !== undefined && spec.kind !== "list") {
    throw new KernelError(`${spec.name}: only a list has items`);
  }
  if (spec.backward && (spec.kind !== "list" || spec.items === "i32")) {
    throw new KernelError(`${spec.name}: only a list of texts can be given backward`);
  }
  if (spec.looks === true && spec.kind !== "map") {
    throw new KernelError(`${spec.name}: only a map looks at the characters beside each one`);
  }
  return parseFunction(spec);
}

const helpers = new WeakMap<HelperSpec, RowFunction>();
const unfinished = new WeakSet<HelperSpec>();

/**
 * Parses and checks a helper, once for all the operations that use it. It becomes a measure, or an
 * emit if it writes, without a text. `name` is for errors: the names of the operation and the
 * helper.
 */
export function parseHelper(name: string, { helper }: AnyHelper): RowFunction {
  const known = helpers.get(helper);
  if (known !== undefined) return known;
  if (unfinished.has(helper)) throw new KernelError(`${name} calls itself`);
  unfinished.add(helper);
  try {
    const parsed = parseFunction(helperFunction(name, helper), true);
    helpers.set(helper, parsed);
    return parsed;
  } finally {
    unfinished.delete(helper);
  }
}

/** Returns a helper as a row function, whose kind follows from the sink that it takes. */
function helperFunction(name: string, helper: HelperSpec): RowFunctionSpec {
  const types = Object.entries(helper.args);
  const { consts = {}, returns, row } = helper;
  const writes = types[0]?.[1] === "sink";
  const args = Object.fromEntries(
    types.flatMap(([name, type]) => type === "sink" ? [] : [[name, type]]),
  );
  if (types.some(([, type], index) => type === "sink" && index > 0)) {
    throw new KernelError(`${name}: only the first parameter of a helper can be a sink`);
  }
  if (writes && returns !== undefined) {
    throw new KernelError(`${name}: a helper that takes a sink returns nothing`);
  }
  if (!writes && returns === undefined) {
    throw new KernelError(`${name}: a helper without a sink must say what it returns`);
  }
  if (returns === undefined) return { name, kind: "emit", args, consts, row };
  return { name, kind: "measure", returns, args, consts, row };
}

function parseFunction(spec: RowFunctionSpec, isHelper = false): RowFunction {
  const returns = resultOf(spec);
  const source = new RowSource(spec.name, spec.row);
  const { node } = source;
  const args = Object.entries(spec.args ?? {}).map(([name, type]) => ({ name, type }));
  const consts = parseConsts(spec);
  if (node.async || node.generator) source.fail(node, "row must be a plain function");

  const { subject = "string" } = spec;
  const { context, params, statements } = parseBody(spec, source, isHelper, consts);
  if (!context.writes && !alwaysLeaves(statements)) {
    source.fail({ start: node.end - 1, end: node.end }, "row must return a value on every path");
  }
  const { canEnd, weight, sinkSites, stores, readsItems, returnsNull } = context;
  const state = [...context.state.values()];
  const body: RowBody = {
    subject: context.subject,
    subjectHigh: context.subjectHigh,
    look: context.look,
    params,
    state,
    canEnd,
    statements: isHelper && !context.writes ? joinReturns(statements) : statements,
    weight,
    sinkSites,
    stores,
    readsItems,
  };
  const hostOnly = context.hostOnly ?? reasonOfHelpers(consts);
  return Object.freeze({
    name: spec.name,
    kind: spec.kind,
    subject,
    backward: spec.backward ?? false,
    args,
    returns,
    consts,
    hasState: state.length > 0,
    looks: spec.looks ?? false,
    written: parseWritten(spec, returnsNull),
    returnsNull,
    ...(hostOnly === undefined ? {} : { hostOnly }),
    source: source.text,
    body,
  });
}

/** The result of parsing the parameters and the statements. */
interface ParsedBody {
  readonly context: ParseContext;
  readonly params: readonly (string | null)[];
  readonly statements: readonly RowStmt[];
}

/**
 * Parses the body. A local that starts as an integer literal is an i32, unless it is used with
 * floats: then the body is parsed again with that local as an f64. If that cannot be right either,
 * the error is that of the first try.
 */
function parseBody(
  spec: RowFunctionSpec,
  source: RowSource,
  isHelper: boolean,
  consts: Readonly<Record<string, ParsedConst>>,
): ParsedBody {
  const floats = new Set<string>();
  let guessed: KernelError | undefined;
  for (;;) {
    const context = new ParseContext(source, spec, isHelper, consts, floats);
    try {
      declareState(context, spec);
      const params = bindParameters(context, spec);
      const { body } = source.node;
      const statements = body.type === "BlockStatement"
        ? parseStatements(context, body.body)
        : returned(context, body);
      return { context, params, statements };
    } catch (error) {
      if (!(error instanceof NeedsFloat)) throw guessed ?? error;
      guessed ??= error.error;
      floats.add(error.name);
    }
  }
}

/** Parses the map that replaces an operation on text that is being written. */
function parseWritten(spec: RowFunctionSpec, returnsNull: boolean): RowFunction | null {
  const { written, ...rest } = spec;
  if (written === undefined) return null;
  if (spec.kind !== "view" && spec.kind !== "emit") {
    throw new KernelError(`${spec.name}: only a view or an emit can be computed from written text`);
  }
  if (returnsNull) {
    throw new KernelError(`${spec.name}: a row that can be null cannot be a map of written text`);
  }
  return parseRowFunction({ ...rest, ...written, kind: "map" });
}

/** Declares a local for each integer of the state. */
function declareState(context: ParseContext, { name, kind, state = {} }: RowFunctionSpec): void {
  const entries = Object.entries(state);
  if (kind !== "map" && entries.length > 0) {
    throw new KernelError(`${name}: only a map has state`);
  }
  for (const [key, initial] of entries) {
    if ((initial | 0) !== initial) {
      throw new KernelError(`${name}: the state ${key} must start as a 32-bit integer`);
    }
    context.state.set(key, { name: context.unique(`state_${key}`), initial });
  }
}

/** Why a function with these helpers cannot run on a device. */
function reasonOfHelpers(consts: Record<string, ParsedConst>): string | undefined {
  for (const value of Object.values(consts)) {
    if (typeof value === "object" && "hostOnly" in value) return value.hostOnly;
  }
}

function parseConsts(spec: RowFunctionSpec): Record<string, ParsedConst> {
  const consts: Record<string, ParsedConst> = {};
  for (const [name, value] of Object.entries(spec.consts ?? {})) {
    if (isHelper(value)) {
      consts[name] = parseHelper(`${spec.name}: helper ${name}`, value);
    } else if (isScratch(value) || isIntrinsic(value)) {
      consts[name] = value;
    } else if (value instanceof Int32Array) {
      consts[name] = value.slice();
    } else if (typeof value === "string" || typeof value === "number") {
      consts[name] = value;
    } else if (typeof value === "bigint" && isLong(value)) {
      consts[name] = value;
    } else {
      throw new KernelError(
        `${spec.name}: the constant ${name} must be a number, a bigint of 64 bits, an Int32Array, a text, a helper, an intrinsic or scratch`,
      );
    }
  }
  return consts;
}

/** Returns what the name of a parameter refers to. */
type Role = (name: string) => Binding;

/**
 * Gives the parameters their roles, which follow from the kind and the position. The last one holds
 * what the spec declares: `row(text, { target, isSpace })`. Returns the names of the arguments.
 */
function bindParameters(context: ParseContext, spec: RowFunctionSpec): (string | null)[] {
  const { subject = "string" } = spec;
  const params: (string | null)[] = [];
  const value = (type: RowType, note: (name: string) => void): Role => (name) => {
    const unique = context.unique(name);
    note(unique);
    const root = type === "view" ? { root: unique } : {};
    return { is: "value", type, name: unique, ...root, constant: false };
  };
  const noteSubject = (name: string) => void (context.subject = name);
  const args = Object.entries(spec.args ?? {}).flatMap(([key, type]): [string, Role][] => {
    const names = type === "i128" ? [key, highOf(key)] : [key];
    return names.map((half) => {
      const index = params.push(null) - 1;
      return [half, value(typeInside(type), (name) => void (params[index] = name))];
    });
  });
  const subjects: Role[] = [
    subject === "list"
      ? (name) => ({ is: "list", name: context.subject = context.unique(name) })
      : value(context.kind === "map" ? "i32" : typeInside(subject), noteSubject),
    ...(subject === "words" || subject === "i128"
      ? [value(typeInside(subject), (name) => void (context.subjectHigh = name))]
      : []),
  ];
  const roles: Role[] = [
    ...(context.writes ? [(): Binding => ({ is: "sink" })] : []),
    ...(context.isHelper ? args.map(([, role]) => role) : subjects),
  ];
  const declared: [string, Role][] = [
    ...(context.isHelper ? [] : args),
    ...(spec.looks === true
      ? [
        ["text", value("view", (name) => void (context.look.text = name))],
        ["at", value("i32", (name) => void (context.look.at = name))],
      ] satisfies [string, Role][]
      : []),
    ...(context.state.size > 0
      ? [["state", () => ({ is: "state" })]] satisfies [string, Role][]
      : []),
    ...Object.entries(context.consts).map((
      [name, value],
    ): [string, Role] => [name, () => ({ is: "constant", name, value })]),
  ];
  const given = new Map(declared);
  if (given.size < declared.length) {
    const [twice] = declared.find(([name, role]) => given.get(name) !== role) ?? [];
    throw new KernelError(`${spec.name}: ${twice} is declared twice`);
  }
  context.source.node.params.forEach((parameter, index) => {
    if (parameter.type === "AssignmentPattern") {
      context.fail(parameter, "a default value cannot be used");
    }
    const role = roles[index];
    if (role === undefined && (index > roles.length || given.size === 0)) {
      const last = given.size > 0 ? `; the last one holds ${namesOf(given)}` : "";
      context.fail(parameter, `row has more parameters than the operation passes${last}`);
    }
    if (role === undefined && parameter.type === "ObjectPattern") {
      return bindGiven(context, parameter, given);
    }
    if (parameter.type !== "Identifier") {
      return context.fail(parameter, "a parameter must be a plain name");
    }
    if (role !== undefined) return context.bind(parameter.name, role(parameter.name));
    for (const [name, role] of given) context.given.set(name, role(name));
    context.bind(parameter.name, { is: "given" });
  });
  return params;
}

/** Returns the name of the high half of an argument of type i128. */
function highOf(name: string): string {
  return `${name}High`;
}

/** Binds the names in the last parameter: `{ target, isSpace }`, or minified `{ target: t }`. */
function bindGiven(
  context: ParseContext,
  pattern: ObjectPattern,
  given: ReadonlyMap<string, Role>,
): void {
  for (const property of pattern.properties) {
    if (
      property.type === "RestElement" || property.computed ||
      property.key.type !== "Identifier" || property.value.type !== "Identifier"
    ) {
      return context.fail(property, "only names can be taken from the last parameter");
    }
    const { key, value } = property;
    const role = given.get(key.name) ?? context.fail(value, `the spec has no ${key.name}`);
    context.bind(value.name, role(value.name));
  }
}
