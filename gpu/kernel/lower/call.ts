/**
 * Calls of row functions in a tree: what they work on and their arguments, then the inlined code.
 *
 * @module
 */

import type { LowerValue } from "./inline_locals.ts";
import type { LowerContext, NullExit } from "./lower_context.ts";
import { callOnce } from "./once.ts";
import { inlineCall } from "./row_function.ts";
import type { LowerSink } from "./sink.ts";
import { checkValid, viewOf } from "./text.ts";
import { valueOf } from "./value.ts";
import { int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

type Call = Tree & { node: "call" };

/** Inlines a call that is no map. Gives the result of a view or a measure; the others have none. */
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
  const { fn, text } = tree;
  const subject = subjectOf(context, tree, onNull);
  const args = argumentsOf(context, tree, onNull);
  const isNarrow = text.type.kind === "float" && text.type.bits === 32;
  const floatBits = isNarrow ? 32 : 64;
  return inlineCall(context, { fn, subject, args, sink, onNull, floatBits });
}

/** What a call works on, in the form that its row function takes. Leaves where it is null. */
function subjectOf(context: LowerContext, { fn, text }: Call, onNull: NullExit): LowerValue {
  if (fn.subject === "list") return listOf(context, text, onNull);
  if (fn.subject === "string") return { is: "view", view: viewOf(context, text, onNull) };
  const { builder } = context;
  const words = valueOf(context, text, onNull, fn.subject === "f64");
  const [first = int(0), second = int(0)] = words.map((word) => builder.stable("value", word));
  if (fn.subject === "i64") return { is: "wide", low: first, high: second };
  return { is: "scalar", scalar: first };
}

/** A list that is read; it is always a column. */
function listOf(context: LowerContext, tree: Tree, onNull: NullExit): LowerValue {
  if (tree.node !== "column") throw new Error("A list must be a column of its own here");
  checkValid(context, tree.index, onNull);
  const column = context.column(tree.index);
  const edge = (op: "start" | "stop") => ({ op, type: "i32", column }) as const;
  return { is: "list", list: { column, start: edge("start"), stop: edge("stop") } };
}

/** The arguments of a call, in order. */
export function argumentsOf(context: LowerContext, tree: Call, onNull: NullExit): LowerValue[] {
  return tree.args.map((arg): LowerValue => {
    if (arg.type.kind === "string") return { is: "view", view: viewOf(context, arg, onNull) };
    const [scalar] = valueOf(context, arg, onNull);
    return { is: "scalar", scalar: context.builder.stable("arg", scalar ?? int(0)) };
  });
}
