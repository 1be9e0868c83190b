/**
 * Defines `replaceMany`, which replaces several texts in one pass by a trie of their bytes.
 *
 * @module
 */

import { callNode } from "../syntax/call_node.ts";
import { dataNode, literalNode } from "../syntax/literal.ts";
import type { ExprNode } from "../syntax/node.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define/define_string_op.ts";
import { replace } from "./replace.ts";
import { textWriter, translate } from "./translate.ts";

/**
 * Returns the tables of `replaceMany`. A target that starts with an earlier one of the list can never
 * win, and is left out. So of the targets on a path of the trie, the deepest is first in the list.
 */
function replaceManyTables(targets: readonly string[], replacements: readonly string[]) {
  const trie = new ByteTrie();
  targets.forEach((target, index) => trie.add(new TextEncoder().encode(target), index + 1));
  return { ...trie.tables(), putText: textWriter(replacements) };
}

/** A trie of the bytes of texts, in tables; node 0 means none. */
class ByteTrie {
  /** The node of depth 1 for each byte. */
  readonly #roots = new Int32Array(256);
  /** The byte of each node. */
  readonly #bytes = [0];
  /** The first node below each node. */
  readonly #children = [0];
  /** The next node beside each node. */
  readonly #siblings = [0];
  /** The number, counted from 1, of the target that ends in each node; 0 for none. */
  readonly #targets = [0];

  /** Adds a text, unless a text added before is a prefix of it. */
  add(text: Uint8Array, target: number): void {
    let node = 0;
    for (const [index, byte] of text.entries()) {
      node = index === 0 ? this.#root(byte) : this.#child(node, byte);
      if (this.#targets[node] !== 0) return;
    }
    this.#targets[node] = target;
  }

  tables() {
    return {
      roots: this.#roots,
      bytes: Int32Array.from(this.#bytes),
      children: Int32Array.from(this.#children),
      siblings: Int32Array.from(this.#siblings),
      targets: Int32Array.from(this.#targets),
    };
  }

  #root(byte: number): number {
    if (this.#roots[byte] === 0) this.#roots[byte] = this.#node(byte, 0);
    return this.#roots[byte]!;
  }

  #child(parent: number, byte: number): number {
    let node = this.#children[parent]!;
    while (node !== 0 && this.#bytes[node] !== byte) node = this.#siblings[node]!;
    if (node !== 0) return node;
    this.#children[parent] = this.#node(byte, this.#children[parent]!);
    return this.#children[parent];
  }

  #node(byte: number, sibling: number): number {
    this.#bytes.push(byte);
    this.#siblings.push(sibling);
    this.#children.push(0);
    return this.#targets.push(0) - 1;
  }
}

/**
 * Replaces each target by the text at the same index of `replacements`, or all by one text. The
 * first target of the list wins, as in libcudf and in Polars with `leftmost`.
 */
export const replaceMany: StringOp<
  [targets: readonly string[], replacements: string | readonly string[]]
> = defineStringOp({
  name: "replaceMany",
  kind: "emit",
  args: { targets: "literal", replacements: "literal" },
  group: "replace",
  accepts: { targets: "list", replacements: "list or string" },
  summary:
    "The text with each of several targets replaced; where several start, the first of the list wins",
  details:
    "The search goes from left to right and without overlaps. Replacements are not searched again. " +
    "One replacement may stand for all.",
  differs: ["Polars: replace_many() takes the match that ends first, unless leftmost is true"],
  examples: [
    { input: "cat and dog", args: [["cat", "dog"], ["dog", "cat"]], result: "dog and cat" },
    { input: "abc", args: [["ab", "abc"], ["1", "2"]], result: "1c" },
    { input: "a, b; c", args: [[", ", "; "], " "], result: "a b c" },
  ],
  check: problemOf,
  expand: simplerCall,
  consts: ({ targets, replacements }) =>
    replaceManyTables(targets as string[], replacementsOf(targets, replacements)),
  row(out, text, { roots, bytes, children, siblings, targets, putText }) {
    let done = 0;
    let at = 0;
    while (at < text.size) {
      let node = roots.at(text.byteAt(at));
      at++;
      if (node === 0) continue;
      let place = at;
      let target = 0;
      let stop = at;
      while (node !== 0) {
        // A target further down the trie stands before this one in the list, or is not in the trie.
        if (targets.at(node) !== 0) {
          target = targets.at(node);
          stop = place;
        }
        node = place < text.size ? children.at(node) : 0;
        while (node !== 0 && bytes.at(node) !== text.byteAt(place)) node = siblings.at(node);
        place++;
      }
      if (target !== 0) {
        out.copy(text.sub(done, at - 1));
        putText(out, target - 1);
        done = stop;
      }
      at = stop;
    }
    out.copy(text.sub(done, text.size));
  },
});

function problemOf({ targets, replacements }: CallArgs): string | undefined {
  if (!isListOfText(targets)) return "the targets must be a list of texts";
  if (targets.includes("")) return "a target is empty";
  if (typeof replacements === "string") return undefined;
  if (!isListOfText(replacements)) return "the replacements must be a text or a list of texts";
  if (replacements.length === targets.length) return undefined;
  return `there are ${targets.length} targets and ${replacements.length} replacements`;
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function replacementsOf(targets: CallArgs[string], replacements: CallArgs[string]): string[] {
  if (typeof replacements !== "string") return replacements as unknown as string[];
  return (targets as unknown as string[]).map(() => replacements);
}

/** Rewrites one target to `replace`, and single characters to `translate`, a map that fuses. */
function simplerCall(text: ExprNode, { targets, replacements }: CallArgs): ExprNode | undefined {
  const from = targets as unknown as readonly string[];
  const to = replacementsOf(targets, replacements);
  if (from.length === 1) {
    return callNode(replace, text, [literalNode(from[0]!), literalNode(to[0]!)]);
  }
  if (from.some((target) => [...target].length !== 1)) return undefined;
  const pairs = from.map((target, index) => [target, to[index]!] as const);
  return callNode(translate, text, [dataNode(Object.fromEntries(pairs.reverse()))]);
}
