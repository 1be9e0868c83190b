/**
 * Finds the calls that a tree repeats, so that each is computed once a row.
 *
 * @module
 */

import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf, mapOf } from "../tree/tree_facts.ts";

/**
 * The calls that occur in a tree more than once and return a value: views and measures. Calls are
 * equal if their functions and all children are.
 */
export class RepeatedCalls {
  readonly #keys = new Map<string, number>();
  readonly #ofTree = new Map<Tree, number>();
  readonly #functions = new Map<RowFunction, number>();
  readonly #counts = new Map<number, number>();

  constructor(tree: Tree) {
    this.#count(tree);
  }

  /** Returns a number that equal calls share; undefined for a call that occurs once. */
  keyOf(tree: Tree): number | undefined {
    const number = this.#ofTree.get(tree);
    return number !== undefined && (this.#counts.get(number) ?? 0) > 1 ? number : undefined;
  }

  #count(tree: Tree): void {
    const number = this.#number(tree);
    const count = (this.#counts.get(number) ?? 0) + 1;
    this.#counts.set(number, count);
    // The value of a call is kept, so its children are computed once. Everything else is computed
    // each time; a second visit is enough to find that its children repeat.
    if (count <= (isValue(tree) ? 1 : 2)) {
      for (const child of childrenOf(tree)) {
        this.#count(child);
      }
    }
  }

  /** Returns the same number for trees that compute the same. */
  #number(tree: Tree): number {
    const known = this.#ofTree.get(tree);
    if (known !== undefined) return known;
    const children = childrenOf(tree).map((child) => this.#number(child));
    const key = JSON.stringify([tree.node, this.#ownKey(tree), tree.type, children]);
    const number = this.#keys.get(key) ?? this.#keys.size;
    this.#keys.set(key, number);
    this.#ofTree.set(tree, number);
    return number;
  }

  /** Describes a tree without its children and its type. */
  #ownKey(tree: Tree): string | number {
    switch (tree.node) {
      case "column":
        return tree.index;
      case "literal":
        return Object.is(tree.value, -0) ? "-0" : `${typeof tree.value} ${tree.value}`;
      case "call": {
        const number = this.#functions.get(tree.fn) ?? this.#functions.size;
        this.#functions.set(tree.fn, number);
        return number;
      }
      case "compare":
        return tree.op;
      default:
        return "";
    }
  }
}

/** Whether a call returns a value and writes nothing. */
function isValue(tree: Tree): boolean {
  if (tree.node !== "call") return false;
  const { kind } = tree.fn;
  return kind === "measure" || (kind === "view" && mapOf(tree) === null);
}
