/**
 * Facts about trees that the passes over them need.
 *
 * @module
 */

import { bodyOf } from "../parse/row_code.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "./tree.ts";

/**
 * Whether the text of a tree exists in memory as a range of bytes. Other text is written while it
 * is computed, and only a sink can take it.
 */
export function isViewable(tree: Tree): boolean {
  switch (tree.node) {
    case "column":
    case "literal":
      return true;
    case "call":
      return tree.fn.kind === "view" && isViewable(tree.text);
    case "choose":
      return isViewable(tree.yes) && isViewable(tree.no);
    case "fillNull":
      return isViewable(tree.value) && isViewable(tree.other);
    default:
      return false;
  }
}

/**
 * Returns the map that computes a call on its text while that is being written; null if the call
 * looks into text that exists in memory.
 */
export function mapOf({ fn, text }: Tree & { node: "call" }): RowFunction | null {
  if (fn.kind === "map") return fn;
  return isViewable(text) ? null : fn.written;
}

/**
 * Returns the map that computes a call, if it maps a character the same way everywhere; else null.
 */
export function plainMapOf({ fn }: Tree & { node: "call" }): RowFunction | null {
  const map = fn.kind === "map" ? fn : fn.written;
  return map === null || map.hasState ? null : map;
}

/** Counts the places in the generated code that would write to the sink of a tree. */
export function sinkSites(tree: Tree): number {
  if (isViewable(tree)) return 1;
  switch (tree.node) {
    case "call": {
      const map = mapOf(tree);
      return map === null
        ? bodyOf(tree.fn).sinkSites
        : bodyOf(map).sinkSites * sinkSites(tree.text);
    }
    case "concat":
      return tree.parts.reduce((sites, part) => sites + sinkSites(part), 0);
    case "choose":
      return sinkSites(tree.yes) + sinkSites(tree.no);
    case "fillNull":
      return sinkSites(tree.value) + sinkSites(tree.other);
    default:
      return 1;
  }
}

/** Whether some number of a tree results from arithmetic with floats, or from parsing text as one. */
export function computesFloat(tree: Tree): boolean {
  switch (tree.node) {
    case "call":
      return tree.fn.returns === "f64";
    case "cast":
      return tree.type.kind === "float" &&
        (tree.value.type.kind === "int" || computesFloat(tree.value));
    case "choose":
      return computesFloat(tree.yes) || computesFloat(tree.no);
    case "fillNull":
      return computesFloat(tree.value) || computesFloat(tree.other);
    default:
      return false;
  }
}

/** Whether some number of a tree is a float16 or float32 that a row function assembled from its bits. */
export function isNarrowFloatBits(tree: Tree): boolean {
  switch (tree.node) {
    case "call":
      return tree.type.kind === "float" && tree.type.bits < 64 && tree.fn.returns !== "f64";
    case "cast":
      return tree.type.kind === "float" && isNarrowFloatBits(tree.value);
    case "choose":
      return isNarrowFloatBits(tree.yes) || isNarrowFloatBits(tree.no);
    case "fillNull":
      return isNarrowFloatBits(tree.value) || isNarrowFloatBits(tree.other);
    default:
      return false;
  }
}

/**
 * Returns the operation in a tree that writes its text to a sink whole, such as digits of floats or
 * normal forms; only the host runs it. Undefined if there is none.
 */
export function wholeWriter(tree: Tree): RowFunction | undefined {
  switch (tree.node) {
    case "call":
      if (tree.fn.kind !== "map" && tree.fn.kind !== "emit") return undefined;
      if (tree.fn.hostOnly !== undefined) return tree.fn;
      return tree.fn.kind === "map" ? wholeWriter(tree.text) : undefined;
    case "concat":
      return tree.parts.map(wholeWriter).find((fn) => fn !== undefined);
    case "choose":
      return wholeWriter(tree.yes) ?? wholeWriter(tree.no);
    case "fillNull":
      return wholeWriter(tree.value) ?? wholeWriter(tree.other);
    default:
      return undefined;
  }
}

/** Returns the trees directly below a tree. */
export function childrenOf(tree: Tree): readonly Tree[] {
  switch (tree.node) {
    case "column":
    case "literal":
      return [];
    case "call":
      return [tree.text, ...tree.args];
    case "concat":
      return tree.parts;
    case "choose":
      return [tree.test, tree.yes, tree.no];
    case "compare":
    case "and":
    case "or":
      return [tree.left, tree.right];
    case "not":
    case "isNull":
    case "cast":
      return [tree.value];
    case "fillNull":
      return [tree.value, tree.other];
  }
}

/** Returns the same tree with other children, in the order of `childrenOf`. */
export function withChildren(tree: Tree, children: readonly Tree[]): Tree {
  const child = (index: number): Tree => children[index] ?? tree;
  switch (tree.node) {
    case "column":
    case "literal":
      return tree;
    case "call":
      return { ...tree, text: child(0), args: children.slice(1) };
    case "concat":
      return { ...tree, parts: children };
    case "choose":
      return { ...tree, test: child(0), yes: child(1), no: child(2) };
    case "compare":
    case "and":
    case "or":
      return { ...tree, left: child(0), right: child(1) };
    case "not":
    case "isNull":
    case "cast":
      return { ...tree, value: child(0) };
    case "fillNull":
      return { ...tree, value: child(0), other: child(1) };
  }
}

/** Whether a tree, or some tree below it, satisfies a predicate. */
export function someTree(tree: Tree, predicate: (tree: Tree) => boolean): boolean {
  return predicate(tree) || childrenOf(tree).some((child) => someTree(child, predicate));
}

const failing = new WeakMap<Tree, boolean>();

/** Whether a tree has a strict call, which fails where it makes a null of values that are not null. */
export function canFail(tree: Tree): boolean {
  let fails = failing.get(tree);
  if (fails === undefined) {
    fails = (tree.node === "call" && tree.strict === true) || childrenOf(tree).some(canFail);
    failing.set(tree, fails);
  }
  return fails;
}

/** Returns the same tree, whose strict calls return null instead of failing. */
export function lenient(tree: Tree): Tree {
  if (!canFail(tree)) return tree;
  const next = withChildren(tree, childrenOf(tree).map(lenient));
  return next.node === "call" ? { ...next, strict: false } : next;
}

/** Whether some operation of a tree asks a list for the text of its items. */
export function readsItems(tree: Tree): boolean {
  return someTree(tree, (part) => part.node === "call" && bodyOf(part.fn).readsItems);
}
