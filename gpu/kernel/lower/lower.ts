/**
 * From a kernel to the code of one row: everything is inlined, nothing is left to call.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { ByteMapKernel, KernelIR, Variant } from "../ir/ir.ts";
import { byteMapOf } from "./byte_map.ts";
import { LowerContext } from "./lower_context.ts";
import { writeList } from "./list.ts";
import { withIdioms } from "./loop_idioms.ts";
import { neededSeekOf } from "./needed_seek.ts";
import { partsFirst } from "./parts_first.ts";
import { rowSink } from "./sink.ts";
import { writeText } from "./text.ts";
import { valueOf } from "./value.ts";
import type { Kernel, Tree } from "../tree/tree.ts";

/**
 * Lowers a kernel for the batches that `variant` describes. `columnTypes` are those of the columns
 * of the program, the results of earlier kernels included.
 */
export function lowerKernel(
  kernel: Kernel,
  columnTypes: readonly ColumnType[],
  variant: Variant,
): KernelIR {
  const tree = variant.ascii ? partsFirst(kernel.tree) : kernel.tree;
  const byteMap = variant.ascii ? asByteMap(tree) : null;
  if (byteMap !== null) return { ...byteMap, label: kernel.label };

  const context = new LowerContext(columnTypes, variant, tree, kernel.asciiColumns);
  const { builder } = context;
  const onNull = () => {
    if (!builder.dead) context.hasNull = true;
    builder.push({ do: "null" });
  };
  if (tree.type.kind === "string") {
    writeText(context, tree, rowSink(context), onNull);
  } else if (tree.type.kind === "list") {
    writeList(context, tree, onNull);
  } else {
    const words = valueOf(context, tree, onNull);
    builder.push({ do: "result", words });
  }
  const body = withIdioms(builder.statements);
  return {
    kernel: "row",
    label: kernel.label,
    columns: context.columns,
    columnTypes: context.columnTypes,
    type: kernel.type,
    canBeNull: context.hasNull,
    literals: context.literals,
    tables: context.tables,
    ...(context.scratch.total > 0 ? { scratchWords: context.scratch.total } : {}),
    body,
    ...neededSeekOf(kernel.type, context.hasNull, body),
    ascii: context.asciiText,
    backward: tree.node === "call" && tree.fn.backward,
  };
}

/** The kernel as a chain of maps of one byte to one byte over a column, or null. */
function asByteMap(tree: Tree): ByteMapKernel | null {
  const byteMap = tree.node === "call" ? byteMapOf(tree) : null;
  if (tree.node !== "call" || byteMap === null) return null;
  const { table } = byteMap;
  if (tree.text.node === "column") {
    const { index } = tree.text;
    return { kernel: "byteMap", label: "", columns: [index], type: tree.type, map: table };
  }
  const inner = asByteMap(tree.text);
  return inner && { ...inner, map: inner.map.map((byte) => table[byte] ?? 0) };
}
