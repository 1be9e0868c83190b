/**
 * Text that becomes other text character by character, regardless of the neighbours of each.
 *
 * @module
 */

import { ConstantView } from "../fold/constant_view.ts";
import { type Constant, interpret } from "../fold/interpret.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Tree } from "../tree/tree.ts";
import { plainMapOf } from "../tree/tree_facts.ts";
import { bodyOf, type RowExpr } from "../parse/row_code.ts";
import { constantArgument } from "./byte_map.ts";

/** A chain of maps of characters. */
export interface CharacterMap {
  /** The text whose characters they map. */
  readonly text: Tree;
  /** Whether it is one operation that searches bytes when it does not map characters. */
  readonly isSearch: boolean;
  /** Whether all but ASCII characters are known to stay unchanged. */
  readonly keepsOthers: boolean;
  /** A text that is the same for chains with the same effect. */
  readonly key: string;
  /**
   * Returns the UTF-8 of the result of a character; null if that depends on the neighbouring
   * characters, or takes too long to compute.
   */
  bytesOf(char: number): Uint8Array | null;
}

/** A map with its arguments. */
interface Step {
  readonly fn: RowFunction;
  readonly args: readonly Constant[];
}

/** Returns a tree as a chain of maps, or null. */
export function asCharacterMap(tree: Tree): CharacterMap | null {
  const steps: Step[] = [];
  let text = tree;
  for (let step = stepOf(text); step !== null && text.node === "call"; step = stepOf(text)) {
    steps.unshift(step);
    text = text.text;
  }
  const [first, ...others] = steps;
  if (first === undefined) return null;
  return {
    text,
    isSearch: others.length === 0 && first.fn.kind !== "map",
    keepsOthers: steps.every(keepsOthers),
    key: steps.map(keyOf).join(" "),
    bytesOf: (char) =>
      others.reduce<Uint8Array | null>(
        (bytes, step) => bytes && textAfter(step, new ConstantView(bytes)),
        bytesAfter(first, char),
      ),
  };
}

/** Returns the same chain over another text. */
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

/**
 * Whether a step leaves all but ASCII characters unchanged: it only tests whether a character is a
 * certain one, which is ASCII, and puts all others unchanged.
 */
function keepsOthers(step: Step): boolean {
  const { subject, statements } = bodyOf(step.fn);
  const [choice, ...behind] = statements;
  if (subject === null || choice?.do !== "if" || behind.length > 0) return false;
  const { test } = choice;
  const isSubject = (expr: RowExpr) => expr.op === "name" && expr.name === subject;
  const [put, ...others] = choice.else;
  const putsSubject = put?.do === "put" && others.length === 0 && isSubject(put.char);
  const isOne = test.op === "binary" && test.fn === "==" && isSubject(test.left) &&
    test.right.op === "method" && isArgument(step, test.right.view) &&
    test.right.args.every(({ op }) => op === "const");
  if (!putsSubject || !isOne) return false;
  return Array.from({ length: 128 }, (_, char) => char).some((char) => {
    const bytes = bytesAfter(step, char);
    return bytes !== null && (bytes.length !== 1 || bytes[0] !== char);
  });
}

/** Whether an expression is an argument, which is the same for all characters. */
function isArgument({ fn }: Step, expr: RowExpr): boolean {
  return expr.op === "name" && bodyOf(fn).params.includes(expr.name);
}

/** Returns the mapped text; null if a character of it may depend on other neighbours. */
function textAfter(step: Step, text: ConstantView): Uint8Array | null {
  if (!step.fn.looks) return bytesAfter(step, text);
  const result: number[] = [];
  for (let at = 0; at < text.size; at = text.next(at)) {
    const bytes = bytesAfter(step, text.charAt(at));
    if (bytes === null) return null;
    result.push(...bytes);
  }
  return Uint8Array.from(result);
}

/** The most bytes of the result of a character that a map keeps in a table. */
export const MAX_CHARACTER_BYTES = 15;

/**
 * Maps the 128 ASCII characters: each to an ASCII character, or to 0x80 for other text. Returns
 * null if some character depends on its neighbours or its result is too long.
 */
export function asciiCharacters({ bytesOf }: CharacterMap): Uint8Array | null {
  const ascii = new Uint8Array(128);
  for (let char = 0; char < 128; char++) {
    const bytes = bytesOf(char);
    if (bytes === null || bytes.length > MAX_CHARACTER_BYTES) return null;
    const [byte = 0x80] = bytes;
    ascii[char] = bytes.length === 1 && byte < 0x80 ? byte : 0x80;
  }
  return ascii;
}

const numbers = new WeakMap<RowFunction, number>();
let numFunctions = 0;

function keyOf({ fn, args }: Step): string {
  const number = numbers.get(fn) ?? numFunctions++;
  numbers.set(fn, number);
  const values = args.map((arg) => arg instanceof ConstantView ? `[${arg.bytes}]` : String(arg));
  return `${number}(${values.join()})`;
}
