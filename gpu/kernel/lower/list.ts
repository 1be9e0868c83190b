/**
 * Lists that are the result of a kernel.
 *
 * @module
 */

import { inlineTree } from "./call.ts";
import type { LowerContext, NullExit } from "./lower_context.ts";
import { type LowerSink, rowSink } from "./sink.ts";
import { binary } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

/** Writes the list of a tree. Leaves where it is null, perhaps after a part was written. */
export function writeList(context: LowerContext, tree: Tree, onNull: NullExit): void {
  if (tree.node === "literal" && tree.value === null) return onNull();
  if (tree.node !== "call") throw new Error(`${tree.node} cannot make a list`);
  inlineTree(context, tree, listSink(context, tree.fn.backward), onNull);
}

/** The sink that appends to the items of the row, or `backward` puts each before the others. */
function listSink(context: LowerContext, backward: boolean): LowerSink {
  const { builder } = context;
  const sink = rowSink(context);
  const endItem = () => builder.push({ do: "endItem" });
  return {
    ...sink,
    endItem,
    item(view) {
      if (backward) builder.push({ do: "beginItem", bytes: binary("-", view.stop, view.start) });
      sink.copy(view);
      endItem();
    },
    number: (value) => builder.push({ do: "number", value }),
  };
}
