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
  /** Scalars that were computed before, by what they are. */
  readonly known: Map<string, Scalar>;
  /** Orders that a test told. */
  readonly given: string[];
  /** Whether control never gets here. */
  dead: boolean;
}

/** The facts that hold where the code is being built. */
export class RowFacts {
  readonly #locals: RowLocals;
  /** Those of the lists of statements that are open, each in the one before. */
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

  /** Opens a list of statements; what is known so far is known in it. */
  open(): void {
    this.#scopes.push({ known: new Map(), given: [], dead: this.dead });
  }

  /** Closes the innermost list, and gives what was found out in it. */
  close(): FactScope {
    return this.#scopes.pop()!;
  }

  /** Takes over what was found out in a list that now becomes a part of the open one. */
  adopt({ known, given, dead }: FactScope): void {
    for (const [key, scalar] of known) this.remember(key, scalar);
    this.#scope.given.push(...given);
    this.#scope.dead = dead;
  }

  /** Whether control never gets to where the next statement would stand. */
  get dead(): boolean {
    return this.#scope.dead;
  }

  /** Notes that control never gets to the rest of the open list. */
  end(): void {
    this.#scope.dead = true;
  }

  /** Whether a scalar has one value for the whole row. */
  isStable(scalar: Scalar): boolean {
    return this.#locals.isStable(scalar);
  }

  /** Notes that a scalar is from 0 to 127. */
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
   * Notes that the constants that are known here are known wherever `result` is `outcome`, and so is
   * what follows from `tests` with that outcome.
   */
  imply(result: Scalar, outcome: boolean, tests: readonly Scalar[] = []): void {
    if (result.op !== "local" || this.dead) return;
    const known = tests.flatMap((test) => [...this.#implications.of(test, outcome)]);
    for (const [key, scalar] of this.#scope.known) {
      if (scalar.op === "const") known.push([key, scalar]);
    }
    this.#implications.note(result.name, outcome, new Map(known));
  }

  /** Notes what was computed where a test comes out as `outcome`. */
  assume(test: Scalar, outcome: boolean): void {
    for (const [key, scalar] of this.#implications.of(test, outcome)) this.remember(key, scalar);
  }

  /** Notes that `low <= high` from here on; with `given`, where that other order holds. */
  noteOrder(order: Order, given?: Order): void {
    if (!this.isStable(order.low) || !this.isStable(order.high)) return;
    const key = orderKey(order);
    this.remember(given === undefined ? key : `${orderKey(given)} implies ${key}`, bool(true));
  }

  /** Notes that a scalar is a position in a view or its size, or -1. */
  notePosition(scalar: Scalar): void {
    if (this.isStable(scalar)) this.remember(positionKey(scalar), bool(true));
  }

  /** Notes that a scalar is never more than a number from here on. Beyond 32 bits it says nothing. */
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

  /** The test as a constant where its outcome is known. */
  decide(test: Scalar): Scalar {
    const outcome = decided(this.#knowledge, test);
    return outcome === undefined ? test : bool(outcome);
  }

  /** The smaller of two, one of them where that is known. */
  min(left: Scalar, right: Scalar): Scalar {
    return knownMin(this.#knowledge, left, right);
  }

  /** The greater of two, one of them where that is known. */
  max(left: Scalar, right: Scalar): Scalar {
    return knownMax(this.#knowledge, left, right);
  }

  #isNoted(key: string): boolean {
    if (this.recall(key) !== undefined) return true;
    return this.#scopes.some(({ given }) =>
      given.some((order) => this.recall(`${order} implies ${key}`) !== undefined)
    );
  }

  /** Notes what a test tells. */
  noteOutcome(test: Scalar, outcome: boolean): void {
    this.assume(test, outcome);
    for (const order of ordersOf(test, outcome)) {
      if (!this.isStable(order.low) || !this.isStable(order.high)) continue;
      this.noteOrder(order);
      this.#scope.given.push(orderKey(order));
    }
  }
}

/** The key under which it is noted what a scalar never exceeds. */
function mostKey(scalar: Scalar): string {
  return `most ${scalarKey(scalar)}`;
}

type Known = ReadonlyMap<string, Scalar>;

const nothing: Known = new Map();

/** The values that were computed before a bool got one of its values. */
class Implications {
  readonly #known = new Map<string, Known>();

  /** Notes that whatever `known` holds was computed where the bool called `name` is `outcome`. */
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
