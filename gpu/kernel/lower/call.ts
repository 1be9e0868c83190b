/**
 * Calls of row functions in a tree: their subjects and arguments, then the inlined code. A call
 * that occurs in the tree more than once is computed once, on paths that have computed it.
 *
 * @module
 */

import { canFail } from "../tree/tree_facts.ts";
import { InternalError } from "../../../base/errors/internal_error.ts";
import type { LowerValue, NullExit, ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { lowerOperands } from "./operands.ts";
import { inlineCall } from "./row_function.ts";
import type { LowerSink } from "./sink.ts";
import { convert, int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import type { Scalar } from "../ir/ir.ts";
import { notedView } from "./view.ts";

type Call = Tree & { node: "call" };

/**
 * Inlines a call that is no map. Returns the result of a view or a measure; the others have none.
 */
export function inlineTree(
  context: LowerContext,
  tree: Call,
  sink: LowerSink | null,
  onNull: NullExit,
): LowerValue | null {
  const inline = () => inlineAnew(context, tree, sink, onNull);
  return sink === null ? callOnce(context, tree, inline) : inline();
}

function inlineAnew(
  context: LowerContext,
  tree: Call,
  sink: LowerSink | null,
  onNull: NullExit,
): LowerValue | null {
  const { fn, text, strict } = tree;
  let subject: LowerValue | undefined;
  const args: LowerValue[] = [];
  if (tree.args.some(canFail)) {
    const operands = operandsOf(context, tree, onNull);
    subject = operands[0];
    args.push(...operands.slice(1));
  } else {
    // The usual way takes less of the stack, where expressions are deep.
    subject = subjectOf(context, tree, onNull);
    for (let at = 0; at < tree.args.length; at++) {
      args.push(...argumentOf(context, tree, at, onNull));
    }
  }
  const floatBits = text.type.kind === "float" ? text.type.bits : 64;
  const onFailure = () => context.builder.push({ do: "fail" });
  return inlineCall(context, {
    ...{ fn, subject: subject!, args, sink, floatBits },
    onNull: strict === true ? onFailure : onNull,
  });
}

/** Returns the subject of a call, and its arguments, of which one may fail. */
function operandsOf(context: LowerContext, tree: Call, onNull: NullExit): LowerValue[] {
  const lower = (index: number, exit: NullExit) =>
    index === 0 ? [subjectOf(context, tree, exit)] : argumentOf(context, tree, index - 1, exit);
  const keep = (values: LowerValue[]) =>
    values.map((value) => keptValue(context, tree.fn.name, value));
  return lowerOperands(context, [tree.text, ...tree.args], { lower, keep }, onNull).flat();
}

/**
 * Lowers the subject of a call to the form that its row function takes. Ends the row if it is null.
 */
function subjectOf(context: LowerContext, { fn, text }: Call, onNull: NullExit): LowerValue {
  if (fn.subject === "list") return listOf(context, text, onNull);
  if (fn.subject === "string") {
    return { is: "view", view: context.trees.viewOf(context, text, onNull) };
  }
  if (fn.subject === "i128") return { is: "wide", ...context.trees.pairOf(context, text, onNull) };
  const { builder } = context;
  const value = context.trees.valueOf(context, text, onNull, fn.subject === "f64");
  if (fn.subject !== "words") return { is: "scalar", scalar: builder.stable("value", value) };
  const whole = isReadInWords(value) ? value : builder.stable("value", value);
  const half = (fn: "low" | "high") => builder.stable("value", convert(fn, "i32", whole));
  return { is: "wide", low: half("low"), high: half("high") };
}

/** Whether the two words of 64 bits are computed or read one by one. */
function isReadInWords(value: Scalar): boolean {
  return value.op === "const" || value.op === "long" ||
    (value.op === "binary" && value.fn === "join") ||
    (value.op === "convert" && value.fn.startsWith("extend"));
}

/** Returns a list that is read; it is always a column. */
function listOf(context: LowerContext, tree: Tree, onNull: NullExit): LowerValue {
  if (tree.node !== "column") throw new InternalError("A list must be a column of its own here");
  context.checkValid(tree.index, onNull);
  const column = context.column(tree.index);
  const edge = (op: "start" | "stop") => ({ op, type: "i32", column }) as const;
  return { is: "list", list: { column, start: edge("start"), stop: edge("stop") } };
}

/** Returns the arguments of a call, in order: two for an i128. */
export function argumentsOf(context: LowerContext, tree: Call, onNull: NullExit): LowerValue[] {
  const lower = (index: number, exit: NullExit) => argumentOf(context, tree, index, exit);
  const keep = (values: LowerValue[]) =>
    values.map((value) => keptValue(context, tree.fn.name, value));
  return lowerOperands(context, tree.args, { lower, keep }, onNull).flat();
}

function argumentOf(
  context: LowerContext,
  tree: Call,
  index: number,
  onNull: NullExit,
): LowerValue[] {
  const arg = tree.args[index]!;
  if (arg.type.kind === "string") {
    return [{ is: "view", view: context.trees.viewOf(context, arg, onNull) }];
  }
  const type = tree.fn.args[index]?.type;
  if (type === "i128") {
    const { low, high } = context.trees.pairOf(context, arg, onNull);
    return [{ is: "scalar", scalar: low }, { is: "scalar", scalar: high }];
  }
  const value = context.trees.valueOf(context, arg, onNull, type === "f64");
  return [{ is: "scalar", scalar: context.builder.stable("arg", value) }];
}

/**
 * Returns the value of a call; computes it only if no equal call was computed on the path to here.
 * A remembered value was not null.
 */
function callOnce(
  context: LowerContext,
  tree: Tree & { node: "call" },
  compute: () => LowerValue | null,
): LowerValue | null {
  const { builder, values } = context;
  const number = context.repeated.keyOf(tree);
  if (number === undefined) return compute();
  const key = `call ${number}`;
  const known = builder.facts.recall(key);
  if (known?.op === "const") return values[Number(known.value)] ?? null;
  const value = compute();
  if (value === null || builder.dead) return value;
  const kept = keptValue(context, tree.fn.name, value);
  // The facts remember an index into `values`: a view has a space besides its numbers.
  builder.facts.remember(key, int(values.push(kept) - 1));
  return kept;
}

/** Returns a value that can be read wherever control gets in the row from here. */
function keptValue(context: LowerContext, name: string, value: LowerValue): LowerValue {
  const keep = (scalar: Scalar, part = name) => context.builder.keep(part, scalar);
  switch (value.is) {
    case "scalar":
      return { is: "scalar", scalar: keep(value.scalar) };
    case "list":
      return value;
    case "wide":
      return { is: "wide", low: keep(value.low), high: keep(value.high) };
    case "view":
      return { is: "view", view: keptView(context, name, value.view) };
  }
}

/** Returns a view that can be read wherever control gets in the row from here. */
export function keptView(context: LowerContext, name: string, view: ViewValue): ViewValue {
  const { builder } = context;
  const start = builder.keep(`${name}_start`, view.start);
  const stop = builder.keep(`${name}_stop`, view.stop);
  return notedView(context, { ...view, start, stop });
}
