/**
 * Lowers trees to values of fixed width.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { LowerValue, NullExit, ViewValue } from "./lower_value.ts";
import type { Scalar } from "../ir/ir.ts";
import { inlineTree, keptView } from "./call.ts";
import { lowerOperands } from "./operands.ts";
import type { LowerContext } from "./lower_context.ts";
import { Join } from "./row_builder.ts";
import { canBeNull } from "./can_be_null.ts";
import { logicValue, nullness, truthOf } from "./logic.ts";
import { castNumber, columnNumber, compareNumbers, literalNumber, scalarType } from "./number.ts";
import { compareViews, equalViews } from "./search.ts";
import { viewOf } from "./text.ts";
import { binary, bool, constant, convert, int, not, select } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { computesFloat, isNarrowFloatBits } from "../tree/tree_facts.ts";

/**
 * Lowers a tree to its value. Leaves if it is null. Floats are f64 with `asFloat`, by default where the
 * tree computes with them; else they are their bits, an i64 for float64.
 */
export function valueOf(
  context: LowerContext,
  tree: Tree,
  onNull: NullExit,
  asFloat: boolean = computesFloat(tree),
): Scalar {
  const { builder } = context;
  switch (tree.node) {
    case "column":
      context.checkValid(tree.index, onNull);
      return columnNumber(tree.type, context.column(tree.index), asFloat);
    case "literal":
      if (tree.value === null) onNull();
      if (tree.type.kind === "bool") return bool(tree.value === true);
      return literalNumber(tree.type, tree.value ?? 0, asFloat);
    case "call": {
      const result = inlineTree(context, tree, null, onNull);
      return resultValue(tree, result, asFloat);
    }
    case "choose":
      return chosenValue(context, tree, onNull, asFloat);
    case "fillNull":
      return filledValue(context, tree, onNull, asFloat);
    case "compare":
      return compareValue(context, tree, onNull);
    case "and":
    case "or":
      return logicValue(context, tree, onNull);
    case "not":
      return not(valueOf(context, tree.value, onNull));
    case "isNull":
      return nullness(context, tree.value);
    case "cast": {
      const { type } = tree.value;
      const isFloat = type.kind === "float" && (asFloat || computesFloat(tree.value));
      const value = valueOf(context, tree.value, onNull, isFloat);
      return floatForm(castNumber(builder, type, tree.type, value), asFloat);
    }
    case "concat":
      throw new InternalError("A concatenation is text");
  }
}

function compareValue(
  context: LowerContext,
  tree: Tree & { node: "compare" },
  onNull: NullExit,
): Scalar {
  const { op, left, right } = tree;
  const { type } = left;
  const { builder } = context;
  const sides = [left, right];
  if (type.kind === "string") {
    const lower = (index: number, exit: NullExit) => viewOf(context, sides[index]!, exit);
    const keep = (view: ViewValue) => keptView(context, "side", view);
    const [a, b] = lowerOperands(context, sides, { lower, keep }, onNull);
    if (op === "==") return equalViews(context, a!, b!);
    if (op === "!=") return not(equalViews(context, a!, b!));
    return binary(op, compareViews(context, a!, b!), int(0));
  }
  const asFloat = computesFloat(left) || computesFloat(right) ||
    type.kind === "float" && context.variant.hasFloats === true &&
      !isNarrowFloatBits(left) && !isNarrowFloatBits(right);
  const lower = (index: number, exit: NullExit) =>
    builder.stable("value", valueOf(context, sides[index]!, exit, asFloat));
  const keep = (value: Scalar) => builder.keep("value", value);
  const [a, b] = lowerOperands(context, sides, { lower, keep }, onNull);
  return compareNumbers(builder, type, op, a!, b!);
}

/** Returns the result of a call. */
function resultValue(
  { type }: Tree,
  result: LowerValue | null,
  asFloat: boolean,
): Scalar {
  if (result?.is === "scalar") return floatForm(result.scalar, asFloat && type.kind === "float");
  if (result?.is !== "wide") return anyValue(type, asFloat);
  return binary("join", result.low, result.high, asFloat ? "f64" : "i64");
}

/** Returns a float64 as an f64 or as its bits; other values stay as they are. */
function floatForm(value: Scalar, asFloat: boolean): Scalar {
  if (value.type === "f64") return asFloat ? value : convert("bits", "i64", value);
  return asFloat && value.type === "i64" ? convert("bits", "f64", value) : value;
}

function chosenValue(
  context: LowerContext,
  tree: Tree & { node: "choose" },
  onNull: NullExit,
  asFloat: boolean,
): Scalar {
  const { builder } = context;
  const test = truthOf(context, tree.test);
  if (test.op === "const") {
    return valueOf(context, test.value === true ? tree.yes : tree.no, onNull, asFloat);
  }
  const values: Scalar[] = [];
  const branch = (side: Tree, outcome: boolean) =>
    builder.collect(() => {
      builder.facts.assume(test, outcome);
      values.push(valueOf(context, side, onNull, asFloat));
    });
  const yes = branch(tree.yes, true);
  const no = branch(tree.no, false);
  const none = anyValue(tree.type, asFloat);
  const [a = none, b = none] = values;
  if (yes.statements.length + no.statements.length === 0) {
    return select(builder.stable("test", test), a, b);
  }
  const join = new Join(builder, "chosen");
  const finish = (path: typeof yes, value: Scalar) => () => {
    builder.splice(path);
    join.set([value]);
  };
  join.around(() => builder.if(test, finish(yes, a), finish(no, b)));
  return join.locals[0] ?? none;
}

function filledValue(
  context: LowerContext,
  tree: Tree & { node: "fillNull" },
  onNull: NullExit,
  asFloat: boolean,
): Scalar {
  const { builder } = context;
  if (!canBeNull(tree.value, context.variant)) {
    return valueOf(context, tree.value, onNull, asFloat);
  }
  const { other } = tree;
  if (other.node === "literal" && other.value === false) return truthOf(context, tree.value);
  const join = new Join(builder, "filled");
  join.around(() =>
    builder.block("filled", (done) => {
      builder.block("absent", (absent) => {
        join.set([valueOf(context, tree.value, absent, asFloat)]);
        done();
      });
      join.set([valueOf(context, tree.other, onNull, asFloat)]);
    })
  );
  return join.locals[0] ?? anyValue(tree.type, asFloat);
}

/** Returns any value, for code that is never reached. */
function anyValue(type: ColumnType, asFloat: boolean): Scalar {
  if (type.kind !== "bool" && type.kind !== "int" && type.kind !== "float") return int(0);
  const scalar = scalarType(type, asFloat);
  return constant(scalar, scalar === "bool" ? false : 0);
}
