/**
 * Text whose bytes are replaced one by one, which needs no code for a row.
 *
 * @module
 */

import { ConstantView } from "../fold/constant_view.ts";
import type { Constant } from "../fold/interpret.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf, isViewable, plainMapOf, withChildren } from "../tree/tree_facts.ts";
import { asciiTable } from "./map.ts";
import { isAsciiText, isPositional } from "./function_facts.ts";
import type { ByteMapKernel } from "../ir/ir.ts";

/** Returns a tree as a chain of byte maps over a column, or null. */
export function asByteMap(tree: Tree): ByteMapKernel | null {
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

type Call = Tree & { node: "call" };

/**
 * Returns the same tree for columns of ASCII text, in which a part of a byte-mapped text is the
 * byte map of the part: `name.upper().slice(0, 3)` becomes `name.slice(0, 3).upper()`. The part is
 * a view then, of which many bytes are replaced at a time.
 */
export function partsFirst(tree: Tree): Tree {
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  const whole = withChildren(tree, children.map(partsFirst));
  return whole.node === "call" ? partBelowMaps(whole) ?? whole : whole;
}

/**
 * Moves the byte maps of a part's text around the part; returns null if there are none, or if the
 * part does not depend on positions alone.
 */
function partBelowMaps(part: Call): Tree | null {
  const { text: mapped } = part;
  if (mapped.node !== "call" || !isPositional(part.fn)) return null;
  const map = byteMapOf(mapped);
  if (map === null) return null;
  const { text } = mapped;
  const inner = { ...part, text };
  const isPlain = isViewable(text) && isAsciiText(text, Infinity);
  const below = isPlain ? inner : partBelowMaps(inner);
  return below && { ...mapped, fn: map.fn, text: below };
}

/** A map of each byte of ASCII text to another one. */
interface TreeByteMap {
  readonly fn: RowFunction;
  /** The replacement of each of the 128 bytes. */
  readonly table: Uint8Array;
}

/** Returns the byte map of a call over ASCII text; null if it has none. */
function byteMapOf(tree: Tree & { node: "call" }): TreeByteMap | null {
  const fn = plainMapOf(tree);
  if (fn === null) return null;
  const args = tree.args.map(constantArgument);
  if (args.some((arg) => arg === null)) return null;
  const table = asciiTable(fn, args as Constant[]);
  return table && { fn, table };
}

/** Returns an argument that is known at compile time, or null. */
export function constantArgument(tree: Tree): Constant | null {
  if (tree.node !== "literal" || tree.value === null) return null;
  if (typeof tree.value === "string") {
    return new ConstantView(new TextEncoder().encode(tree.value));
  }
  return typeof tree.value === "boolean" ? tree.value : Number(tree.value);
}
