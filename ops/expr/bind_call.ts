/**
 * Binds calls of string operations: the types of the text, of the arguments and of the result.
 *
 * @module
 */

import {
  Bool,
  DataType,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Uint64,
  Utf8,
} from "apache-arrow";
import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { ArgType, RowFunction, RowResult } from "../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { argsByName, resolveCall } from "../syntax/call_node.ts";
import type { CallArgs } from "../syntax/overload.ts";
import type { CallNode, ExprNode, StringOp } from "../syntax/node.ts";
import { checkedAt, failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import { receiverOf } from "../syntax/receiver.ts";
import { bindConversion } from "./bind_conversion.ts";
import { type NumberType, numberType } from "./bind_numbers.ts";
import { insteadOfTime } from "./instead_of_time.ts";
import { bindSubject } from "./bind_subject.ts";
import { commonType, reasonOf } from "./common_type.ts";
import {
  bothTypes,
  classOf,
  nullTree,
  type Typed,
  typedLiteral,
  whatIs,
  widened,
} from "./typed.ts";

/** The Arrow types of the results of row functions; for lists, that of their items, which are never null. */
const RESULT_TYPES: Readonly<Record<RowResult, DataType>> = {
  string: new Utf8(),
  bool: new Bool(),
  i32: new Int32(),
  i64: new Int64(),
  u64: new Uint64(),
  words: new Int64(),
  i128: new Decimal(0, 38),
  f64: new Float64(),
  list: new Utf8(),
  numbers: new Int32(),
};

function resultType({ kind, returns }: RowFunction, gives = RESULT_TYPES[returns]): DataType {
  return kind === "list" ? new List(new Field("item", gives, false)) : gives;
}

/**
 * Binds a call. A null literal for the text or for an argument makes the whole call null. Inside of
 * `orNull()`, where `isLenient` is true, no call is strict.
 */
export function bindCall(
  node: CallNode,
  bind: (node: ExprNode) => Typed,
  isLenient = false,
): Typed {
  const { name, conversion, expand, isStrict, operator, parts } = node.op.spec;
  const byName = argsByName(node.op, node.args);
  checkCondition(node, byName, bind);
  const expanded = expand?.(node.text, byName, () => bind(node.text).type);
  if (expanded !== undefined) {
    checkWritten(node, bind);
    return { ...bindExpansion(node, expanded, bind), node };
  }
  if (parts !== undefined && node.part === undefined) {
    failAt(
      node,
      `${name}() gives several columns; write it as a whole column: p = ${printNode(node)}`,
    );
  }
  const { text, start } = sameTimes(node, bind);
  if (conversion !== undefined) return bindConversion(node, conversion, text, isLenient);
  const number = computedIn(node, text, bind, isLenient);
  const resolved = checkedAt(
    node,
    `${name}(${printNode(node.text)})`,
    () => resolveCall(node, text.type, number?.key),
  );
  const subject = resolved && bindSubject(resolved.fn, number?.convert(text) ?? text);
  if (resolved === undefined || subject === undefined) return refusedSubject(node, text);
  const { fn, args } = resolved;
  const type = resultType(fn, resolved.gives);
  const bound = args.map((arg, index) => {
    const typed = arg === start?.node
      ? start
      : typeof arg === "object"
      ? bind(arg)
      : typedLiteral(node, arg);
    const isSame = node.op.parameters.some(({ name, type }) =>
      type === "same" && name === fn.args[index]?.name
    );
    return argument(name, fn.args[index], isSame ? number?.convert(typed) ?? typed : typed);
  });
  if ([text, ...bound].some(({ literal }) => literal === null)) {
    return { node, tree: nullTree(type), type, nullable: true };
  }
  // Some times of a day have 32 bits, and a row function returns 64.
  const isNarrow = fn.returns === "i64" && DataType.isTime(type);
  const tree: Tree = {
    node: "call",
    fn,
    text: subject,
    args: bound.map(({ tree }) => tree),
    type: columnTypeOf(isNarrow ? new Int64() : type),
    ...(operator === undefined ? {} : { operator }),
    ...(fn.returnsNull && !isLenient && isStrict?.(byName) === true
      ? { strict: true, ...refusalOf(resolved), ...shownAs(node, text) }
      : {}),
  };
  return {
    node,
    tree: widened(tree, type),
    type,
    nullable: fn.returnsNull || [text, ...bound].some(({ nullable }) => nullable),
  };
}

/**
 * Binds the receiver, and the argument of the same type where the operation works on other values than
 * numbers; a literal takes the type of the other one.
 */
function sameTimes(
  node: CallNode,
  bind: (node: ExprNode) => Typed,
): { readonly text: Typed; readonly start?: Typed } {
  const { op, args } = node;
  const text = bind(node.text);
  const index = op.parameters.findIndex(({ type }) => type === "same");
  const arg = args[index];
  const isChosen = "overloads" in op.spec && op.spec.choose !== undefined;
  if (arg === undefined || !isChosen || text.literal === null) return { text };
  const start = bind(arg);
  if (start.literal === null) return { text, start };
  const common = commonType(text, start);
  if (common === undefined) {
    const name = op.parameters[index]!.name;
    const problem = `${name} must have the type of the value: ${bothTypes(text, start)}`;
    return failAt(start.node, `${op.spec.name}(): ${problem} differ${reasonOf(text, start)}`);
  }
  const { type } = common;
  return {
    text: { ...text, tree: common.left, type },
    start: { ...start, tree: common.right, type },
  };
}

/** Returns the type in which an operation on numbers is computed; undefined for other operations. */
function computedIn(
  node: CallNode,
  subject: Typed,
  bind: (node: ExprNode) => Typed,
  isLenient: boolean,
): NumberType | undefined {
  const { op, args } = node;
  const { spec } = op;
  if (!("overloads" in spec) || spec.choose !== undefined) return undefined;
  const same = op.parameters.flatMap(({ type }, index) => {
    const arg = args[index];
    return type === "same" && arg !== undefined ? [bind(arg)] : [];
  });
  const number = numberType(node, [subject, ...same]);
  const problem = isLenient ? undefined : op.overloads[number.key]?.check?.(argsByName(op, args));
  return problem === undefined ? number : failAt(node, `${printNode(node)}: ${problem}`);
}

function refusalOf({ refusal }: { readonly refusal?: string }): { refusal?: string } {
  return refusal === undefined ? {} : { refusal };
}

/** The groups of the operations whose errors show literal arguments, which their row functions lack. */
const SHOWN_GROUPS: readonly unknown[] = ["numbers", "dates"];

/** Returns how errors print a call and what it works on. */
function shownAs({ op, args }: CallNode, { type }: Typed): Pick<Tree & { node: "call" }, "shown"> {
  if (!SHOWN_GROUPS.includes(op.spec.group)) return {};
  const literals = op.parameters.flatMap((parameter, index) => {
    const arg = args[index];
    return parameter.type === "literal" && arg !== undefined ? [printNode(arg)] : [];
  });
  return { shown: { literals, from: typeName(type) } };
}

/** Fails for a condition that is not a boolean, at the call as written, not at its expansion. */
function checkCondition(
  { op: { spec } }: CallNode,
  args: CallArgs,
  bind: (node: ExprNode) => Typed,
): void {
  const given = spec.condition === undefined ? undefined : args[spec.condition];
  if (typeof given !== "object" || given === null || !("node" in given)) return;
  const condition = bind(given as ExprNode);
  if (condition.literal === null || classOf(condition.type) === "bool") return;
  failAt(
    condition.node,
    `${spec.name}(): its condition must be true or false, ${whatIs(condition)}`,
  );
}

/** Fails for arguments of a wrong type, at the call as written, not at its expansion. */
function checkWritten(node: CallNode, bind: (node: ExprNode) => Typed): void {
  const { op, args } = node;
  const text = bind(node.text);
  const isText = text.literal === null || classOf(text.type) === "text";
  if (onlySubject(op) === "string" && !isText) refusedSubject(node, text);
  const isTime = text.literal === null || classOf(text.type) === "time";
  if (op.spec.group === "dates" && !isTime) refusedSubject(node, text);
  for (const [index, { name, type }] of op.parameters.entries()) {
    const arg = args[index];
    if (arg === undefined || type === "any" || type === "literal" || type === "same") continue;
    argument(op.spec.name, { name, type }, bind(arg));
  }
}

/** Binds what a call expands to. A mistake that is not one of its operands names the call as written. */
function bindExpansion(
  node: CallNode,
  expanded: ExprNode,
  bind: (node: ExprNode) => Typed,
): Typed {
  try {
    return bind(expanded);
  } catch (error) {
    if (!isSluiceError(error, "ExprError")) throw error;
    const { name } = node.op.spec;
    bind(node.text);
    for (const arg of node.args) if (arg !== undefined && arg.node !== "data") bind(arg);
    if (error.message.startsWith(`${name}(`)) throw error;
    const problem = error.message
      .replace(/^\?: needs two values of one type:/, "needs results of one type:")
      .replace(/^Cannot/, "cannot");
    return failAt(node, `${name}(): ${problem}`);
  }
}

/** Returns the subject of an operation, if all its overloads have the same one. */
function onlySubject({ overloads }: StringOp): string | undefined {
  const subjects = new Set(Object.values(overloads).map(({ subject = "string" }) => subject));
  return subjects.size === 1 ? [...subjects][0] : undefined;
}

function refusedSubject({ op, text: node }: CallNode, text: Typed): never {
  const only = onlySubject(op);
  const wanted = only === "string"
    ? "not a string"
    : only === "list"
    ? receiverOf(text.type) === "list" ? "not a list of strings" : "not a list"
    : "which it does not take";
  const instead = op.spec.instead?.(text.type) ?? insteadOfTime(op, text);
  const hint = instead === undefined ? "" : `; ${instead}`;
  return failAt(node, `${op.spec.name}(${printNode(node)}): ${whatIs(text)}, ${wanted}${hint}`);
}

/**
 * Returns an argument of a call in the type that the row function takes. An integer of another width
 * becomes the nearest 32-bit integer, which means the same for positions, widths and counts.
 */
function argument(
  name: string,
  parameter: RowFunction["args"][number] | undefined,
  arg: Typed,
): Typed {
  if (parameter === undefined || arg.literal === null) return arg;
  const kind = classOf(arg.type);
  if (parameter.type === "string" && kind === "text") return arg;
  if (parameter.type === "bool" && kind === "bool") return arg;
  if (parameter.type === "i128" && (kind === "decimal" || kind === "int")) return arg;
  if (kind === "time" && parameter.type === "i64") {
    return { ...arg, tree: widened(arg.tree, new Int64()) };
  }
  const type = kind === "int" || DataType.isFloat(arg.type)
    ? argumentType(parameter.type, arg.type)
    : undefined;
  if (type !== undefined) return { ...arg, tree: widened(arg.tree, type), type };
  return failAt(
    arg.node,
    `${name}(): ${parameter.name} must be ${WANTED[parameter.type]}, ${whatIs(arg)}`,
  );
}

const WANTED: Readonly<Record<ArgType, string>> = {
  string: "a string",
  bool: "a boolean",
  i32: "an integer",
  i64: "an integer with a sign",
  u64: "an integer without a sign",
  f64: "a number",
  i128: "a decimal or an integer",
};

/** Returns the type in which a row function takes a number as an argument; undefined if it does not. */
function argumentType(wanted: ArgType, type: DataType): DataType | undefined {
  const isUnsigned = DataType.isInt(type) && !type.isSigned;
  const isWide = isUnsigned && type.bitWidth === 64;
  if (wanted === "f64") return DataType.isFloat(type) ? type : new Float64();
  if (!DataType.isInt(type)) return undefined;
  if (wanted === "i32") return new Int32();
  if (wanted === "u64") return isUnsigned ? new Uint64() : undefined;
  return wanted === "i64" && !isWide ? new Int64() : undefined;
}
