/**
 * The facts that are known at a point of the generated code, such as the lower bound of a local.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import {
  decided,
  type Knowledge,
  knownMax,
  knownMin,
  type Order,
  orderKey,
  ordersOf,
  positionKey,
  proves,
} from "./order_proofs.ts";
import type { RowLocals } from "./row_locals.ts";
import { bool, int, scalarKey } from "../ir/scalar.ts";

/**
 * The facts of one list of statements, each from the point where it was found to the end of the
 * list.
 */
export interface FactScope {
  /** Scalars that were computed before, by their keys. */
  readonly known: Map<string, Scalar>;
  /** Orders that follow from a test. */
  readonly given: string[];
  /** Whether control never gets here. */
  dead: boolean;
}

/** The facts that hold where the code is being built. */
export class RowFacts {
  readonly #locals: RowLocals;
  /** The facts of the open lists of statements, each within the previous one. */
  readonly #scopes: FactScope[] = [{ known: new Map(), given: [], dead: false }];
  readonly #implications = new Implications();
  readonly #knowledge: Knowledge;

  constructor(locals: RowLocals) {
    this.#locals = locals;
    this.#knowledge = {
      isNoted: (key) => this.#isNoted(key),
      definitionOf: (name) => locals.definitionOf(name),
      isAscii: (scalar) => locals.isAscii(scalar),
    };
  }

  get #scope(): FactScope {
    return this.#scopes.at(-1)!;
  }

  /** Opens a list of statements, which inherits the known facts. */
  open(): void {
    this.#scopes.push({ known: new Map(), given: [], dead: this.dead });
  }

  /** Closes the innermost list, and returns the facts found in it. */
  close(): FactScope {
    return this.#scopes.pop()!;
  }

  /** Takes over the facts of a list that now becomes part of the open one. */
  adopt({ known, given, dead }: FactScope): void {
    for (const [key, scalar] of known) this.remember(key, scalar);
    this.#scope.given.push(...given);
    this.#scope.dead = dead;
  }

  /** Whether control never reaches the place of the next statement. */
  get dead(): boolean {
    return this.#scope.dead;
  }

  /** Records that control never reaches the rest of the open list. */
  end(): void {
    this.#scope.dead = true;
  }

  /** Whether a scalar has one value for the whole row. */
  isStable(scalar: Scalar): boolean {
    return this.#locals.isStable(scalar);
  }

  /** Records that a scalar is from 0 to 127. */
  markAscii(scalar: Scalar): Scalar {
    return this.#locals.markAscii(scalar);
  }

  /** Whether a scalar is known to be from 0 to 127. */
  isAscii(scalar: Scalar): boolean {
    return this.#locals.isAscii(scalar);
  }

  /** Returns the value that was noted under a key before this point. */
  recall(key: string): Scalar | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const known = this.#scopes[i]?.known.get(key);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  remember(key: string, scalar: Scalar): void {
    this.#scope.known.set(key, scalar);
  }

  /**
   * Records that the constants known here are known wherever `result` is `outcome`, and so is what
   * follows from `tests` with that outcome.
   */
  imply(result: Scalar, outcome: boolean, tests: readonly Scalar[] = []): void {
    if (result.op !== "local" || this.dead) return;
    const known = tests.flatMap((test) => [...this.#implications.of(test, outcome)]);
    for (const [key, scalar] of this.#scope.known) {
      if (scalar.op === "const") known.push([key, scalar]);
    }
    this.#implications.note(result.name, outcome, new Map(known));
  }

  /** Records the facts that hold if a test has the result `outcome`. */
  assume(test: Scalar, outcome: boolean): void {
    for (const [key, scalar] of this.#implications.of(test, outcome)) this.remember(key, scalar);
  }

  /** Records that `low <= high` from here on; with `given`, only if that order holds. */
  noteOrder(order: Order, given?: Order): void {
    if (!this.isStable(order.low) || !this.isStable(order.high)) return;
    const key = orderKey(order);
    this.remember(given === undefined ? key : `${orderKey(given)} implies ${key}`, bool(true));
  }

  /** Records that a scalar is a position in a view or its size, or -1. */
  notePosition(scalar: Scalar): void {
    if (this.isStable(scalar)) this.remember(positionKey(scalar), bool(true));
  }

  /** Records an upper bound of a scalar from here on; none above 32 bits. */
  noteMost(scalar: Scalar, most: number): void {
    if (most > 0x7fffffff || !this.isStable(scalar)) return;
    this.remember(mostKey(scalar), int(most));
  }

  /** Returns the noted upper bound of a scalar; for a constant its value. */
  mostOf(scalar: Scalar): number | undefined {
    const most = scalar.op === "const" ? scalar : this.recall(mostKey(scalar));
    return most?.op === "const" ? Number(most.value) : undefined;
  }

  /** Whether `low <= high` is known. */
  knows(low: Scalar, high: Scalar): boolean {
    return proves(this.#knowledge, low, high);
  }

  /** Returns the test, or a constant if its outcome is known. */
  decide(test: Scalar): Scalar {
    const outcome = decided(this.#knowledge, test);
    return outcome === undefined ? test : bool(outcome);
  }

  /** Returns the smaller of two scalars; one of them if that is known. */
  min(left: Scalar, right: Scalar): Scalar {
    return knownMin(this.#knowledge, left, right);
  }

  /** Returns the greater of two scalars; one of them if that is known. */
  max(left: Scalar, right: Scalar): Scalar {
    return knownMax(this.#knowledge, left, right);
  }

  #isNoted(key: string): boolean {
    if (this.recall(key) !== undefined) return true;
    return this.#scopes.some(({ given }) =>
      given.some((order) => this.recall(`${order} implies ${key}`) !== undefined)
    );
  }

  /** Records the facts that follow from a test. */
  noteOutcome(test: Scalar, outcome: boolean): void {
    this.assume(test, outcome);
    for (const order of ordersOf(test, outcome)) {
      if (!this.isStable(order.low) || !this.isStable(order.high)) continue;
      this.noteOrder(order);
      this.#scope.given.push(orderKey(order));
    }
  }
}

/** Returns the key of the upper bound of a scalar. */
function mostKey(scalar: Scalar): string {
  return `most ${scalarKey(scalar)}`;
}

type Known = ReadonlyMap<string, Scalar>;

const nothing: Known = new Map();

/** The values that were computed before a bool got one of its values. */
class Implications {
  readonly #known = new Map<string, Known>();

  /** Records that the values in `known` were computed if the bool called `name` is `outcome`. */
  note(name: string, outcome: boolean, known: Known): void {
    if (known.size > 0) this.#known.set(`${name} ${outcome}`, known);
  }

  /** Returns the values that were computed where a test has the result `outcome`. */
  of(test: Scalar, outcome: boolean): Known {
    switch (test.op) {
      case "local":
        return this.#known.get(`${test.name} ${outcome}`) ?? nothing;
      case "unary":
        return test.fn === "!" ? this.of(test.value, !outcome) : nothing;
      case "binary":
        if (test.fn !== (outcome ? "&&" : "||")) return nothing;
        return new Map([...this.of(test.left, outcome), ...this.of(test.right, outcome)]);
      default:
        return nothing;
    }
  }
}
