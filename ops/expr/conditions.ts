/**
 * Under which conditions the parts of an expression are taken: a branch that is not taken must not fail.
 *
 * @module
 */

import { subjectOf } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import { BOOL } from "./typed.ts";
import { bodyOf, type RowStmt } from "../../gpu/kernel/parse/row_code.ts";

/**
 * The trees directly below a tree, in the order of `childrenOf`; with each, what is true in the rows
 * in which it is taken, where those are not all.
 */
function branchesOf(tree: Tree): readonly (readonly [child: Tree, taken?: Tree])[] {
  switch (tree.node) {
    case "choose": {
      const { test, yes, no } = tree;
      return [[test], [yes, test], [no, either(not(test), isNull(test))]];
    }
    case "fillNull":
      return [[tree.value], [tree.other, isNull(tree.value)]];
    default:
      return childrenOf(tree).map((child) => [child]);
  }
}

/** True where a value is null. */
export function isNull(value: Tree): Tree {
  return { node: "isNull", value, type: BOOL };
}

/** True where a condition is false. */
export function not(value: Tree): Tree {
  return { node: "not", value, type: BOOL };
}

/** True where two conditions are. */
export function both(left: Tree, right: Tree): Tree {
  return { node: "and", left, right, type: BOOL };
}

/** True where one of two conditions is. */
export function either(left: Tree, right: Tree): Tree {
  return { node: "or", left, right, type: BOOL };
}

/** A strict call of an expression. */
interface StrictCall {
  /** The call. */
  readonly call: Tree & { readonly node: "call" };
  /** True in the rows in which it refuses what it is called on. */
  readonly refuses: Tree;
}

/**
 * The strict calls of a tree. One in a branch of `?:`, or in what stands for a null, refuses nothing
 * where that branch is not taken.
 */
export function strictCalls(tree: Tree): StrictCall[] {
  const calls: StrictCall[] = [];
  collect(tree, [], calls);
  return calls;
}

function collect(tree: Tree, conditions: readonly Tree[], calls: StrictCall[]): void {
  for (const [child, taken] of branchesOf(tree)) {
    collect(child, taken === undefined ? conditions : [...conditions, taken], calls);
  }
  if (tree.node !== "call" || tree.strict !== true) return;
  const given = [subjectOf(tree), ...tree.args].map((child) => not(isNull(child)));
  calls.push({ call: tree, refuses: [...conditions, ...given, isNull(tree)].reduce(both) });
}

type Call = Tree & { readonly node: "call" };

/**
 * The same tree, in which nothing becomes too long in rows that do not take it. A kernel of its own
 * computes a branch in all rows, so calls that repeat text get null for the number of times wherever
 * the branch is not taken.
 */
export function guardLengths(tree: Tree): Tree {
  return guarded(tree, undefined);
}

function guarded(tree: Tree, taken: Tree | undefined): Tree {
  if (childrenOf(tree).length === 0) return tree;
  const children = branchesOf(tree).map(([child, own]) =>
    guarded(child, own && taken ? both(taken, own) : own ?? taken)
  );
  const next = withChildren(tree, children);
  if (taken === undefined || next.node !== "call" || !repeats(next)) return next;
  return { ...next, args: argsWhere(taken, next) };
}

/** Whether a call writes text as often as a number says. */
function repeats({ fn }: Call): boolean {
  return fn.args.some(({ type }) => type === "i32") && hasRepeat(bodyOf(fn).statements);
}

function hasRepeat(statements: readonly RowStmt[]): boolean {
  return statements.some((statement) => {
    switch (statement.do) {
      case "repeat":
        return true;
      case "if":
        return hasRepeat(statement.then) || hasRepeat(statement.else);
      case "loop":
        return hasRepeat(statement.body);
      default:
        return false;
    }
  });
}

/** The arguments of a call, whose numbers are null where a condition is not true. */
function argsWhere(taken: Tree, { fn, args }: Call): readonly Tree[] {
  return args.map((arg, index): Tree => {
    const { type } = arg;
    if (fn.args[index]?.type !== "i32") return arg;
    return {
      node: "choose",
      test: taken,
      yes: arg,
      no: { node: "literal", value: null, type },
      type,
    };
  });
}
