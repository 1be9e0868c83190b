/**
 * Compiles bound expressions into a program of kernels.
 *
 * @module
 */

import type { PartStep } from "../../gpu/column/part.ts";
import { foldTree } from "../../gpu/kernel/fold/fold_tree.ts";
import { programOf } from "../../gpu/kernel/partition/known_programs.ts";
import type { Output } from "../../gpu/kernel/partition/partition.ts";
import { describeTree, shorten, subjectOf } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Program, Tree } from "../../gpu/kernel/tree/tree.ts";
import { canFail, childrenOf, lenient, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import type { BoundExpr } from "./bind.ts";
import { guardLengths, type StrictCall, strictCalls } from "./conditions.ts";

/** A program and its inputs. */
export interface CompiledExprs {
  /** The program, whose outputs are the expressions, in order. Strict calls stop its kernels. */
  readonly program: Program;
  /** The index in the schema of each input of the program; a column is an input once for each part. */
  readonly inputs: readonly number[];
  /** The part of the column that each input is; undefined for a whole column. */
  readonly parts: readonly (readonly PartStep[] | undefined)[];
  /** Names of the inputs. */
  readonly inputNames: readonly string[];
  /** The name of each expression, for errors: a column, a condition. */
  readonly places: readonly string[];
  /** The same expressions with checks; undefined if they have no strict call. */
  readonly checked: CheckedExprs | undefined;
}

/** Expressions whose strict calls make nulls, and a check for each such call. */
export interface CheckedExprs {
  /**
   * Compiles the program over the same inputs whose outputs are the expressions, then those of the
   * checks: boolean columns that are true where a call refuses its operands.
   */
  readonly program: () => Program;
  /** One for each strict call; inner calls come before those around them. */
  readonly checks: readonly StrictCheck[];
  /** The name of each output of the program, for errors. */
  readonly places: readonly string[];
}

/** The facts that an error needs to name the values that a strict call refused. */
export interface StrictCheck {
  /** The call as a person would write it. */
  readonly label: string;
  /**
   * Compiles the program, over the same inputs, that computes the receiver of the call, then, with a
   * `refusal`, its arguments.
   */
  readonly operands: () => Program;
  /** The message of an operation on numbers, with `$0` for the label and `$1` … for its operands. */
  readonly refusal?: string;
  /** The name of the type of the receiver, for a conversion to a named type. */
  readonly from?: string;
  /** The names of the types of its arguments. */
  readonly others?: readonly (string | undefined)[];
  /** The index of the input that is the receiver, where it is a column. */
  readonly input?: number;
}

/** Options of `compileExprs`. */
interface CompileOptions {
  /** Whether to fuse operations; false makes a kernel of each. True by default. */
  readonly fuse?: boolean;
  /** Names of the columns of the schema, for labels. */
  readonly names?: readonly string[];
  /** The name of the result of each expression, for errors: `column route`. */
  readonly places?: readonly string[];
}

/**
 * Compiles expressions that were bound to one schema. Only columns that are still used after constant
 * folding become inputs.
 */
export function compileExprs(
  exprs: readonly BoundExpr[],
  { fuse = true, names = [], places = [] }: CompileOptions = {},
): CompiledExprs {
  const folded = exprs.map(({ tree }) => foldTree(guardLengths(tree)));
  const used = columnsIn(folded);
  const inputNames = used.map(({ index, part }) => part?.label ?? names[index] ?? `$${index}`);
  const renumbered = new Map(used.map((column, input) => [keyOf(column), input]));
  const trees = folded.map((tree) => renumberColumns(tree, renumbered));
  const compile = (outputs: readonly Output[]) =>
    programOf(used.map(({ type }) => type), outputs, { fuse, names: inputNames });
  const checkOf = ({ call }: StrictCall) => {
    const label = shorten(describeTree(call, inputNames));
    const { refusal } = call;
    const given = [subjectOf(call), ...refusal === undefined ? [] : call.args];
    const operands = once(() => compile(given.map((tree) => ({ label, tree: lenient(tree) }))));
    const text = subjectOf(call);
    return {
      label,
      operands,
      ...(refusal === undefined ? {} : { refusal }),
      ...(call.shown ? { from: call.shown.from, others: call.shown.others ?? [] } : {}),
      ...(text.node === "column" ? { input: text.index } : {}),
    };
  };
  const labelled = (shape: (tree: Tree) => Tree) =>
    trees.map((tree, index) => ({ label: exprs[index]?.label ?? "", tree: shape(tree) }));
  const program = compile(labelled((tree) => strictParts(tree)));
  const valuePlaces = exprs.map(({ label }, index) => places[index] ?? label);
  const calls = trees.flatMap(strictCalls);
  const checks = calls.map(checkOf);
  const checked = calls.length === 0 ? undefined : {
    checks,
    places: [...valuePlaces, ...checks.map(({ label }) => `check of ${label}`)],
    program: once(() =>
      compile([
        ...labelled(lenient),
        ...calls.map(({ refuses }, k) => ({
          label: `whether ${checks[k]?.label} refuses`,
          tree: lenient(foldTree(refuses)),
        })),
      ])
    ),
  };
  const inputs = used.map(({ index }) => index);
  const parts = used.map(({ part }) => part?.steps);
  return Object.freeze({ program, inputs, parts, inputNames, places: valuePlaces, checked });
}

/** Makes the parts of strict calls strict: a null that one of them makes is a null of the call. */
function strictParts(tree: Tree, isPartOfStrict = false): Tree {
  if (!canFail(tree) && !isPartOfStrict) return tree;
  if (tree.node !== "call") {
    return withChildren(tree, childrenOf(tree).map((child) => strictParts(child)));
  }
  const strict = tree.strict === true || (isPartOfStrict && tree.isPart === true);
  const args = tree.args.map((arg) => strictParts(arg));
  return { ...tree, text: strictParts(tree.text, strict), args, strict };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type ColumnTree = Tree & { readonly node: "column" };

/** Returns the columns, and the parts of columns, that trees read: each once, in order. */
function columnsIn(trees: readonly Tree[]): readonly ColumnTree[] {
  const used = new Map<string, ColumnTree>();
  const collect = (tree: Tree): void => {
    if (tree.node === "column") used.set(keyOf(tree), tree);
    childrenOf(tree).forEach(collect);
  };
  trees.forEach(collect);
  return [...used.values()].sort((left, right) => left.index - right.index);
}

function keyOf({ index, part }: ColumnTree): string {
  return JSON.stringify(
    [index, part?.steps],
    (_, value) => typeof value === "bigint" || Number.isNaN(value) ? `${value}n` : value,
  );
}

/** Replaces the columns of a schema by the inputs of a program. */
function renumberColumns(tree: Tree, inputs: ReadonlyMap<string, number>): Tree {
  if (tree.node === "column") {
    const { part: _, ...whole } = tree;
    return { ...whole, index: inputs.get(keyOf(tree))! };
  }
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  return withChildren(tree, children.map((child) => renumberColumns(child, inputs)));
}
