/**
 * Turns the branches of numbers into choices: every statement is computed, and counts only where the
 * row gets to it. No processor can predict branches that follow the values of rows, or their nulls,
 * and a mispredicted one costs more than what it saves.
 *
 * @module
 */

import type { RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { nullColumnOf } from "../../ir/null_columns.ts";
import { and, bool, constant, not, or, select } from "../../ir/scalar.ts";
import { bodiesOf, mayFail, scalarsOf, someScalar, someStatement, visit } from "../../ir/visit.ts";
import { isDivision } from "../../language/operators.ts";
import { takesAnyNumber } from "../../ir/takes_any_number.ts";

/** The most operations of a branch that rows which do not take it compute too. */
const MAX_OPERATIONS = 16;

/** The code of a row without branches. */
export interface FlatCode {
  readonly statements: readonly Stmt[];
  readonly value: Scalar;
  /** Whether the row has the value; null if each one that no column makes null has it. */
  readonly isValid: Scalar | null;
}

/** Returns the code of a kernel without branches; null if it has none, or is faster with them. */
export function flatten(kernel: RowKernel): FlatCode | null {
  return isOfNumbers(kernel) && isWorthIt(restOf(kernel)) ? withoutBranches(kernel) : null;
}

/** Returns the code of a kernel without branches; null if some of them are needed. */
export function withoutBranches(kernel: RowKernel): FlatCode | null {
  if (!isOfNumbers(kernel) || !takesAnyNumber(kernel.body)) return null;
  const rest = restOf(kernel);
  const words: (readonly Scalar[])[] = [];
  visit(rest, { stmt: (stmt) => void (stmt.do === "result" && words.push(stmt.words)) });
  const results = words.flat();
  if (results.length === 0 || results.length > words.length) return null;
  const makesNull = kernel.canBeNull && someStatement(rest, (stmt) => stmt.do === "null");
  const fails = mayFail(rest);
  const tests = fails ? kernel.body.filter((stmt) => !rest.includes(stmt)) : [];
  return new Flattener(results, tests).row(fails ? kernel.body : rest, makesNull);
}

function isOfNumbers({ type }: RowKernel): boolean {
  return type.kind !== "string" && type.kind !== "list";
}

/** Returns the statements besides the tests that end a row where a column is null. */
function restOf({ body }: RowKernel): readonly Stmt[] {
  return body.filter((stmt) => nullColumnOf(stmt) === null);
}

/** Whether code has branches that cannot be predicted, over few operations. */
function isWorthIt(body: readonly Stmt[]): boolean {
  let branches = 0;
  let operations = 0;
  let divides = false;
  const count = (statements: readonly Stmt[], isTop: boolean) => {
    for (const stmt of statements) {
      // Failures are rare.
      if (stmt.do === "if" && !isFailure(stmt, isTop)) branches++;
      for (const scalar of scalarsOf(stmt)) {
        divides ||= someScalar(scalar, isSlow);
        if (!isTop) operations += numOperations(scalar);
      }
      for (const inner of bodiesOf(stmt)) count(inner, isTop && stmt.do === "block");
    }
  };
  count(body, true);
  return branches > 0 && !divides && operations <= branches * MAX_OPERATIONS;
}

function isFailure({ then, else: other, test }: Stmt & { do: "if" }, isTop: boolean): boolean {
  if (then.length !== 1 || other.length > 0) return false;
  if (then[0]?.do === "fail") return true;
  return isTop && then[0]?.do === "null" && !someScalar(test, ({ op }) => op === "valid");
}

function isSlow(scalar: Scalar): boolean {
  return scalar.op === "binary" && isDivision(scalar.fn) && scalar.type !== "f64" &&
    scalar.right.op !== "const";
}

function numOperations(scalar: Scalar): number {
  let count = 0;
  someScalar(scalar, ({ op }) => {
    if (op !== "const" && op !== "local") count++;
    return false;
  });
  return count;
}

class Flattener {
  readonly #statements: Stmt[] = [];
  /** The local with the value; null if the row has only one. */
  readonly #result: (Scalar & { op: "local" }) | null;
  /** Whether the row leaves a block, by its label. */
  readonly #left = new Map<string, Scalar>();
  /** The tests for null columns, which stay: code that fails depends on those before it. */
  readonly #tests: readonly Stmt[];
  #value: Scalar;
  #isValid: Scalar = bool(false);
  #numLocals = 0;

  constructor([first, ...more]: readonly Scalar[], tests: readonly Stmt[]) {
    this.#tests = tests;
    this.#value = first!;
    const type = first!.type;
    this.#result = more.length === 0 ? null : { op: "local", type, name: "$flatResult" };
    if (this.#result === null) return;
    const none = constant(type, type === "bool" ? false : 0);
    this.#statements.push({ do: "let", name: this.#result.name, type, value: none });
    this.#value = this.#result;
  }

  row(body: readonly Stmt[], makesNull: boolean): FlatCode {
    this.#list(body, bool(true));
    return {
      statements: this.#statements,
      value: this.#value,
      isValid: makesNull ? this.#isValid : null,
    };
  }

  /** Returns whether the row gets to the end of statements, if it gets to their start. */
  #list(body: readonly Stmt[], start: Scalar): Scalar {
    return body.reduce((isHere, stmt) => this.#statement(stmt, isHere), start);
  }

  #statement(stmt: Stmt, isHere: Scalar): Scalar {
    switch (stmt.do) {
      case "let":
        this.#statements.push(stmt);
        return isHere;
      case "set":
        this.#set({ op: "local", type: stmt.value.type, name: stmt.name }, stmt.value, isHere);
        return isHere;
      case "if":
        if (this.#tests.includes(stmt)) {
          this.#statements.push(stmt);
          return isHere;
        }
        return this.#if(stmt, isHere);
      case "fail":
        this.#statements.push({ do: "if", test: this.#keep(isHere), then: [stmt], else: [] });
        return bool(false);
      case "block": {
        this.#left.set(stmt.label, bool(false));
        const isThere = this.#list(stmt.body, isHere);
        return leaves(stmt) ? this.#keep(or(isThere, this.#left.get(stmt.label)!)) : isHere;
      }
      case "break":
        this.#left.set(stmt.label, this.#keep(or(this.#left.get(stmt.label)!, isHere)));
        return bool(false);
      case "result":
        if (this.#result !== null) this.#set(this.#result, stmt.words[0]!, isHere);
        this.#isValid = this.#keep(or(this.#isValid, isHere));
        return bool(false);
      default:
        return bool(false);
    }
  }

  #if(stmt: Stmt & { do: "if" }, isHere: Scalar): Scalar {
    const test = this.#keep(stmt.test);
    const yes = this.#list(stmt.then, this.#keep(and(isHere, test)));
    const no = this.#list(stmt.else, this.#keep(and(isHere, not(test))));
    return leaves(stmt) ? this.#keep(or(yes, no)) : isHere;
  }

  #set(local: Scalar & { op: "local" }, value: Scalar, isHere: Scalar): void {
    this.#statements.push({ do: "set", name: local.name, value: select(isHere, value, local) });
  }

  /** Returns a bool as a local that nothing changes. */
  #keep(value: Scalar): Scalar {
    if (value.op === "const") return value;
    if (value.op === "local" && value.name.startsWith("$flat")) return value;
    const name = `$flat${this.#numLocals++}`;
    this.#statements.push({ do: "let", name, type: "bool", value });
    return { op: "local", type: "bool", name };
  }
}

/** Whether a row may leave a statement for another place than its end. */
function leaves(stmt: Stmt): boolean {
  const inside = new Set<string>();
  visit([stmt], { stmt: (inner) => void (inner.do === "block" && inside.add(inner.label)) });
  return someStatement([stmt], (inner) =>
    inner.do === "null" || inner.do === "result" ||
    inner.do === "break" && !inside.has(inner.label));
}
