/**
 * The conditions under which parts of an expression are used: a branch that is not used must not fail.
 *
 * @module
 */

import { subjectOf } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { both, branchesOf, isNull, not } from "../../gpu/kernel/tree/branches.ts";
import { childrenOf, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import { bodyOf, type RowStmt } from "../../gpu/kernel/parse/row_code.ts";

/** A strict call of an expression. */
export interface StrictCall {
  /** The call. */
  readonly call: Tree & { readonly node: "call" };
  /** A test that is true in the rows where the call refuses its receiver. */
  readonly refuses: Tree;
}

/**
 * Returns the strict calls of a tree. A call in a branch of `?:`, in the second argument of `fillNull`,
 * or on the right side of `&&` and `||`, refuses nothing in rows that do not use it.
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
 * Returns the same tree, guarded against text that becomes too long in rows that do not use it. A
 * branch in a kernel of its own is computed for all rows, so calls that repeat text get null as the
 * number of times wherever the branch is not used.
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

/** Whether a call repeats text by an argument that is a number. */
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

/** Returns the arguments of a call, with the numbers null where a condition is not true. */
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
