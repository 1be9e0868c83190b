import type { LoopIdiom, Scalar, ScalarType, Stmt } from "../ir/ir.ts";
import { knownMax, knownMin } from "./range_facts.ts";
import { RowFacts } from "./row_facts.ts";
import {
  type Collected,
  declaration,
  isCheap,
  type Local,
  newScope,
  type Scope,
} from "./row_scope.ts";
import { and, bool, not } from "../ir/scalar.ts";

/**
 * Builds the statements of one row. Values that never change once they are declared are told
 * apart from variables, so that equal work on them is done once.
 */
export class RowBuilder extends RowFacts {
  readonly #rowVariables: Stmt[] = [];
  readonly #usedLabels = new Set<string>();

  /** Lists that are open; a return at the depth of its function is unconditional. */
  get depth(): number {
    return this.scopes.length;
  }

  /** The finished statements. */
  get statements(): readonly Stmt[] {
    return [...this.#rowVariables, ...this.scope.statements];
  }

  /** Adds a statement, unless control never gets there. */
  push(statement: Stmt): void {
    const scope = this.scope;
    if (scope.dead) return;
    scope.statements.push(statement);
    if (statement.do === "break" || statement.do === "continue" || statement.do === "null") {
      scope.dead = true;
    }
  }

  /** The value as something that is cheap to repeat and never changes. */
  stable(hint: string, value: Scalar): Scalar {
    if (isCheap(value) && this.isStable(value)) return value;
    const name = this.locals.freshConstant(hint, value);
    this.push({ do: "let", name, type: value.type, value });
    return { op: "local", type: value.type, name };
  }

  /** The value as something that never changes and can be read in the rest of the row. */
  keep(hint: string, value: Scalar): Scalar {
    if (this.dead || this.locals.isKept(value)) return value;
    const name = this.locals.freshKept(hint, value);
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
    return { op: "local", type, name: this.locals.freshVariable(hint) };
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
    return knownMin(this.knowledge, this.#operand(left), this.#operand(right));
  }

  /** The greater of two. */
  max(left: Scalar, right: Scalar): Scalar {
    return knownMax(this.knowledge, this.#operand(left), this.#operand(right));
  }

  /** An operand that appears twice, kept where it costs something. */
  #operand(scalar: Scalar): Scalar {
    return isCheap(scalar) ? scalar : this.stable("operand", scalar);
  }

  /** Collects what `body` pushes, without adding it anywhere. */
  collect(body: () => void): Collected {
    this.scopes.push({ ...newScope(), dead: this.dead });
    body();
    return this.scopes.pop() as Scope;
  }

  /** Adds what was collected to the open list, as if it had been pushed there. */
  splice(collected: Collected): void {
    const scope = this.scope;
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
        this.noteOutcome(test, outcome);
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
    if (yes.dead && no.dead) this.scope.dead = true;
    // What one side leaves behind is known to hold where only it goes on.
    if (yes.dead !== no.dead) this.noteOutcome(test, no.dead);
    const left = yes.dead ? no.known : no.dead ? yes.known : [];
    for (const [key, scalar] of left) if (scalar.op === "const") this.remember(key, scalar);
  }

  /** A block that `leave` jumps out of; no block where it never does. */
  block(hint: string, body: (leave: () => void) => void): void {
    const label = this.locals.fresh(hint);
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
    const label = this.locals.fresh(hint);
    const leave = () => this.#jump("break", label);
    const next = () => this.#jump("continue", label);
    let head = bool(true);
    const round = this.collect(() => {
      const asked = tests.map((test) => this.#ask(test));
      // Tests without statements, up to the first that has some, are the loop's own.
      const own = asked.findIndex(({ before }) => before.statements.length > 0);
      const heads = own < 0 ? asked : asked.slice(0, own);
      head = and(...heads.map(({ outcome }) => outcome));
      this.noteOutcome(head, true);
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
    if (isEndless && !this.#usedLabels.has(label)) this.scope.dead = true;
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
