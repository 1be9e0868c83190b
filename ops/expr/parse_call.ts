/**
 * Parses calls in the text of an expression, `name.upper()` or the equal `upper(name)`, and their
 * arguments, which may be lists, named values and patterns.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type {
  AnyNode,
  CallExpression,
  Expression,
  ObjectExpression,
  Property,
  SpreadElement,
} from "acorn";
import type { Literal, LiteralData } from "../syntax/literal.ts";
import { argumentsOfAggregate, isAggregate } from "../syntax/aggregate.ts";
import { get } from "../string/list.ts";
import { aggregate } from "./aggregates.ts";
import { col, concat, type Expr, now, today } from "./expr.ts";
import type { Argument, ConcatOptions } from "../syntax/expr_base.ts";
import { didYouMean } from "../../base/nearest_name.ts";
import { otherNameHint } from "./other_names.ts";
import { absentFunction } from "../syntax/other_words.ts";
import { type ParseText, type Stretch, unsupported } from "./parse_text.ts";

type Parse = (source: ParseText, node: Expression) => Expr;
type ArgumentNode = Expression | SpreadElement;

/** A method of expressions that is not a string operation. */
interface CoreCall {
  /** The number of its arguments besides the receiver. */
  readonly others: number;
  make(first: Expr, others: readonly Expr[], options: ConcatOptions): Expr;
}

const CORE: Readonly<Record<string, CoreCall>> = {
  all: { others: Infinity, make: (first, others) => first.all(...others as [Expr]) },
  any: { others: Infinity, make: (first, others) => first.any(...others as [Expr]) },
  between: { others: 2, make: (first, [low = null, high = null]) => first.between(low, high) },
  coalesce: { others: Infinity, make: (first, others) => first.coalesce(...others) },
  concat: {
    others: Infinity,
    make: (first, others, options) => concat(first, ...others, options),
  },
  field: { others: 1, make: (first, [name]) => first.field(nameOfField(name)) },
  fillNull: { others: 1, make: (first, [other = null]) => first.fillNull(other) },
  ifElse: { others: 2, make: (first, [yes = null, no = null]) => first.ifElse(yes, no) },
  isNotNull: { others: 0, make: (first) => first.isNotNull() },
  isNull: { others: 0, make: (first) => first.isNull() },
  nullIf: { others: 1, make: (first, [value = null]) => first.nullIf(value) },
  orNull: { others: 0, make: (first) => first.orNull() },
};

function nameOfField(name: Expr | undefined): string {
  const value = name?.node.node === "literal" ? name.node.value : undefined;
  if (typeof value === "string") return value;
  throw new TypeError('field() takes the name of a field, in quotes: address.field("city")');
}

/** The functions that take no arguments. */
const MOMENTS: Readonly<Record<string, () => Expr>> = { now, today };

/** The method that takes a list. */
const IS_IN = "isIn";

/** Parses a call. */
export function parseCall(source: ParseText, node: CallExpression, parse: Parse): Expr {
  const { callee } = node;
  if (node.optional) return unsupported(source, node);
  if (callee.type === "Identifier") {
    if (callee.name === "col") return column(source, node);
    const moment = Object.hasOwn(MOMENTS, callee.name) ? MOMENTS[callee.name] : undefined;
    if (moment !== undefined && !source.operations.has(callee.name)) {
      if (node.arguments.length === 0) return source.placed(moment(), node);
      throw source.error(`${callee.name}() takes nothing`, node);
    }
    if (isAggregate(callee.name, node.arguments.length)) {
      const args = node.arguments.map((arg) =>
        arg.type === "SpreadElement" ? unsupported(source, arg) : parse(source, arg)
      );
      return source.placed(aggregate(callee.name, args), node);
    }
    const isOther = source.operations.has(callee.name) || Object.hasOwn(CORE, callee.name);
    const wanted = isOther ? undefined : argumentsOfAggregate(callee.name);
    if (wanted !== undefined) throw source.error(`${callee.name}() takes ${wanted}`, node);
    return operation(source, { name: callee.name, at: callee, all: node }, node.arguments, parse);
  }
  if (
    callee.type !== "MemberExpression" || callee.computed || callee.optional ||
    callee.property.type !== "Identifier" || callee.object.type === "Super"
  ) {
    return unsupported(source, callee.type === "MemberExpression" ? callee : node);
  }
  const { property, object } = callee;
  const named = {
    name: property.name,
    at: property,
    all: { start: property.start, end: node.end },
  };
  return operation(source, named, [object, ...node.arguments], parse);
}

/** Parses `tags[0]`, which is `tags.get(0)`. */
export function parseIndex(
  source: ParseText,
  { object, property, start, end }: Stretch & {
    readonly object: Expression;
    readonly property: Expression;
  },
  parse: Parse,
): Expr {
  const named = { name: get.spec.name, at: property, all: { start, end } };
  return operation(source, named, [object, property], parse);
}

interface Named {
  readonly name: string;
  /** The place of the name. */
  readonly at: Stretch;
  /** The place of the call. */
  readonly all: Stretch;
}

function operation(
  source: ParseText,
  { name, at, all }: Named,
  args: readonly ArgumentNode[],
  parse: Parse,
): Expr {
  const op = source.operations.get(name);
  const core = op === undefined && Object.hasOwn(CORE, name) ? CORE[name] : undefined;
  if (op === undefined && core === undefined && name !== IS_IN) {
    const absent = absentFunction(name);
    if (absent !== undefined) throw source.error(absent, at);
    const [first] = args;
    const core = [...Object.keys(CORE), ...Object.keys(MOMENTS), IS_IN];
    const names = [...source.operations.keys(), ...core];
    if (Object.hasOwn(MOMENTS, name)) throw source.error(`It is written ${name}() alone`, all);
    const hint = otherNameHint(name, new Set(names), args.length) ?? didYouMean(name, names);
    throw source.error(
      `Unknown operation ${name}${hint === "" ? namespaceHint(first, name) : hint}`,
      at,
    );
  }
  // max(a, b) is no list.
  if (op?.spec.group === "lists" && args.length !== 1) {
    const absent = absentFunction(name);
    if (absent !== undefined) throw source.error(absent, at);
  }
  const last = args.at(-1);
  const options = name === "concat" && last?.type === "ObjectExpression" ? last : undefined;
  const value = (arg: ArgumentNode): Expr => {
    return arg.type === "SpreadElement" ? unsupported(source, arg) : parse(source, arg);
  };
  const argument = (arg: ArgumentNode): Argument => parseData(source, arg, value) ?? value(arg);
  const [first, ...rest] = args.filter((arg) => arg !== options);
  try {
    if (first === undefined) {
      const wanted = core?.others === Infinity
        ? "takes at least 1 value"
        : `needs the ${op && op.spec.group !== "numbers" ? "text" : "value"} that it works on`;
      throw new TypeError(`${name}() ${wanted}`);
    }
    if (core !== undefined) {
      const values = [value(first), ...rest.map(value)] as const;
      return callCore(name, core, values, options ? concatOptions(source, options) : {});
    }
    const given = rest.map(argument);
    // One list, since a call takes at most about a hundred thousand arguments.
    return op ? value(first).call(op, ...given) : value(first).isIn(given.flat() as Literal[]);
  } catch (error) {
    const isMistake = error instanceof TypeError || error instanceof RangeError;
    const isPlaced = isSluiceError(error, "ExprError") || isSluiceError(error, "DepthError");
    if (isPlaced || !isMistake) throw error;
    throw source.error(`${error.message}${namespaceHint(args[0], name)}`, all);
  }
}

/** Modules of other languages whose functions are operations here. */
const MODULES = new Set(["Math", "np", "numpy", "pd", "pandas", "pl", "F", "math", "fn"]);

/** Returns the hint for a call such as `Math.round(a)` that fails, after a semicolon; else "". */
function namespaceHint(receiver: ArgumentNode | undefined, name: string): string {
  const isModule = receiver?.type === "Identifier" && MODULES.has(receiver.name);
  return isModule ? `; write it without ${receiver.name}.: ${name}(a), or a.${name}()` : "";
}

function callCore(
  name: string,
  { others, make }: CoreCall,
  [first, ...rest]: readonly [Expr, ...Expr[]],
  options: ConcatOptions,
): Expr {
  if (others !== Infinity && rest.length !== others) {
    throw new TypeError(`${name}() takes ${others === 1 ? "1 value" : `${others} values`}`);
  }
  return make(first, rest, options);
}

function column(source: ParseText, node: CallExpression): Expr {
  const [name] = node.arguments;
  if (node.arguments.length !== 1 || name?.type !== "Literal" || typeof name.value !== "string") {
    throw source.error('col() takes the name of a column: col("first name")', node);
  }
  return source.placed(col(name.value), node);
}

/** Parses options such as `{ separator: ", ", nulls: "" }`. */
function concatOptions(source: ParseText, node: ObjectExpression): ConcatOptions {
  const options: { separator?: string; nulls?: string } = {};
  for (const property of node.properties) {
    if (
      property.type !== "Property" || property.computed || property.key.type !== "Identifier" ||
      property.value.type !== "Literal" || typeof property.value.value !== "string"
    ) {
      throw source.error("Options are written as name: text", property);
    }
    const { name } = property.key;
    if (name !== "separator" && name !== "nulls") {
      const nearest = didYouMean(name, ["separator", "nulls"]);
      throw source.error(`Unknown option ${name}${nearest}`, property.key);
    }
    options[name] = property.value.value;
  }
  return options;
}

type ParseValue = (node: Expression) => Expr;

/**
 * Parses an argument that is not a single value: `[1, 2]`, `{ side: "left" }` or `/a+/i`; undefined
 * for any other expression. The items of a list must be literals.
 */
function parseData(
  source: ParseText,
  node: AnyNode,
  value: ParseValue,
): Exclude<Argument, Expr> | undefined {
  switch (node.type) {
    case "ArrayExpression":
      return node.elements.map((item) => literalData(source, item ?? node, value));
    case "ObjectExpression":
      return namedValues(node, source, (item) => parseData(source, item, value) ?? value(item));
    case "Literal":
      return node.regex ? { regex: node.regex.pattern, flags: node.regex.flags } : undefined;
    default:
      return undefined;
  }
}

function literalData(source: ParseText, node: AnyNode, value: ParseValue): LiteralData {
  if (node.type === "SpreadElement") return unsupported(source, node);
  if (node.type === "ObjectExpression") {
    return namedValues(node, source, (item) => literalData(source, item, value));
  }
  const data = parseData(source, node, value);
  if (data !== undefined) return data as LiteralData;
  const { node: parsed } = value(node as Expression);
  if (parsed.node === "literal") return parsed.value;
  throw source.error("The items of a list must be literals", node);
}

function namedValues<T>(
  { properties }: ObjectExpression,
  source: ParseText,
  parse: (node: Expression) => T,
): { [name: string]: T } {
  const entries = properties.map((property): [string, T] => [
    nameOf(source, property),
    parse((property as Property).value),
  ]);
  const names = entries.map(([name]) => name);
  const repeated = properties.find((_, index) => names.indexOf(names[index] ?? "") !== index);
  if (repeated !== undefined) throw source.error("The name is given twice", repeated);
  return Object.fromEntries(entries);
}

function nameOf(source: ParseText, property: Property | SpreadElement): string {
  if (property.type === "Property" && property.kind === "init" && !property.computed) {
    const { key } = property;
    if (key.type === "Identifier") return key.name;
    if (key.type === "Literal" && typeof key.value === "string") return key.value;
    // The digits as written: a number beyond 2^53 would be rounded.
    if (key.type === "Literal" && typeof key.value === "number") {
      return /^\d+$/.test(key.raw ?? "") ? String(BigInt(key.raw!)) : String(key.value);
    }
  }
  throw source.error("Named values are written as name: value", property);
}
