/**
 * The locals of the generated code: their names, and the facts that hold for them everywhere.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { childrenOf } from "../ir/visit.ts";

/** A local of the generated code. */
export type Local = Scalar & { readonly op: "local" };

/** The locals in the code of one row, and what is known of them everywhere. */
export class RowLocals {
  readonly #taken = new Set<string>();
  /** The next number to try for each base name; all lower ones are taken. */
  readonly #numbers = new Map<string, number>();
  readonly #variables = new Set<string>();
  /** Locals that are declared for the whole row and assigned once. */
  readonly #kept = new Set<string>();
  readonly #definitions = new Map<string, Scalar>();
  readonly #asciiLocals = new Set<string>();
  readonly #asciiScalars = new WeakSet<Scalar>();

  /** Returns a name that the kernel does not use yet. */
  fresh(hint: string): string {
    const base = hint.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|_|$)/, "v");
    let number = this.#numbers.get(base) ?? 1;
    const numbered = () => number === 1 ? base : `${base}_${number}`;
    while (this.#taken.has(numbered())) number++;
    const name = numbered();
    this.#taken.add(name);
    this.#numbers.set(base, number + 1);
    return name;
  }

  /** Returns a name for a local that may be assigned again. */
  freshVariable(hint: string): string {
    const name = this.fresh(hint);
    this.#variables.add(name);
    return name;
  }

  /** Returns a name for a local that keeps this value. */
  freshConstant(hint: string, value: Scalar): string {
    const name = this.fresh(hint);
    if (this.isAscii(value)) this.#asciiLocals.add(name);
    if (this.isStable(value)) this.#definitions.set(name, value);
    return name;
  }

  /** Returns a name for a local that keeps this value and can be read in the rest of the row. */
  freshKept(hint: string, value: Scalar): string {
    const name = this.freshConstant(hint, value);
    this.#kept.add(name);
    return name;
  }

  /** Returns the value of a local that never changes. */
  definitionOf(name: string): Scalar | undefined {
    return this.#definitions.get(name);
  }

  /** Whether a scalar never changes and can be read in the rest of the row at no cost. */
  isKept(scalar: Scalar): boolean {
    if (scalar.op === "local") return this.#kept.has(scalar.name);
    if (!isCheap(scalar)) return false;
    return scalar.op !== "binary" || (this.isKept(scalar.left) && this.isKept(scalar.right));
  }

  /** Whether a scalar has one value for the whole row. */
  isStable(scalar: Scalar): boolean {
    if (scalar.op === "scratch") return false;
    if (scalar.op === "local") return !this.#variables.has(scalar.name);
    return childrenOf(scalar).every((child) => this.isStable(child));
  }

  /** Records that a scalar is from 0 to 127, and returns it. */
  markAscii(scalar: Scalar): Scalar {
    this.#asciiScalars.add(scalar);
    return scalar;
  }

  /** Whether a scalar is known to be from 0 to 127. */
  isAscii(scalar: Scalar): boolean {
    if (this.#asciiScalars.has(scalar)) return true;
    switch (scalar.op) {
      case "const":
        return typeof scalar.value === "number" && scalar.value >= 0 && scalar.value < 0x80;
      case "local":
        return this.#asciiLocals.has(scalar.name);
      case "select":
        return this.isAscii(scalar.yes) && this.isAscii(scalar.no);
      case "binary":
        if (scalar.fn === "&") return this.isAscii(scalar.left) || this.isAscii(scalar.right);
        return scalar.fn === "|" && this.isAscii(scalar.left) && this.isAscii(scalar.right);
      default:
        return false;
    }
  }
}

/** Whether evaluating a scalar again costs next to nothing. */
export function isCheap(scalar: Scalar): boolean {
  switch (scalar.op) {
    case "const":
    case "local":
    case "start":
    case "stop":
      return true;
    case "binary":
      return (scalar.fn === "+" || scalar.fn === "-") && isLeaf(scalar.left) &&
        isLeaf(scalar.right);
    default:
      return false;
  }
}

function isLeaf(scalar: Scalar): boolean {
  return scalar.op === "const" || scalar.op === "local" || scalar.op === "start" ||
    scalar.op === "stop";
}
