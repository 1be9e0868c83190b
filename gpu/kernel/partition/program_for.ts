/**
 * Chooses between the ASCII form and the general form of a program, and finds the columns that a
 * tree reads.
 *
 * @module
 */

import type { Program, Tree } from "../tree/tree.ts";
import { childrenOf } from "../tree/tree_facts.ts";

/**
 * Returns the program to run on a batch: the ASCII form, if there is one and `isAscii` holds for
 * every text input that it reads.
 */
export function programFor(program: Program, isAscii: (input: number) => boolean): Program {
  const { ascii } = program;
  return ascii !== undefined && textInputs(ascii).every(isAscii) ? ascii : program;
}

/** Returns the numbers of the text inputs whose values the kernels of a program read. */
export function textInputs({ kernels, inputs }: Program): number[] {
  const read = new Set(kernels.flatMap(({ tree }) => lookedAt(tree)));
  return [...read].filter((index) => inputs[index]?.kind === "string");
}

const lookedAtColumns = new WeakMap<Tree, readonly number[]>();

/**
 * Returns the numbers of the columns whose values a tree reads as text or numbers, each once.
 * Leaves out columns that it only tests for null, which may be bytes other than text, and those
 * that it reads as bytes.
 */
export function lookedAt(tree: Tree): readonly number[] {
  let columns = lookedAtColumns.get(tree);
  if (columns === undefined) {
    columns = tree.node === "column"
      ? (tree.isBytes === true ? [] : [tree.index])
      : tree.node === "isNull" && tree.value.node === "column"
      ? []
      : [...new Set(childrenOf(tree).flatMap(lookedAt))];
    lookedAtColumns.set(tree, columns);
  }
  return columns;
}

const readColumns = new WeakMap<Tree, readonly number[]>();

/** Returns the numbers of the columns that a tree reads, each once. */
export function columnsOf(tree: Tree): readonly number[] {
  let columns = readColumns.get(tree);
  if (columns === undefined) {
    columns = tree.node === "column"
      ? [tree.index]
      : [...new Set(childrenOf(tree).flatMap(columnsOf))];
    readColumns.set(tree, columns);
  }
  return columns;
}
