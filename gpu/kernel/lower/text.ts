/**
 * Lowers trees of text: to views where the bytes exist already, else by writing to a sink.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { Scalar } from "../ir/ir.ts";
import { argumentsOf, inlineTree } from "./call.ts";
import type { LowerContext } from "./lower_context.ts";
import { type NullExit, sameSpace, type SpaceRef, type ViewValue } from "./lower_value.ts";
import { Join } from "./row_builder.ts";
import { canBeNull } from "./can_be_null.ts";
import { checkNull, failFirst, isFoundFirst, nullsComeFirst, truthOf } from "./logic.ts";
import { mapSink } from "./map.ts";
import type { LowerSink } from "./sink.ts";
import type { RowFunction } from "../language/row_function.ts";
import { notedView } from "./view.ts";
import { bool } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { isViewable, mapOf } from "../tree/tree_facts.ts";
import { bodyOf } from "../parse/row_code.ts";

/** Returns the text of a tree whose bytes exist already. Leaves if it is null. */
export function viewOf(context: LowerContext, tree: Tree, onNull: NullExit): ViewValue {
  switch (tree.node) {
    case "column": {
      context.checkValid(tree.index, onNull);
      const column = context.column(tree.index);
      return notedView(context, {
        space: { one: { space: "column", column } },
        start: { op: "start", type: "i32", column },
        stop: { op: "stop", type: "i32", column },
        ascii: tree.isBytes !== true && context.isAscii(tree.index),
      });
    }
    case "literal":
      if (tree.value === null) onNull();
      return context.literal(new TextEncoder().encode(String(tree.value ?? "")));
    case "call": {
      const result = inlineTree(context, tree, null, onNull);
      return result?.is === "view" ? result.view : context.literal(new Uint8Array());
    }
    case "choose":
      return chosenView(context, tree, onNull);
    case "fillNull":
      return filledView(context, tree, onNull);
    default:
      throw new InternalError(`The text of ${tree.node} must be a column of its own here`);
  }
}

function chosenView(
  context: LowerContext,
  tree: Tree & { node: "choose" },
  onNull: NullExit,
): ViewValue {
  const { builder } = context;
  const test = truthOf(context, tree.test);
  if (test.op === "const") return viewOf(context, test.value === true ? tree.yes : tree.no, onNull);
  // Every use of the view asks which space the text is in, so the answer is kept.
  const chosen = builder.rowVariable("chosen", "bool");
  builder.set(chosen, test);
  const views: ViewValue[] = [];
  const branch = (side: Tree, outcome: boolean) =>
    builder.collect(() => {
      builder.facts.assume(test, outcome);
      views.push(viewOf(context, side, onNull));
    });
  const yes = branch(tree.yes, true);
  const no = branch(tree.no, false);
  const [a, b] = views;
  if (a === undefined || b === undefined) throw new InternalError("A choice has two sides");
  const join = new Join(builder, "chosen");
  join.around(() => {
    builder.if(
      chosen,
      () => finish(context, yes, join, a),
      () => finish(context, no, join, b),
    );
  });
  return joinedView(context, yes.facts.dead ? b : no.facts.dead ? a : placeOf(chosen, a, b), join);
}

function filledView(
  context: LowerContext,
  tree: Tree & { node: "fillNull" },
  onNull: NullExit,
): ViewValue {
  const { builder } = context;
  if (!canBeNull(tree.value, context.variant)) return viewOf(context, tree.value, onNull);
  const present = builder.rowVariable("present", "bool");
  const join = new Join(builder, "filled");
  const views: ViewValue[] = [];
  join.around(() => {
    builder.block("filled", (done) => {
      builder.block("absent", (absent) => {
        const view = viewOf(context, tree.value, absent);
        if (!builder.dead) views.push(view);
        builder.set(present, bool(true));
        join.set([view.start, view.stop]);
        done();
      });
      if (builder.dead) return;
      const view = viewOf(context, tree.other, onNull);
      if (!builder.dead) views.push(view);
      builder.set(present, bool(false));
      join.set([view.start, view.stop]);
    });
  });
  const [a, b = a] = views;
  if (a === undefined || b === undefined) return context.literal(new Uint8Array());
  return joinedView(context, placeOf(present, a, b), join);
}

function finish(
  context: LowerContext,
  path: ReturnType<LowerContext["builder"]["collect"]>,
  join: Join,
  view: ViewValue,
): void {
  context.builder.splice(path);
  join.set([view.start, view.stop]);
}

function joinedView(
  context: LowerContext,
  place: Pick<ViewValue, "space" | "ascii">,
  join: Join,
): ViewValue {
  const [start, stop] = join.locals;
  if (start === undefined || stop === undefined) return context.literal(new Uint8Array());
  return notedView(context, {
    space: place.space,
    ascii: place.ascii,
    start: context.builder.stable("start", start),
    stop: context.builder.stable("stop", stop),
  });
}

function placeOf(
  test: Scalar,
  yes: ViewValue,
  no: ViewValue,
): { space: SpaceRef; ascii: boolean } {
  const space = sameSpace(yes.space, no.space) ? yes.space : { test, yes: yes.space, no: no.space };
  return { space, ascii: yes.ascii && no.ascii };
}

/** Writes the text of a tree. Leaves if it is null, perhaps after a part was written. */
export function writeText(
  context: LowerContext,
  tree: Tree,
  sink: LowerSink,
  onNull: NullExit,
): void {
  const { builder } = context;
  switch (tree.node) {
    case "concat":
      return writeParts(context, tree.parts, sink, onNull);
    case "choose":
      return builder.if(
        truthOf(context, tree.test),
        () => writeText(context, tree.yes, sink, onNull),
        () => writeText(context, tree.no, sink, onNull),
      );
    case "fillNull":
      return writeFilled(context, tree, sink, onNull);
    case "call": {
      const map = mapOf(tree);
      if (map !== null) return writeMapped(context, tree, map, sink, onNull);
      if (tree.fn.kind === "emit") {
        inlineTree(context, tree, sink, onNull);
        return;
      }
      return sink.copy(viewOf(context, tree, onNull));
    }
    default:
      return sink.copy(viewOf(context, tree, onNull));
  }
}

function writeMapped(
  context: LowerContext,
  tree: Tree & { node: "call" },
  fn: RowFunction,
  sink: LowerSink,
  onNull: NullExit,
): void {
  failFirst(context, [tree.text, ...tree.args]);
  const args = argumentsOf(context, tree, onNull);
  const isWritten = !isViewable(tree.text);
  const write = (leave?: () => void) => {
    const input = leave === undefined ? { isWritten } : { isWritten, leave };
    writeText(context, tree.text, mapSink(context, fn, args, sink, input), onNull);
  };
  // A null after the point where the operation ends must not be missed.
  if (!bodyOf(fn).canEnd || !nullsComeFirst(tree.text, context.variant)) return write();
  context.builder.block(`${fn.name}_text`, write);
}

function writeParts(
  context: LowerContext,
  parts: readonly Tree[],
  sink: LowerSink,
  onNull: NullExit,
): void {
  failFirst(context, parts);
  const views = parts.map((part) => isFoundFirst(part) ? viewOf(context, part, onNull) : null);
  parts.forEach((part, index) => {
    const view = views[index];
    if (view) sink.copy(view);
    else writeText(context, part, sink, onNull);
  });
}

function writeFilled(
  context: LowerContext,
  tree: Tree & { node: "fillNull" },
  sink: LowerSink,
  onNull: NullExit,
): void {
  const { builder } = context;
  if (!canBeNull(tree.value, context.variant)) return writeText(context, tree.value, sink, onNull);
  builder.block("filled", (done) => {
    builder.block("absent", (absent) => {
      // Written text can only be dropped with the whole row, so nulls are checked for first.
      if (!nullsComeFirst(tree.value, context.variant)) checkNull(context, tree.value, absent);
      writeText(context, tree.value, sink, absent);
      done();
    });
    writeText(context, tree.other, sink, onNull);
  });
}
