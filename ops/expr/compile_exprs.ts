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
import { childrenOf, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import type { BoundExpr } from "./bind.ts";
import { guardLengths, type StrictCall, strictCalls } from "./conditions.ts";
import { nullInputs } from "./null_inputs.ts";

/** A program, its inputs, and its checks. */
export interface CompiledExprs {
  /** The program, whose outputs are the expressions, in order, then the checks. */
  readonly program: Program;
  /** The index in the schema of each input of the program; a column is an input once for each part. */
  readonly inputs: readonly number[];
  /** The part of the column that each input is; undefined for a whole column. */
  readonly parts: readonly (readonly PartStep[] | undefined)[];
  /** Names of the inputs. */
  readonly inputNames: readonly string[];
  /**
   * One check for each strict call. Its output, among the last ones of the program, is a boolean column
   * that is true where the call refuses its receiver.
   */
  readonly checks: readonly StrictCheck[];
  /** The checks of expressions whose nulls tell whether a call may have refused something. */
  readonly lateChecks: LateChecks;
  /** The name of each output of the program, for errors: a column, a condition, a check. */
  readonly places: readonly string[];
}

/**
 * Checks that only run where an expression has more nulls than its columns: where no strict call
 * refuses a value, it is null where one of these columns is.
 */
export interface LateChecks {
  readonly checks: readonly StrictCheck[];
  /** Compiles the program over the same inputs whose outputs are those of the checks. */
  readonly program: () => Program;
  /** Compiles the program of all expressions and checks, for a device, which uploads inputs once. */
  readonly joint: () => Program;
  /** The outputs to look at, each with the inputs that explain its nulls. */
  readonly watched: readonly { readonly output: number; readonly inputs: readonly number[] }[];
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
  const explained = trees.map(nullInputs);
  const callsOf = (isLate: boolean) =>
    trees.flatMap((tree, index) =>
      (explained[index] !== undefined) === isLate ? strictCalls(tree) : []
    );
  const [strict, lateCalls] = [callsOf(false), callsOf(true)];
  const compile = (outputs: readonly Output[]) =>
    programOf(used.map(({ type }) => type), outputs, { fuse, names: inputNames });
  const checkOf = ({ call }: StrictCall) => {
    const label = shorten(describeTree(call, inputNames));
    const { refusal } = call;
    const given = [subjectOf(call), ...refusal === undefined ? [] : call.args];
    const operands = once(() => compile(given.map((tree) => ({ label, tree }))));
    const text = subjectOf(call);
    return {
      label,
      operands,
      ...(refusal === undefined ? {} : { refusal }),
      ...(call.shown ? { from: call.shown.from, others: call.shown.others ?? [] } : {}),
      ...(text.node === "column" ? { input: text.index } : {}),
    };
  };
  const outputsOf = (calls: readonly StrictCall[], checks: readonly StrictCheck[]) =>
    calls.map(({ refuses }, k) => ({
      label: `whether ${checks[k]?.label} refuses`,
      tree: foldTree(refuses),
    }));
  const [checks, late] = [strict.map(checkOf), lateCalls.map(checkOf)];
  const values = [
    ...trees.map((tree, index) => ({ label: exprs[index]?.label ?? "", tree })),
    ...outputsOf(strict, checks),
  ];
  const program = compile(values);
  const lateChecks = {
    checks: late,
    program: once(() => compile(outputsOf(lateCalls, late))),
    joint: once(() => compile([...values, ...outputsOf(lateCalls, late)])),
    watched: trees.flatMap((tree, output) => {
      const columns = explained[output];
      if (columns === undefined || strictCalls(tree).length === 0) return [];
      return [{ output, inputs: columns }];
    }),
  };
  const outputs = [
    ...exprs.map(({ label }, index) => places[index] ?? label),
    ...checks.map(({ label }) => `check of ${label}`),
  ];
  const inputs = used.map(({ index }) => index);
  const parts = used.map(({ part }) => part?.steps);
  return Object.freeze({ program, inputs, parts, inputNames, checks, lateChecks, places: outputs });
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
