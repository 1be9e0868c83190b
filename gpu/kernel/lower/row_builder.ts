/**
 * Collects the statements of one row while a kernel is lowered.
 *
 * @module
 */

import type { LoopIdiom, Scalar, ScalarType, Stmt } from "../ir/ir.ts";
import { type FactScope, RowFacts } from "./row_facts.ts";
import { isCheap, type Local, RowLocals } from "./row_locals.ts";
import { and, bool, not } from "../ir/scalar.ts";

/** Statements that were collected and stand nowhere yet, with what is known where they end. */
interface Collected {
  readonly statements: Stmt[];
  readonly facts: FactScope;
}

/**
 * Builds the statements of one row. Values that never change once they are declared are told
 * apart from variables, so that equal work on them is done once.
 */
export class RowBuilder {
  readonly #locals = new RowLocals();
  /** The facts that hold where the next statement will stand. */
  readonly facts: RowFacts = new RowFacts(this.#locals);
  readonly #rowVariables: Stmt[] = [];
  /** The lists that are open, each in the one before. */
  readonly #lists: Stmt[][] = [[]];
  readonly #usedLabels = new Set<string>();

  /** Lists that are open; a return at the depth of its function is unconditional. */
  get depth(): number {
    return this.#lists.length;
  }

  /** Whether control never gets to where the next statement would stand. */
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

  /** Adds a statement, unless control never gets there. */
  push(statement: Stmt): void {
    if (this.dead) return;
    this.#list.push(statement);
    if (statement.do === "break" || statement.do === "continue" || statement.do === "null") {
      this.facts.end();
    }
  }

  /** The value as something that is cheap to repeat and never changes. */
  stable(hint: string, value: Scalar): Scalar {
    if (isCheap(value) && this.facts.isStable(value)) return value;
    const name = this.#locals.freshConstant(hint, value);
    this.push({ do: "let", name, type: value.type, value });
    return { op: "local", type: value.type, name };
  }

  /** The value as something that never changes and can be read in the rest of the row. */
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

  /** Names a variable that `declare` is going to declare. */
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

  /** The smaller of two. */
  min(left: Scalar, right: Scalar): Scalar {
    return this.facts.min(this.#operand(left), this.#operand(right));
  }

  /** The greater of two. */
  max(left: Scalar, right: Scalar): Scalar {
    return this.facts.max(this.#operand(left), this.#operand(right));
  }

  /** An operand that appears twice, kept where it costs something. */
  #operand(scalar: Scalar): Scalar {
    return isCheap(scalar) ? scalar : this.stable("operand", scalar);
  }

  /** Collects what `body` pushes, without adding it anywhere. */
  collect(body: () => void): Collected {
    this.#lists.push([]);
    this.facts.open();
    body();
    return { statements: this.#lists.pop()!, facts: this.facts.close() };
  }

  /** Adds what was collected to the open list, as if it had been pushed there. */
  splice(collected: Collected): void {
    if (this.dead) return;
    for (const statement of collected.statements) this.#list.push(statement);
    this.facts.adopt(collected.facts);
  }

  /** `if`; a test that is known picks its side and leaves no trace. */
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
    // What one side leaves behind is known to hold where only it goes on.
    if (yes.facts.dead !== no.facts.dead) this.facts.noteOutcome(test, no.facts.dead);
    const left = yes.facts.dead ? no.facts.known : no.facts.dead ? yes.facts.known : [];
    for (const [key, scalar] of left) if (scalar.op === "const") this.facts.remember(key, scalar);
  }

  /** A block that `leave` jumps out of; no block where it never does. */
  block(hint: string, body: (leave: () => void) => void): void {
    const label = this.#locals.fresh(hint);
    const collected = this.collect(() => body(() => this.#jump("break", label)));
    if (!this.#usedLabels.has(label)) return this.splice(collected);
    this.push({ do: "block", label, body: collected.statements });
  }

  /**
   * A loop that goes on while all of `tests` hold; they are asked in order, each only where the
   * ones before it hold, and may push statements of their own. `idiom` says what it does as a whole.
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
      // Tests without statements, up to the first that has some, are the loop's own.
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
  const value: Scalar = { op: "const", type, value: type === "bool" ? false : 0 };
  return { do: "let", name, type, value };
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

  /** Assigns the values where a path ends; a path that never gets here assigns nothing. */
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
