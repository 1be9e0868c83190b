/**
 * Text that becomes other text character by character, whatever stands around each.
 *
 * @module
 */

import { ConstantView } from "../fold/constant_view.ts";
import { type Constant, interpret } from "../fold/interpret.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "../tree/tree.ts";
import { plainMapOf } from "../tree/tree_facts.ts";
import { constantArgument } from "./byte_map.ts";

/** A chain of maps of characters. */
export interface CharacterMap {
  /** The text whose characters they map. */
  readonly text: Tree;
  /** Whether it is one operation that searches bytes where it does not map characters. */
  readonly isSearch: boolean;
  /** The same text for chains that do the same. */
  readonly key: string;
  /**
   * The UTF-8 of what a character becomes; null where that depends on the characters beside it, or
   * takes too long to find out.
   */
  bytesOf(char: number): Uint8Array | null;
}

/** A map with its arguments. */
interface Step {
  readonly fn: RowFunction;
  readonly args: readonly Constant[];
}

/** A tree as a chain of maps, or null. Only the innermost may look at the characters beside each one. */
export function asCharacterMap(tree: Tree): CharacterMap | null {
  const steps: Step[] = [];
  let text = tree;
  for (let step = stepOf(text); step !== null && text.node === "call"; step = stepOf(text)) {
    steps.unshift(step);
    text = text.text;
  }
  const [first, ...others] = steps;
  if (first === undefined || others.some(({ fn }) => fn.looks)) return null;
  return {
    text,
    isSearch: others.length === 0 && first.fn.kind !== "map",
    key: steps.map(keyOf).join(" "),
    bytesOf: (char) =>
      others.reduce<Uint8Array | null>(
        (bytes, step) => bytes && bytesAfter(step, new ConstantView(bytes)),
        bytesAfter(first, char),
      ),
  };
}

/** The same chain over another text. */
export function withText(tree: Tree, old: Tree, text: Tree): Tree {
  if (tree === old || tree.node !== "call") return text;
  return { ...tree, text: withText(tree.text, old, text) };
}

function stepOf(tree: Tree): Step | null {
  const fn = tree.node === "call" ? plainMapOf(tree) : null;
  if (tree.node !== "call" || fn === null) return null;
  const args = tree.args.map(constantArgument);
  return args.includes(null) ? null : { fn, args: args as Constant[] };
}

function bytesAfter({ fn, args }: Step, subject: Constant): Uint8Array | null {
  const result = interpret(fn, subject, args);
  return result?.is === "text" ? result.bytes : null;
}

const numbers = new WeakMap<RowFunction, number>();
let numFunctions = 0;

function keyOf({ fn, args }: Step): string {
  const number = numbers.get(fn) ?? numFunctions++;
  numbers.set(fn, number);
  const values = args.map((arg) => arg instanceof ConstantView ? `[${arg.bytes}]` : String(arg));
  return `${number}(${values.join()})`;
}
