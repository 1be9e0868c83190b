/**
 * Prints trees as a person would write them, for labels and errors.
 *
 * @module
 */

import { BINDING, type InfixOperator, type Operator, printInfix } from "./operator_binding.ts";
import type { Tree } from "./tree.ts";

/**
 * Prints a tree as a person would write it: `upper(name)`, `a + " " + b`. `names` are those of the
 * columns; a column without a name is `$` and its number.
 */
export function describeTree(tree: Tree, names: readonly string[] = []): string {
  return describe(tree, names, 0);
}

function describe(tree: Tree, names: readonly string[], binding: number): string {
  const part = (child: Tree, inside: number) => describe(child, names, inside);
  const wrap = (own: Operator, text: string) => BINDING[own] < binding ? `(${text})` : text;
  const infix = (left: Tree, operator: Operator, right: Tree) =>
    wrap(operator, printInfix([left, right], operator, part));
  switch (tree.node) {
    case "column":
      return names[tree.index] ?? `$${tree.index}`;
    case "literal": {
      const text = tree.text ??
        (typeof tree.value === "string" ? JSON.stringify(tree.value) : String(tree.value));
      return text.startsWith("-") ? wrap("unary", text) : text;
    }
    case "call": {
      const [other] = tree.args;
      if (tree.operator !== undefined && other !== undefined) {
        return infix(tree.text, tree.operator as InfixOperator, other);
      }
      if (tree.operator !== undefined) {
        const operand = part(tree.text, BINDING.unary);
        return wrap(
          "unary",
          `${tree.operator}${/^-/.test(operand) ? `(${operand})` : operand}`,
        );
      }
      const given = [subjectOf(tree), ...tree.args].map((arg) => part(arg, 0));
      return `${tree.fn.name}(${[...given, ...tree.shown?.literals ?? []].join(", ")})`;
    }
    case "concat":
      return wrap("+", tree.parts.map((item) => part(item, BINDING["+"])).join(" + "));
    case "choose":
      return wrap("?:", `${part(tree.test, 2)} ? ${part(tree.yes, 1)} : ${part(tree.no, 1)}`);
    case "compare":
      return infix(tree.left, tree.op, tree.right);
    case "and":
      return wrap("&&", `${part(tree.left, BINDING["&&"])} && ${part(tree.right, BINDING["&&"])}`);
    case "or":
      return wrap("||", `${part(tree.left, BINDING["||"])} || ${part(tree.right, BINDING["||"])}`);
    case "not":
      return wrap("unary", `!${part(tree.value, BINDING.unary)}`);
    case "isNull":
      return `${part(tree.value, BINDING["."])}.isNull()`;
    case "fillNull":
      return `${part(tree.value, BINDING["."])}.fillNull(${part(tree.other, 0)})`;
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
