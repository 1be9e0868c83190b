/**
 * Collects the statements of one row while a kernel is lowered.
 *
 * @module
 */

import type { LoopIdiom, Scalar, ScalarType, Stmt } from "../ir/ir.ts";
import { type FactScope, RowFacts } from "./row_facts.ts";
import { isCheap, type Local, RowLocals } from "./row_locals.ts";
import { and, bool, constant, not } from "../ir/scalar.ts";

/** The statements after which control never gets to the next one. */
const LEAVING: ReadonlySet<Stmt["do"]> = new Set(["break", "continue", "fail", "null"] as const);

/** Collected statements that are not placed yet, with the facts at their end. */
interface Collected {
  readonly statements: Stmt[];
  readonly facts: FactScope;
}

/**
 * Builds the statements of one row. It tells values that never change after their declaration apart
 * from variables, so that equal work on them is done once.
 */
export class RowBuilder {
  readonly #locals = new RowLocals();
  /** The facts that hold at the place of the next statement. */
  readonly facts: RowFacts = new RowFacts(this.#locals);
  readonly #rowVariables: Stmt[] = [];
  /** The open lists, each within the previous one. */
  readonly #lists: Stmt[][] = [[]];
  readonly #usedLabels = new Set<string>();

  /** The number of open lists; a return at the depth of its function is unconditional. */
  get depth(): number {
    return this.#lists.length;
  }

  /** Whether control never reaches the place of the next statement. */
  get dead(): boolean {
    return this.facts.dead;
  }

  /** The finished statements. */
  get statements(): readonly Stmt[] {
    return [...this.#rowVariables, ...this.#list];
  }

  get #list(): Stmt[] {
    return this.#lists.at(-1)!;
  }

  /** Adds a statement, unless control never reaches it. */
  push(statement: Stmt): void {
    if (this.dead) return;
    this.#list.push(statement);
    if (LEAVING.has(statement.do)) this.facts.end();
  }

  /** Returns the value as a scalar that is cheap to repeat and never changes. */
  stable(hint: string, value: Scalar): Scalar {
    if (isCheap(value) && this.facts.isStable(value)) return value;
    const name = this.#locals.freshConstant(hint, value);
    this.push({ do: "let", name, type: value.type, value });
    return { op: "local", type: value.type, name };
  }

  /** Returns the value as a scalar that never changes and can be read in the rest of the row. */
  keep(hint: string, value: Scalar): Scalar {
    if (this.dead || this.#locals.isKept(value)) return value;
    const name = this.#locals.freshKept(hint, value);
    const local: Local = { op: "local", type: value.type, name };
    this.#rowVariables.push(declaration(local));
    this.set(local, value);
    return local;
  }

  /** Declares a variable. */
  variable(hint: string, value: Scalar): Local {
    const local = this.reserve(hint, value.type);
    this.push({ do: "let", name: local.name, type: value.type, value });
    return local;
  }

  /** Returns a new name for a variable that `declare` will declare. */
  reserve(hint: string, type: ScalarType): Local {
    return { op: "local", type, name: this.#locals.freshVariable(hint) };
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

  /** Returns the smaller of two scalars. */
  min(left: Scalar, right: Scalar): Scalar {
    return this.facts.min(this.#operand(left), this.#operand(right));
  }

  /** Returns the greater of two scalars. */
  max(left: Scalar, right: Scalar): Scalar {
    return this.facts.max(this.#operand(left), this.#operand(right));
  }

  /** Returns an operand that appears twice, in a local if it is not cheap. */
  #operand(scalar: Scalar): Scalar {
    return isCheap(scalar) ? scalar : this.stable("operand", scalar);
  }

  /** Collects the statements that `body` pushes, without adding them anywhere. */
  collect(body: () => void): Collected {
    this.#lists.push([]);
    this.facts.open();
    body();
    return { statements: this.#lists.pop()!, facts: this.facts.close() };
  }

  /** Adds collected statements to the open list, as if they had been pushed there. */
  splice(collected: Collected): void {
    if (this.dead) return;
    for (const statement of collected.statements) this.#list.push(statement);
    this.facts.adopt(collected.facts);
  }

  /** Adds an `if`; with a known test, only the side that it picks. */
  if(test: Scalar, then: () => void, otherwise: () => void = () => {}): void {
    if (test.op === "const") return test.value === true ? then() : otherwise();
    const side = (outcome: boolean, body: () => void) =>
      this.collect(() => {
        this.facts.noteOutcome(test, outcome);
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
    if (yes.facts.dead && no.facts.dead) this.facts.end();
    // The facts of one side hold afterwards if only that side continues.
    if (yes.facts.dead !== no.facts.dead) this.facts.noteOutcome(test, no.facts.dead);
    const left = yes.facts.dead ? no.facts.known : no.facts.dead ? yes.facts.known : [];
    for (const [key, scalar] of left) if (scalar.op === "const") this.facts.remember(key, scalar);
  }

  /** Adds a block that `leave` jumps out of, or only its statements if nothing does. */
  block(hint: string, body: (leave: () => void) => void): void {
    const label = this.#locals.fresh(hint);
    const collected = this.collect(() => body(() => this.#jump("break", label)));
    if (!this.#usedLabels.has(label)) return this.splice(collected);
    this.push({ do: "block", label, body: collected.statements });
  }

  /**
   * Adds a loop that continues while all of `tests` hold. They are evaluated in order, each only if
   * the previous ones hold, and may push statements. `idiom` is the effect of the loop as a whole.
   */
  loop(
    hint: string,
    tests: readonly (() => Scalar)[],
    body: (jumps: { leave: () => void; next: () => void }) => void,
    update: () => void,
    idiom?: LoopIdiom,
  ): void {
    const label = this.#locals.fresh(hint);
    const leave = () => this.#jump("break", label);
    const next = () => this.#jump("continue", label);
    let head = bool(true);
    const round = this.collect(() => {
      const asked = tests.map((test) => this.#ask(test));
      // The tests before the first one with statements become the test of the loop itself.
      const own = asked.findIndex(({ before }) => before.statements.length > 0);
      const heads = own < 0 ? asked : asked.slice(0, own);
      head = and(...heads.map(({ outcome }) => outcome));
      this.facts.noteOutcome(head, true);
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
      ...(idiom === undefined ? {} : { idiom }),
    });
    const isEndless = head.op === "const" && head.value === true;
    if (isEndless && !this.#usedLabels.has(label)) this.facts.end();
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

/** Declares a local as 0 or false. */
function declaration({ name, type }: Local): Stmt {
  return { do: "let", name, type, value: constant(type, type === "bool" ? false : 0) };
}

/** Variables in which the values of several paths meet. */
export class Join {
  readonly #builder: RowBuilder;
  readonly #hint: string;
  #locals: readonly Local[] = [];

  constructor(builder: RowBuilder, hint: string) {
    this.#builder = builder;
    this.#hint = hint;
  }

  get locals(): readonly Local[] {
    return this.#locals;
  }

  /** Assigns the values at the end of a path; a path that never gets here assigns nothing. */
  set(values: readonly Scalar[]): void {
    if (this.#builder.dead) return;
    if (this.#locals.length === 0) {
      this.#locals = values.map((value) => this.#builder.reserve(this.#hint, value.type));
    }
    this.#locals.forEach((local, index) => this.#builder.set(local, values[index] ?? local));
  }

  /** Runs the paths, with the variables declared before them. */
  around(paths: () => void): void {
    const collected = this.#builder.collect(paths);
    for (const local of this.#locals) this.#builder.declare(local);
    this.#builder.splice(collected);
  }
}
