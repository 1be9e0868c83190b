/** @module */

import { isAsciiText } from "../partition/ascii_text.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf, isViewable, withChildren } from "../tree/tree_facts.ts";
import { byteMapOf } from "./byte_map.ts";
import { isPositional } from "./positional.ts";

type Call = Tree & { node: "call" };

/**
 * The same tree for columns of ASCII text, in which a part of a text whose bytes are replaced one by
 * one is the part of the text itself, its bytes replaced: `name.upper().slice(0, 3)` becomes
 * `name.slice(0, 3).upper()`. The part is a view then, of which the bytes are replaced many at once.
 */
export function partsFirst(tree: Tree): Tree {
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  const whole = withChildren(tree, children.map(partsFirst));
  return whole.node === "call" ? partBelowMaps(whole) ?? whole : whole;
}

/**
 * A part with the maps of bytes that its text goes through around it; null where there are none, or
 * where it is no part by positions.
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
