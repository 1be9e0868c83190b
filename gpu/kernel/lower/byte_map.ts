/** @module */

import { ConstantView } from "../fold/constant_view.ts";
import type { Constant } from "../fold/interpret.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "../tree/tree.ts";
import { plainMapOf } from "../tree/tree_facts.ts";
import { asciiTable } from "./map.ts";

/** A map of each byte of ASCII text to another one. */
export interface TreeByteMap {
  readonly fn: RowFunction;
  /** What it makes of the 128 bytes. */
  readonly table: Uint8Array;
}

/** What a call does with ASCII text where that is to replace each byte by another, or null. */
export function byteMapOf(tree: Tree & { node: "call" }): TreeByteMap | null {
  const fn = plainMapOf(tree);
  if (fn === null) return null;
  const args = tree.args.map(constantArgument);
  if (args.some((arg) => arg === null)) return null;
  const table = asciiTable(fn, args as Constant[]);
  return table && { fn, table };
}

function constantArgument(tree: Tree): Constant | null {
  if (tree.node !== "literal" || tree.value === null) return null;
  if (typeof tree.value === "string") {
    return new ConstantView(new TextEncoder().encode(tree.value));
  }
  return typeof tree.value === "boolean" ? tree.value : Number(tree.value);
}
