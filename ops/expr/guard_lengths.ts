/**
 * Text that is too long is an error only where somebody wants it: a branch that is not taken must not
 * fail. A kernel of its own computes such a branch in all rows, so calls in it that make text longer
 * by as much as a number says get null for that number wherever the branch is not taken.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import type { RowStmt } from "../../gpu/kernel/parse/row_code.ts";
import { bodyOf, childrenOf, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import { both, branchesOf } from "./conditions.ts";

type Call = Tree & { readonly node: "call" };

/** The same tree, in which nothing becomes too long in rows that do not take it. */
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
