/**
 * Lowers trees to values of fixed width: one scalar, or two words for 64-bit integers and floats.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { NullExit, Words } from "./lower_value.ts";
import type { Scalar } from "../ir/ir.ts";
import { inlineTree } from "./call.ts";
import type { LowerContext } from "./lower_context.ts";
import { Join } from "./row_builder.ts";
import { canBeNull, logicValue, nullness, truthOf } from "./logic.ts";
import { addNumbers, castNumber, columnNumber, compareNumbers, literalNumber } from "./number.ts";
import { compareViews, equalViews } from "./search.ts";
import { viewOf } from "./text.ts";
import { binary, bool, int, not, select } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { isFloatSum } from "../tree/tree_facts.ts";

/**
 * Lowers a tree to its value. Leaves if it is null. A floating-point sum is one f64; with `asFloat`
 * every float is.
 */
export function valueOf(
  context: LowerContext,
  tree: Tree,
  onNull: NullExit,
  asFloat: boolean = isFloatSum(tree),
): Words {
  const { builder } = context;
  switch (tree.node) {
    case "column": {
      const column = context.column(tree.index);
      context.checkValid(tree.index, onNull);
      if (tree.type.kind === "bool") return [{ op: "bit", type: "bool", column }];
      return columnNumber(tree.type, column, asFloat);
    }
    case "literal":
      if (tree.value === null) onNull();
      if (tree.type.kind === "bool") return [bool(tree.value === true)];
      return literalNumber(tree.type, tree.value ?? 0, asFloat);
    case "call": {
      const result = inlineTree(context, tree, null, onNull);
      if (result?.is === "scalar") return [result.scalar];
      if (result?.is === "wide") return [result.low, result.high];
      return noWords(tree.type);
    }
    case "choose":
      return chosenValue(context, tree, onNull, asFloat);
    case "fillNull":
      return filledValue(context, tree, onNull, asFloat);
    case "compare":
      return [compareValue(context, tree, onNull)];
    case "and":
    case "or":
      return [logicValue(context, tree, onNull)];
    case "not": {
      const [value] = valueOf(context, tree.value, onNull);
      return [not(value ?? bool(false))];
    }
    case "isNull":
      return [nullness(context, tree.value)];
    case "add": {
      const left = valueOf(context, tree.left, onNull, asFloat);
      const right = valueOf(context, tree.right, onNull, asFloat);
      return addNumbers(builder, tree.type, left, right, onNull);
    }
    case "cast": {
      const value = valueOf(context, tree.value, onNull, asFloat);
      return asFloat ? value : castNumber(builder, tree.value.type, tree.type, value);
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
  if (type.kind === "string") {
    const a = viewOf(context, left, onNull);
    const b = viewOf(context, right, onNull);
    if (op === "==") return equalViews(context, a, b);
    if (op === "!=") return not(equalViews(context, a, b));
    return binary(op, compareViews(context, a, b), int(0));
  }
  const asFloat = isFloatSum(left) || isFloatSum(right);
  const a = stableWords(context, valueOf(context, left, onNull, asFloat));
  const b = stableWords(context, valueOf(context, right, onNull, asFloat));
  return compareNumbers(context.builder, type, op, a, b);
}

function stableWords(context: LowerContext, words: Words): Words {
  return words.map((word) => context.builder.stable("value", word));
}

function chosenValue(
  context: LowerContext,
  tree: Tree & { node: "choose" },
  onNull: NullExit,
  asFloat: boolean,
): Words {
  const { builder } = context;
  const test = truthOf(context, tree.test);
  if (test.op === "const") {
    return valueOf(context, test.value === true ? tree.yes : tree.no, onNull, asFloat);
  }
  const values: Words[] = [];
  const branch = (side: Tree, outcome: boolean) =>
    builder.collect(() => {
      builder.facts.assume(test, outcome);
      values.push(valueOf(context, side, onNull, asFloat));
    });
  const yes = branch(tree.yes, true);
  const no = branch(tree.no, false);
  const [a = [], b = []] = values;
  if (yes.statements.length + no.statements.length === 0) {
    const decided = builder.stable("test", test);
    return a.map((word, index) => select(decided, word, b[index] ?? word));
  }
  const join = new Join(builder, "chosen");
  const finish = (path: typeof yes, words: Words) => () => {
    builder.splice(path);
    join.set(words);
  };
  join.around(() => builder.if(test, finish(yes, a), finish(no, b)));
  return joinedWords(join, tree.type);
}

function filledValue(
  context: LowerContext,
  tree: Tree & { node: "fillNull" },
  onNull: NullExit,
  asFloat: boolean,
): Words {
  const { builder } = context;
  if (!canBeNull(tree.value, context.variant)) {
    return valueOf(context, tree.value, onNull, asFloat);
  }
  const join = new Join(builder, "filled");
  join.around(() =>
    builder.block("filled", (done) => {
      builder.block("absent", (absent) => {
        join.set(valueOf(context, tree.value, absent, asFloat));
        done();
      });
      join.set(valueOf(context, tree.other, onNull, asFloat));
    })
  );
  return joinedWords(join, tree.type);
}

/** Returns the joined variables, or any value if no path gets here. */
function joinedWords(join: Join, type: ColumnType): Words {
  if (join.locals.length > 0) return join.locals;
  return noWords(type);
}

/** Returns any value, for code that is never reached. */
function noWords(type: ColumnType): Words {
  return type.kind === "bool" ? [bool(false)] : [int(0), int(0)];
}
