/**
 * Prints trees as a person would write them, for labels and errors.
 *
 * @module
 */

import type { Tree } from "./tree.ts";

const COMPARE = 4;
const ADD = 5;
const UNARY = 6;
const CALL = 7;

/**
 * Prints a tree as a person would write it: `upper(name)`, `a + " " + b`. `names` are those of the
 * columns; a column without a name is `$` and its number.
 */
export function describeTree(tree: Tree, names: readonly string[] = []): string {
  return describe(tree, names, 0);
}

function describe(tree: Tree, names: readonly string[], binding: number): string {
  const part = (child: Tree, inside: number) => describe(child, names, inside);
  const wrap = (own: number, text: string) => own < binding ? `(${text})` : text;
  switch (tree.node) {
    case "column":
      return names[tree.index] ?? `$${tree.index}`;
    case "literal":
      return typeof tree.value === "string" ? JSON.stringify(tree.value) : String(tree.value);
    case "call": {
      const given = [subjectOf(tree), ...tree.args].map((arg) => part(arg, 0));
      return `${tree.fn.name}(${[...given, ...tree.shown?.literals ?? []].join(", ")})`;
    }
    case "concat":
      return wrap(ADD, tree.parts.map((item) => part(item, ADD)).join(" + "));
    case "choose":
      return wrap(1, `${part(tree.test, 2)} ? ${part(tree.yes, 1)} : ${part(tree.no, 1)}`);
    case "compare":
      return wrap(
        COMPARE,
        `${part(tree.left, COMPARE + 1)} ${tree.op} ${part(tree.right, COMPARE + 1)}`,
      );
    case "and":
      return wrap(3, `${part(tree.left, 3)} && ${part(tree.right, 3)}`);
    case "or":
      return wrap(2, `${part(tree.left, 2)} || ${part(tree.right, 2)}`);
    case "not":
      return wrap(UNARY, `!${part(tree.value, UNARY)}`);
    case "isNull":
      return `${part(tree.value, CALL)}.isNull()`;
    case "fillNull":
      return `${part(tree.value, CALL)}.fillNull(${part(tree.other, 0)})`;
    case "cast":
      return part(tree.value, binding);
  }
}

/** Returns the subject of a call, below the calls that are parts of it. */
export function subjectOf({ text }: Tree & { node: "call" }): Tree {
  return text.node === "call" && text.isPart === true ? subjectOf(text) : text;
}

/** Shortens a text for an error, since the literals in an expression may be as long as a batch. */
export function shorten(text: string): string {
  if (text.length <= 120) return text;
  // A cut inside a character leaves half a surrogate pair, which is dropped.
  const start = text.slice(0, 80).replace(/[\ud800-\udbff]$/, "");
  return `${start}…${text.slice(-39).replace(/^[\udc00-\udfff]/, "")}`;
}
