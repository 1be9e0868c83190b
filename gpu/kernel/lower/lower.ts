/**
 * Lowers a kernel to the code of one row: everything is inlined, and no calls are left.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { KernelIR, Scalar, Variant } from "../ir/ir.ts";
import { asByteMap, partsFirst } from "./byte_map.ts";
import { LowerContext } from "./lower_context.ts";
import { inlineTree } from "./call.ts";
import type { NullExit } from "./lower_value.ts";
import { withIdioms } from "./loop_idioms.ts";
import { neededSeekOf } from "./needed_seek.ts";
import { withoutNeedlessTests } from "./ranges.ts";
import { pairOf } from "./pair.ts";
import { listSink, rowSink } from "./sink.ts";
import { someStatement } from "../ir/visit.ts";
import { viewOf, writeText } from "./text.ts";
import { valueOf } from "./value.ts";
import type { Kernel, Tree } from "../tree/tree.ts";

/**
 * Lowers a kernel for the batches that `variant` describes. `columnTypes` are those of the columns
 * of the program, including the results of earlier kernels.
 */
export function lowerKernel(
  kernel: Kernel,
  columnTypes: readonly ColumnType[],
  variant: Variant,
): KernelIR {
  const tree = variant.ascii ? partsFirst(kernel.tree) : kernel.tree;
  const byteMap = variant.ascii ? asByteMap(tree) : null;
  if (byteMap !== null) return { ...byteMap, label: kernel.label };

  const context = new LowerContext({
    ...{ types: columnTypes, variant, tree, asciiColumns: kernel.asciiColumns },
    trees: { viewOf, valueOf, pairOf },
  });
  const { builder } = context;
  const onNull = () => {
    if (!builder.dead) context.hasNull = true;
    builder.push({ do: "null" });
  };
  if (tree.type.kind === "string") {
    writeText(context, tree, rowSink(context), onNull);
  } else if (tree.type.kind === "list") {
    writeList(context, tree, onNull);
  } else if (tree.type.kind === "fixed") {
    const { low, high } = pairOf(context, tree, onNull);
    builder.push({ do: "result", words: [low, high] });
  } else {
    builder.push({ do: "result", words: wordsOf(valueOf(context, tree, onNull)) });
  }
  const body = withIdioms(withoutNeedlessTests(builder.statements, context.columnTypes));
  return {
    kernel: "row",
    label: kernel.label,
    columns: context.columns,
    columnTypes: context.columnTypes,
    type: kernel.type,
    canBeNull: context.hasNull && someStatement(body, (stmt) => stmt.do === "null"),
    literals: context.literals,
    tables: context.tables,
    ...(context.scratch.total > 0 ? { scratchWords: context.scratch.total } : {}),
    body,
    ...neededSeekOf(kernel.type, body),
    ascii: context.asciiText,
    backward: tree.node === "call" && tree.fn.backward,
  };
}

/** Returns the scalars to store: two words of 64 bits that were computed one by one. */
function wordsOf(value: Scalar): readonly Scalar[] {
  const isJoined = value.op === "binary" && value.fn === "join";
  return isJoined ? [value.left, value.right] : [value];
}

/** Writes the list of a tree. Takes the exit if it is null, maybe after some of it was written. */
function writeList(context: LowerContext, tree: Tree, onNull: NullExit): void {
  if (tree.node === "literal" && tree.value === null) return onNull();
  if (tree.node !== "call") throw new InternalError(`${tree.node} cannot make a list`);
  inlineTree(context, tree, listSink(context, tree.fn.backward), onNull);
}
