import { Implications } from "./implications.ts";
import type { Scalar, ScalarType, Seek, Stmt } from "./ir.ts";
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
} from "./range_facts.ts";
import {
  type Collected,
  declaration,
  isCheap,
  type Local,
  newScope,
  type Scope,
} from "./row_scope.ts";
import { and, bool, not } from "./scalar.ts";

/**
 * Builds the statements of one row. Values that never change once they are declared are told
 * apart from variables, so that equal work on them is done once.
 */
export class RowBuilder {
  #scopes: Scope[] = [newScope()];
  readonly #rowVariables: Stmt[] = [];
  readonly #taken = new Set<string>();
  readonly #variables = new Set<string>();
  readonly #definitions = new Map<string, Scalar>();
  readonly #asciiLocals = new Set<string>();
  readonly #asciiScalars = new WeakSet<Scalar>();
  readonly #usedLabels = new Set<string>();
  /** Locals that are declared for the whole row and assigned once. */
  readonly #kept = new Set<string>();
  readonly #implications = new Implications();

  /** Whether control never gets to where the next statement would stand. */
  get dead(): boolean {
    return this.#scope.dead;
  }

  /** Lists that are open; a return at the depth of its function is unconditional. */
  get depth(): number {
    return this.#scopes.length;
  }

  /** The finished statements. */
  get statements(): readonly Stmt[] {
    return [...this.#rowVariables, ...this.#scope.statements];
  }

  get #scope(): Scope {
    return this.#scopes.at(-1) as Scope;
  }

  /** Adds a statement, unless control never gets there. */
  push(statement: Stmt): void {
    const scope = this.#scope;
    if (scope.dead) return;
    scope.statements.push(statement);
    if (statement.do === "break" || statement.do === "continue" || statement.do === "null") {
      scope.dead = true;
    }
  }

  /** A name that the kernel does not have yet. */
  fresh(hint: string): string {
    const base = hint.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|_|$)/, "v");
    let name = base;
    for (let i = 2; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }

  /** The value as something that is cheap to repeat and never changes. */
  stable(hint: string, value: Scalar): Scalar {
    if (isCheap(value) && this.isStable(value)) return value;
    const name = this.fresh(hint);
    this.push({ do: "let", name, type: value.type, value });
    if (this.isAscii(value)) this.#asciiLocals.add(name);
    if (this.isStable(value)) this.#definitions.set(name, value);
    return { op: "local", type: value.type, name };
  }

  /** The value as something that never changes and can be read in the rest of the row. */
  keep(hint: string, value: Scalar): Scalar {
    if (this.dead || this.#isKept(value)) return value;
    const name = this.fresh(hint);
    const local: Local = { op: "local", type: value.type, name };
    this.#rowVariables.push(declaration(local));
    this.#kept.add(name);
    if (this.isAscii(value)) this.#asciiLocals.add(name);
    if (this.isStable(value)) this.#definitions.set(name, value);
    this.set(local, value);
    return local;
  }

  #isKept(scalar: Scalar): boolean {
    if (scalar.op === "local") return this.#kept.has(scalar.name);
    if (!isCheap(scalar)) return false;
    return scalar.op !== "binary" || (this.#isKept(scalar.left) && this.#isKept(scalar.right));
  }

  /** Declares a variable. */
  variable(hint: string, value: Scalar): Local {
    const local = this.reserve(hint, value.type);
    this.push({ do: "let", name: local.name, type: value.type, value });
    return local;
  }

  /** Names a variable that `declare` is going to declare. */
  reserve(hint: string, type: ScalarType): Local {
    const name = this.fresh(hint);
    this.#variables.add(name);
    return { op: "local", type, name };
  }

  /** Declares a reserved variable as 0 or false. */
  declare(local: Local): void {
    this.push(declaration(local));
  }

  /** Declares a variable for the whole row, as 0 or false. */
  rowVariable(hint: string, type: ScalarType): Local {
    const local = this.reserve(hint, type);
    this.#rowVariables.push(declaration(local));
    return local;
  }

  /** Assigns a variable. */
  set(variable: Local, value: Scalar): void {
    if (value.op === "local" && value.name === variable.name) return;
    this.push({ do: "set", name: variable.name, value });
  }

  /** Whether a scalar has one value for the whole row. */
  isStable(scalar: Scalar): boolean {
    switch (scalar.op) {
      case "local":
        return !this.#variables.has(scalar.name);
      case "unary":
        return this.isStable(scalar.value);
      case "binary":
        return this.isStable(scalar.left) && this.isStable(scalar.right);
      case "select":
        return this.isStable(scalar.test) && this.isStable(scalar.yes) && this.isStable(scalar.no);
      case "byte":
      case "table":
      case "itemStart":
      case "itemValid":
        return this.isStable(scalar.at);
      case "scratch":
        return false;
      case "decimal":
        return this.isStable(scalar.start) && this.isStable(scalar.stop);
      default:
        return true;
    }
  }

  /** Notes that a scalar is from 0 to 127. */
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

  /** What was remembered under a key on the way to here. */
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
   * Notes that what is known here that can be read anywhere in the row holds wherever `result` is
   * `outcome`, and what follows from the `tests` coming out like that, too.
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

  /** Whether `low <= high` is known. */
  knows(low: Scalar, high: Scalar): boolean {
    return proves(this.#knowledge, low, high);
  }

  /** The test as a constant where its outcome is known. */
  decide(test: Scalar): Scalar {
    const outcome = decided(this.#knowledge, test);
    return outcome === undefined ? test : bool(outcome);
  }

  /** The smaller of two. */
  min(left: Scalar, right: Scalar): Scalar {
    return knownMin(this.#knowledge, this.#operand(left), this.#operand(right));
  }

  /** The greater of two. */
  max(left: Scalar, right: Scalar): Scalar {
    return knownMax(this.#knowledge, this.#operand(left), this.#operand(right));
  }

  /** An operand that appears twice, kept where it costs something. */
  #operand(scalar: Scalar): Scalar {
    return isCheap(scalar) ? scalar : this.stable("operand", scalar);
  }

  readonly #isNoted = (key: string): boolean => {
    if (this.recall(key) !== undefined) return true;
    return this.#scopes.some(({ given }) =>
      given.some((order) => this.recall(`${order} implies ${key}`) !== undefined)
    );
  };

  readonly #knowledge: Knowledge = {
    isNoted: (key) => this.#isNoted(key),
    definitionOf: (name) => this.#definitions.get(name),
    isAscii: (scalar) => this.isAscii(scalar),
  };

  /** Notes what a test tells. */
  #noteOutcome(test: Scalar, outcome: boolean): void {
    this.assume(test, outcome);
    for (const order of ordersOf(test, outcome)) {
      if (!this.isStable(order.low) || !this.isStable(order.high)) continue;
      this.noteOrder(order);
      this.#scope.given.push(orderKey(order));
    }
  }

  /** Collects what `body` pushes, without adding it anywhere. */
  collect(body: () => void): Collected {
    this.#scopes.push({ ...newScope(), dead: this.dead });
    body();
    return this.#scopes.pop() as Scope;
  }

  /** Adds what was collected to the open list, as if it had been pushed there. */
  splice(collected: Collected): void {
    const scope = this.#scope;
    if (scope.dead) return;
    for (const statement of collected.statements) scope.statements.push(statement);
    for (const [key, scalar] of collected.known) scope.known.set(key, scalar);
    scope.given.push(...collected.given);
    scope.dead = collected.dead;
  }

  /** `if`; a test that is known picks its side and leaves no trace. */
  if(test: Scalar, then: () => void, otherwise: () => void = () => {}): void {
    if (test.op === "const") return test.value === true ? then() : otherwise();
    const side = (outcome: boolean, body: () => void) =>
      this.collect(() => {
        this.#noteOutcome(test, outcome);
        body();
      });
    const yes = side(true, then);
    const no = side(false, otherwise);
    const isEmpty = yes.statements.length === 0 && no.statements.length === 0;
    if (this.dead || isEmpty) return;
    this.push(
      yes.statements.length === 0
        ? { do: "if", test: not(test), then: no.statements, else: [] }
        : { do: "if", test, then: yes.statements, else: no.statements },
    );
    if (yes.dead && no.dead) this.#scope.dead = true;
    // What one side leaves behind is known to hold where only it goes on.
    if (yes.dead !== no.dead) this.#noteOutcome(test, no.dead);
    const left = yes.dead ? no.known : no.dead ? yes.known : [];
    for (const [key, scalar] of left) if (scalar.op === "const") this.remember(key, scalar);
  }

  /** A block that `leave` jumps out of; no block where it never does. */
  block(hint: string, body: (leave: () => void) => void): void {
    const label = this.fresh(hint);
    const collected = this.collect(() => body(() => this.#jump("break", label)));
    if (!this.#usedLabels.has(label)) return this.splice(collected);
    this.push({ do: "block", label, body: collected.statements });
  }

  /**
   * A loop that goes on while all of `tests` hold; they are asked in order, each only where the
   * ones before it hold, and may push statements of their own. `seek` says what it does.
   */
  loop(
    hint: string,
    tests: readonly (() => Scalar)[],
    body: (jumps: { leave: () => void; next: () => void }) => void,
    update: () => void,
    seek?: Seek,
  ): void {
    const label = this.fresh(hint);
    const leave = () => this.#jump("break", label);
    const next = () => this.#jump("continue", label);
    let head = bool(true);
    const round = this.collect(() => {
      const asked = tests.map((test) => this.#ask(test));
      // Tests without statements, up to the first that has some, are the loop's own.
      const own = asked.findIndex(({ before }) => before.statements.length > 0);
      const heads = own < 0 ? asked : asked.slice(0, own);
      head = and(...heads.map(({ outcome }) => outcome));
      this.#noteOutcome(head, true);
      for (const { before, outcome } of own < 0 ? [] : asked.slice(own)) {
        this.splice(before);
        this.if(not(outcome), leave);
      }
      body({ leave, next });
    });
    const updates = this.collect(update);
    this.push({
      do: "loop",
      label,
      test: head,
      body: round.statements,
      update: updates.statements,
      ...(seek === undefined ? {} : { seek }),
    });
    const isEndless = head.op === "const" && head.value === true;
    if (isEndless && !this.#usedLabels.has(label)) this.#scope.dead = true;
  }

  #ask(test: () => Scalar): { before: Collected; outcome: Scalar } {
    let outcome = bool(true);
    const before = this.collect(() => {
      outcome = test();
    });
    return { before, outcome };
  }

  #jump(jump: "break" | "continue", label: string): void {
    if (this.dead) return;
    if (jump === "break") this.#usedLabels.add(label);
    this.push({ do: jump, label });
  }
}
