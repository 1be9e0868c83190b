/**
 * Rewrites scalars without i64. Computations with halves are added to the code before the
 * statement: scalars have no effects and always have a value. Only what takes a loop or many
 * statements stays behind a test, where the scalar was.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { Scalar, Stmt } from "../ir/ir.ts";
import { binary, convert, isConstant, not, select, unary, wordIn } from "../ir/scalar.ts";
import { childrenOf, mapChildren, someScalar, someStatement } from "../ir/visit.ts";
import { choose, extend, leadingZeros, toFloat, truncate } from "./convert.ts";
import type { HalvedCode } from "./halved_code.ts";
import { compare } from "./order.ts";
import { constantPair, type Pair } from "./pair.ts";
import { multiply, productOverflows, productOverflowsUnsigned } from "./product.ts";
import { divide, divideUnsigned } from "./quotient.ts";
import { shift } from "./shift.ts";
import * as sum from "./sum.ts";

type Binary = Scalar & { op: "binary" };

/** The most statements that are worth computing where they may not be needed. */
const MAX_NEEDLESS = 8;

const longs = new WeakMap<Scalar, boolean>();

/** Whether a scalar or one below it is an i64. */
export function hasLong(scalar: Scalar): boolean {
  let known = longs.get(scalar);
  if (known === undefined) {
    known = scalar.type === "i64" || childrenOf(scalar).some(hasLong);
    longs.set(scalar, known);
  }
  return known;
}

/** The scalars of the statement for which code is being added. */
export class HalvedScalars {
  readonly #code: HalvedCode;
  readonly #local: (name: string) => Pair;
  /** The pairs of this statement. */
  #pairs = new Map<Scalar, Pair>();

  /** `local` returns the halves of a local. */
  constructor(code: HalvedCode, local: (name: string) => Pair) {
    this.#code = code;
    this.#local = local;
  }

  /** Forgets the pairs of the statement before. */
  begin(): void {
    this.#pairs = new Map();
  }

  /** Returns a scalar of another type than i64. */
  scalar(scalar: Scalar): Scalar {
    if (!hasLong(scalar)) return scalar;
    switch (scalar.op) {
      case "binary":
        if (scalar.left.type === "i64") return this.#test(scalar);
        if (scalar.fn === "&&" || scalar.fn === "||") return this.#logic(scalar, scalar.fn);
        return binary(
          scalar.fn,
          this.scalar(scalar.left),
          this.scalar(scalar.right),
          scalar.type === "f64" ? "f64" : "i64",
        );
      case "unary":
        return unary(scalar.fn, this.scalar(scalar.value));
      case "convert":
        return scalar.value.type === "i64"
          ? this.#fromLong(scalar)
          : convert(scalar.fn, scalar.type, this.scalar(scalar.value));
      case "select":
        return this.#select(scalar);
      default:
        return mapChildren(scalar, (child) => this.scalar(child));
    }
  }

  /** Returns the halves of an i64. */
  pair(scalar: Scalar): Pair {
    let pair = this.#pairs.get(scalar);
    if (pair === undefined) {
      pair = this.#makePair(scalar);
      this.#pairs.set(scalar, pair);
    }
    return pair;
  }

  #makePair(scalar: Scalar): Pair {
    const code = this.#code;
    switch (scalar.op) {
      case "const":
        return constantPair(BigInt(scalar.value));
      case "local":
        return this.#local(scalar.name);
      case "long": {
        const { column } = scalar;
        const word = (fn: "low" | "high"): Scalar => ({
          op: "word",
          type: "i32",
          column,
          word: wordIn(scalar, fn),
        });
        return { low: word("low"), high: word("high") };
      }
      case "unary": {
        const value = this.pair(scalar.value);
        if (scalar.fn === "-") return sum.negate(code, value);
        if (scalar.fn === "clz") return leadingZeros(code, value);
        return this.#eachHalf(value, value, (half) => unary("~", half));
      }
      case "binary":
        return this.#operation(scalar);
      case "convert":
        return this.#toLong(scalar);
      case "select": {
        const test = code.stable("test", this.scalar(scalar.test));
        const [yes, no] = [scalar.yes, scalar.no];
        return this.#either(test, () => this.pair(yes), () => this.pair(no));
      }
      default:
        throw new InternalError(`${scalar.op} is no i64`);
    }
  }

  #operation({ fn, left, right }: Binary): Pair {
    const code = this.#code;
    if (fn === "join") {
      const [low, high] = [this.scalar(left), this.scalar(right)];
      return { low: code.stable("low", low), high: code.stable("high", high) };
    }
    const a = this.pair(left);
    if (fn === "<<" || fn === ">>" || fn === ">>>") {
      return shift(code, fn, a, this.scalar(right));
    }
    const b = this.pair(right);
    switch (fn) {
      case "+":
        return sum.add(code, a, b);
      case "-":
        return sum.subtract(code, a, b);
      case "*":
        return multiply(code, a, b);
      case "/":
      case "%":
        return divide(code, fn, a, b);
      case "/u":
      case "%u":
        return divideUnsigned(code, fn, a, b);
      case "&":
      case "|":
      case "^":
        return this.#eachHalf(a, b, (x, y) => binary(fn, x, y));
      default:
        throw new InternalError(`${fn} makes no i64`);
    }
  }

  #eachHalf(a: Pair, b: Pair, combine: (x: Scalar, y: Scalar) => Scalar): Pair {
    return {
      low: this.#code.stable("low", combine(a.low, b.low)),
      high: this.#code.stable("high", combine(a.high, b.high)),
      isNarrow: a.isNarrow === true && b.isNarrow === true,
    };
  }

  #toLong({ fn, value }: Scalar & { op: "convert" }): Pair {
    const code = this.#code;
    if (value.type === "i64") return this.pair(value);
    const from = this.scalar(value);
    switch (fn) {
      case "extend":
        return extend(code, from);
      case "extendU":
        return { low: code.stable("low", from), high: constantPair(0n).high };
      case "truncate":
        return truncate(code, from);
      case "bits": {
        const float = code.stable("float", from);
        return {
          low: code.stable("low", convert("low", "i32", float)),
          high: code.stable("high", convert("high", "i32", float)),
        };
      }
      default:
        throw new InternalError(`${fn} makes no i64`);
    }
  }

  #fromLong({ fn, type, value }: Scalar & { op: "convert" }): Scalar {
    const pair = this.pair(value);
    switch (fn) {
      case "low":
        return pair.low;
      case "high":
        return pair.high;
      case "toFloat":
      case "toFloatU":
        return toFloat(this.#code, fn, pair);
      case "bits":
        return binary("join", pair.low, pair.high, "f64");
      default:
        throw new InternalError(`${fn} makes no ${type} of an i64`);
    }
  }

  #test({ fn, left, right }: Binary): Scalar {
    const code = this.#code;
    const [a, b] = [this.pair(left), this.pair(right)];
    switch (fn) {
      case "+overflows":
        return sum.sumOverflows(code, a, b);
      case "-overflows":
        return sum.differenceOverflows(code, a, b);
      case "*overflows":
        return productOverflows(code, a, b);
      case "+overflowsU":
        return sum.sumOverflowsUnsigned(code, a, b);
      case "-overflowsU":
        return compare("<u", a, b)!;
      case "*overflowsU":
        return productOverflowsUnsigned(code, a, b);
    }
    const test = compare(fn, a, b);
    if (test === undefined) throw new InternalError(`${fn} takes no i64`);
    return test;
  }

  /** The right side is computed only where the left one does not decide, if it takes much. */
  #logic({ left, right }: Binary, fn: "&&" | "||"): Scalar {
    const first = this.scalar(left);
    if (first.op === "const") return isConstant(first, fn === "||") ? first : this.scalar(right);
    const [statements, second] = this.#apart(() => this.scalar(right));
    if (isLittle(statements)) {
      this.#code.push(...statements);
      return binary(fn, first, second);
    }
    const result = this.#code.variable("test", first);
    const then: Stmt[] = [...statements, { do: "set", name: result.name, value: second }];
    this.#code.push({ do: "if", test: fn === "&&" ? result : not(result), then, else: [] });
    return result;
  }

  #select({ test, yes, no }: Scalar & { op: "select" }): Scalar {
    const first = this.scalar(test);
    if (first.op === "const") return this.scalar(first.value === true ? yes : no);
    const [thenCode, then] = this.#apart(() => this.scalar(yes));
    const [elseCode, otherwise] = this.#apart(() => this.scalar(no));
    if (isLittle(thenCode) && isLittle(elseCode)) {
      this.#code.push(...thenCode, ...elseCode);
      return select(first, then, otherwise);
    }
    return this.#branches(first, [thenCode, [then]], [elseCode, [otherwise]])[0]!;
  }

  #either(test: Scalar, yes: () => Pair, no: () => Pair): Pair {
    if (test.op === "const") return test.value === true ? yes() : no();
    const [thenCode, then] = this.#apart(yes);
    const [elseCode, otherwise] = this.#apart(no);
    if (isLittle(thenCode) && isLittle(elseCode)) {
      this.#code.push(...thenCode, ...elseCode);
      return choose(this.#code, test, then, otherwise);
    }
    const [low, high] = this.#branches(
      test,
      [thenCode, [then.low, then.high]],
      [elseCode, [otherwise.low, otherwise.high]],
    );
    return { low: low!, high: high! };
  }

  /** Adds a test with a branch for each side, and returns the results of the one that was taken. */
  #branches(test: Scalar, yes: Side, no: Side): readonly Scalar[] {
    const code = this.#code;
    const results = yes[1].map((value) => code.variable("chosen", zeroOf(value)));
    const branch = ([statements, values]: Side): Stmt[] => [
      ...statements,
      ...values.map((value, k): Stmt => ({ do: "set", name: results[k]!.name, value })),
    ];
    code.push({ do: "if", test, then: branch(yes), else: branch(no) });
    return results;
  }

  /** Returns the statements that a function adds, and its result. Pairs that it makes are its own. */
  #apart<Result>(make: () => Result): [Stmt[], Result] {
    const pairs = this.#pairs;
    this.#pairs = new Map(pairs);
    let result: Result;
    const statements = this.#code.collect(() => result = make());
    this.#pairs = pairs;
    return [statements, result!];
  }
}

/** Statements, and the scalars that they make. */
type Side = readonly [statements: readonly Stmt[], values: readonly Scalar[]];

function zeroOf({ type }: Scalar): Scalar {
  return type === "bool"
    ? { op: "const", type, value: false }
    : { op: "const", type: type === "f64" ? type : "i32", value: 0 };
}

/** Whether statements may as well be computed where nothing needs them. */
function isLittle(statements: readonly Stmt[]): boolean {
  return statements.length <= MAX_NEEDLESS && !someStatement(
    statements,
    (stmt) =>
      stmt.do !== "let" || someScalar(stmt.value, ({ op }) => op === "hostCall" || op === "table"),
  );
}
