/**
 * Collects the statements that compute halves.
 *
 * @module
 */

import type { Scalar, ScalarType, Stmt } from "../ir/ir.ts";
import { scalarKey } from "../ir/scalar.ts";
import { someScalar } from "../ir/visit.ts";

/** A local variable. */
export type Local = Scalar & { readonly op: "local" };

/** The results of computations in an open list of statements, by a key of the computation. */
type Computed = Map<string, readonly Scalar[]>;

/** The statements so far, and what they have computed. */
export class HalvedCode {
  /** Whether the target computes with f64, which makes products and quotients faster. */
  readonly hasFloats: boolean;
  /** The locals of the kernel that change after their declaration. */
  readonly #assigned: ReadonlySet<string>;
  #list: Stmt[] = [];
  /** One for each open list of statements, outer ones first. */
  readonly #computed: Computed[] = [new Map()];
  #numNames = 0;

  constructor(hasFloats: boolean, assigned: ReadonlySet<string>) {
    this.hasFloats = hasFloats;
    this.#assigned = assigned;
  }

  /** Whether the open list has no statement yet. */
  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  push(...statements: readonly Stmt[]): void {
    this.#list.push(...statements);
  }

  /** Returns the statements that a function adds, in a list of their own. */
  collect(add: () => void): Stmt[] {
    const outer = this.#list;
    const inner: Stmt[] = [];
    this.#list = inner;
    this.#computed.push(new Map());
    add();
    this.#computed.pop();
    this.#list = outer;
    return inner;
  }

  /** Returns a scalar with the value that is cheap to repeat. Equal values are computed once. */
  stable(hint: string, value: Scalar): Scalar {
    if (isLeaf(value)) return value;
    const compute = () => [this.#constant(hint, value)];
    return this.isFixed(value) ? this.#once(scalarKey(value), compute)[0]! : compute()[0]!;
  }

  /** Returns a scalar with the value that no later statement changes. */
  keep(hint: string, value: Scalar): Scalar {
    const stable = this.stable(hint, value);
    return this.isFixed(stable) ? stable : this.#constant(hint, stable);
  }

  /** Returns the results of a computation of operands, which equal operands share. */
  once(
    name: string,
    operands: readonly Scalar[],
    compute: () => readonly Scalar[],
  ): readonly Scalar[] {
    if (!operands.every((operand) => this.isFixed(operand))) return compute();
    return this.#once([name, ...operands.map(scalarKey)].join(" "), compute);
  }

  /** Declares a variable that only `set` changes. */
  variable(hint: string, value: Scalar): Local {
    return this.#constant(hint, value);
  }

  set({ name }: Local, value: Scalar): void {
    this.push({ do: "set", name, value });
  }

  /** Adds a test, whose branches add their own statements. */
  if(test: Scalar, then: () => void, otherwise: () => void = () => {}): void {
    this.push({ do: "if", test, then: this.collect(then), else: this.collect(otherwise) });
  }

  /** Adds a loop. */
  loop(hint: string, test: Scalar, body: () => void, update: () => void): void {
    const label = this.#fresh(hint);
    const [rounds, updates] = [this.collect(body), this.collect(update)];
    this.push({ do: "loop", label, test, body: rounds, update: updates });
  }

  /** Whether the value of a scalar is the same wherever its locals are declared. */
  isFixed(scalar: Scalar): boolean {
    return !someScalar(
      scalar,
      (part) => part.op === "scratch" || part.op === "local" && this.#assigned.has(part.name),
    );
  }

  #once(key: string, compute: () => readonly Scalar[]): readonly Scalar[] {
    const known = this.#computed.findLast((computed) => computed.has(key))?.get(key);
    if (known !== undefined) return known;
    const results = compute();
    this.#computed.at(-1)!.set(key, results);
    return results;
  }

  #constant(hint: string, value: Scalar): Local {
    const name = this.#fresh(hint);
    this.push({ do: "let", name, type: value.type, value });
    return localOf(value.type, name);
  }

  #fresh(hint: string): string {
    // No local of a row function has this form.
    return `${hint}$${this.#numNames++}`;
  }
}

function localOf(type: ScalarType, name: string): Local {
  return { op: "local", type, name };
}

/** Whether a scalar costs nothing to repeat. */
function isLeaf({ op }: Scalar): boolean {
  return op === "const" || op === "local" || op === "word" || op === "start" || op === "stop";
}
