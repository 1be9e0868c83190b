/**
 * Lowers expressions of row functions to scalars of the IR.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { BinaryFn, Scalar } from "../ir/ir.ts";
import type { LowerContext } from "./lower_context.ts";
import type { ListValue, LowerValue, ViewValue } from "./lower_value.ts";
import { followStates } from "./follow_states.ts";
import { isMaskedBelow, readScratch, type ScratchPart } from "./scratch.ts";
import { compareViews, equalViews, findIn, rfindIn } from "./search.ts";
import { advanceOf, charOf, hasChar, lengthOf, nextOf, prevOf } from "./view_characters.ts";
import { byteOf, digitsOf, floatOf, notedView, sizeOf, subOf } from "./view.ts";
import type { ListMethod, RowExpr } from "../parse/row_code.ts";
import type { RowFunction } from "../language/row_function.ts";
import { STATE_ENTRIES } from "../language/state_table.ts";
import {
  and,
  binary,
  bool,
  constant,
  convert,
  int,
  not,
  scalarKey,
  select,
  unary,
} from "../ir/scalar.ts";
import { type IntrinsicForm, INTRINSICS } from "../language/intrinsics.ts";

/** The names that an expression may refer to in its row function. */
export interface ExpressionScope {
  readonly fn: RowFunction;
  /** Returns the value of a local or a parameter. */
  read(name: string): LowerValue;
  /** Inlines the call of a helper. */
  call(helper: string, args: readonly LowerValue[]): LowerValue;
  /** Returns the place of a scratch. */
  scratch(name: string): ScratchPart;
}

/** Evaluates an expression of a row function to code, with statements before it if needed. */
export function evaluateExpression(
  context: LowerContext,
  scope: ExpressionScope,
  expr: RowExpr,
): LowerValue {
  const { builder } = context;
  const value = (child: RowExpr) => evaluateExpression(context, scope, child);
  const scalar = (child: RowExpr) => scalarOf(value(child));
  switch (expr.op) {
    case "const":
      return ofScalar(constant(expr.type, expr.value));
    case "name":
      return scope.read(expr.name);
    case "text":
      return { is: "view", view: context.literal(new TextEncoder().encode(expr.text)) };
    case "unary":
      return ofScalar(unary(expr.fn, scalar(expr.value)));
    case "binary":
      if (expr.fn === "&&" || expr.fn === "||") {
        const { left, right } = expr;
        return ofScalar(shortCircuit(context, expr.fn, scalar(left), () => scalar(right)));
      }
      return ofScalar(
        builder.facts.decide(binaryValue(expr.fn, scalar(expr.left), scalar(expr.right))),
      );
    case "select":
      return choose(context, scalar(expr.test), () => value(expr.yes), () => value(expr.no));
    case "method": {
      const view = viewOf(value(expr.view));
      return method(context, expr.method, view, expr.args.map(value));
    }
    case "intrinsic":
      return ofScalar(intrinsicValue(expr, expr.args.map(scalar)));
    case "helper":
      return scope.call(expr.helper, expr.args.map(value));
    case "scratch":
      return ofScalar(readScratch(builder, scope.scratch(expr.scratch), scalar(expr.at)));
    case "follow": {
      const entries = scope.fn.consts[expr.table];
      const table = entries instanceof Int32Array ? entries : new Int32Array(STATE_ENTRIES);
      const view = viewOf(value(expr.view));
      return ofScalar(followStates(context, table, view, scalar(expr.state)));
    }
    case "list": {
      const list = scope.read(expr.list);
      if (list.is !== "list") throw new InternalError("A list was expected");
      return listValue(context, list.list, expr.method, expr.at ? scalar(expr.at) : null);
    }
    case "table": {
      const entries = scope.fn.consts[expr.table];
      const table = entries instanceof Int32Array ? entries : new Int32Array();
      const index = scalar(expr.at);
      if (isMaskedBelow(index, table.length)) {
        return ofScalar({ op: "table", type: "i32", table: context.table(table), at: index });
      }
      const at = builder.stable("index", index);
      if (at.op === "const") return ofScalar(int(table[Number(at.value)] ?? 0));
      if (table.length === 0) return ofScalar(int(0));
      const isEntry = binary("<u", at, int(table.length));
      const inside = builder.stable("index", select(isEntry, at, int(0)));
      const entry: Scalar = {
        op: "table",
        type: "i32",
        table: context.table(table),
        at: inside,
      };
      return ofScalar(select(isEntry, entry, int(0)));
    }
  }
}

/** Returns the value of a binary operator; the IR counts shifts of an i64 in an i32. */
function binaryValue(fn: BinaryFn, left: Scalar, right: Scalar): Scalar {
  const isShift = fn === "<<" || fn === ">>" || fn === ">>>";
  const isLong = isShift && right.type === "i64";
  return binary(fn, left, isLong ? convert("low", "i32", right) : right);
}

/** Returns the code of an intrinsic for arguments of the types of one of its forms. */
function intrinsicValue(
  { intrinsic }: RowExpr & { op: "intrinsic" },
  args: readonly Scalar[],
): Scalar {
  const forms: readonly IntrinsicForm[] = INTRINSICS[intrinsic];
  const form = forms.find(({ takes }) => takes.every((type, index) => args[index]?.type === type));
  const [first, second] = args;
  if (form === undefined || first === undefined) {
    throw new InternalError(`${intrinsic} has no form`);
  }
  const { code } = form;
  if ("unary" in code) return unary(code.unary, first);
  if ("convert" in code) return convert(code.convert, form.returns, first);
  if ("host" in code) return { op: "hostCall", type: "f64", name: code.host, space: null, args };
  return binary(code.binary, first, second ?? first);
}

/** Lowers `&&` or `||`, whose right side is only reached if the left side does not decide. */
export function shortCircuit(
  context: LowerContext,
  fn: "&&" | "||",
  left: Scalar,
  right: () => Scalar,
): Scalar {
  const { builder } = context;
  if (left.op === "const") return (left.value === true) === (fn === "&&") ? right() : left;
  let value = bool(false);
  const collected = builder.collect(() => {
    builder.facts.assume(left, fn === "&&");
    value = right();
  });
  if (collected.statements.length === 0) return binary(fn, left, value);
  const result = builder.variable("both", left);
  builder.if(fn === "&&" ? result : not(result), () => {
    builder.splice(collected);
    builder.set(result, value);
    builder.facts.imply(result, fn === "&&", [left, value]);
  });
  return result;
}

/** Lowers `?:`, whose sides are only reached if needed. */
function choose(
  context: LowerContext,
  test: Scalar,
  yes: () => LowerValue,
  no: () => LowerValue,
): LowerValue {
  const { builder } = context;
  if (test.op === "const") return test.value === true ? yes() : no();
  const values: LowerValue[] = [];
  const first = builder.collect(() => void values.push(yes()));
  const second = builder.collect(() => void values.push(no()));
  const join = (a: Scalar, b: Scalar): Scalar => {
    if (first.statements.length + second.statements.length === 0) return select(test, a, b);
    const result = builder.reserve("chosen", a.type);
    builder.declare(result);
    first.statements.push({ do: "set", name: result.name, value: a });
    second.statements.push({ do: "set", name: result.name, value: b });
    return result;
  };
  const [left, right] = values;
  let chosen: LowerValue;
  if (left?.is === "view" && right?.is === "view") {
    chosen = {
      is: "view",
      view: {
        ...left.view,
        ascii: left.view.ascii && right.view.ascii,
        start: join(left.view.start, right.view.start),
        stop: join(left.view.stop, right.view.stop),
      },
    };
  } else {
    chosen = ofScalar(join(scalarOf(left), scalarOf(right)));
  }
  if (first.statements.length + second.statements.length > 0) {
    builder.if(test, () => builder.splice(first), () => builder.splice(second));
  }
  return chosen;
}

function method(
  context: LowerContext,
  name: (RowExpr & { op: "method" })["method"],
  view: ViewValue,
  args: readonly LowerValue[],
): LowerValue {
  const number = (index: number) => scalarOf(args[index]);
  const other = () => viewOf(args[0]);
  switch (name) {
    case "size":
      return ofScalar(sizeOf(view));
    case "length":
      return ofScalar(lengthOf(context, view));
    case "byteAt":
      return ofScalar(byteOf(context, view, number(0)));
    case "fourDigits":
      return ofScalar(digitsOf(context, view, number(0), number(1)));
    case "charAt":
      return ofScalar(charOf(context, view, number(0)));
    case "next":
      return ofScalar(nextOf(context, view, number(0)));
    case "prev":
      return ofScalar(prevOf(context, view, number(0)));
    case "advance":
      return ofScalar(advanceOf(context, view, number(0), number(1)));
    case "sub":
      return { is: "view", view: subOf(context, view, number(0), number(1)) };
    case "find":
      return ofScalar(findIn(context, view, other(), number(1)));
    case "rfind":
      return ofScalar(rfindIn(context, view, other()));
    case "equals":
      return ofScalar(equalViews(context, view, other()));
    case "compare":
      return ofScalar(compareViews(context, view, other()));
    case "toFloat":
      return ofScalar(floatOf(view));
    case "toNarrowFloat":
      return ofScalar(floatOf(view, number(0)));
    case "has":
      return ofScalar(hasChar(context, view, number(0)));
  }
}

function ofScalar(scalar: Scalar): LowerValue {
  return { is: "scalar", scalar };
}

function scalarOf(value: LowerValue | undefined): Scalar {
  return value?.is === "scalar" ? value.scalar : int(0);
}

function viewOf(value: LowerValue | undefined): ViewValue {
  if (value?.is !== "view") throw new InternalError("A view was expected");
  return value.view;
}

/** Returns the value of a method or a property of a list; `at` is null for its size. */
function listValue(
  context: LowerContext,
  list: ListValue,
  method: ListMethod,
  at: Scalar | null,
): LowerValue {
  if (at === null) return { is: "scalar", scalar: listSize(list) };
  const { builder } = context;
  const index = builder.stable("index", at);
  const item = binary("+", list.start, index);
  const present = hasItem(context, list, index, item);
  if (method === "isNull") return { is: "scalar", scalar: not(present) };
  const { column } = list;
  const edge = (position: Scalar): Scalar =>
    select(present, { op: "itemStart", type: "i32", column, at: position }, int(0));
  const view = {
    space: { one: { space: "column", column } as const },
    start: builder.stable("item_start", edge(item)),
    stop: builder.stable("item_stop", edge(binary("+", item, int(1)))),
    ascii: context.variant.ascii,
  };
  return { is: "view", view: notedView(context, view) };
}

function listSize({ start, stop }: ListValue): Scalar {
  return binary("-", stop, start);
}

/** Whether there is an item at an index and it is not null; tested once on every path. */
function hasItem(
  { builder }: LowerContext,
  list: ListValue,
  index: Scalar,
  item: Scalar,
): Scalar {
  const { column } = list;
  const key = `item ${column} ${scalarKey(index)}`;
  const known = builder.facts.recall(key);
  if (known !== undefined) return known;
  const at = builder.stable("item", item);
  const valid: Scalar = { op: "itemValid", type: "bool", column, at };
  const present = builder.stable("present", and(binary("<u", index, listSize(list)), valid));
  builder.facts.remember(key, present);
  return present;
}
