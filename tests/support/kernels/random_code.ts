/** Code of numbers that a test draws, and what it computes for a row, by the evaluator of constants. */

import { evaluateBinary, evaluateConvert, evaluateUnary } from "../../../gpu/kernel/ir/evaluate.ts";
import type { Scalar, ScalarType, Stmt } from "../../../gpu/kernel/ir/ir.ts";
import { constant } from "../../../gpu/kernel/ir/scalar.ts";
import { type Answer, BINARY, CONVERSIONS, draw, UNARY } from "../models/scalar_model.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** The values of the columns in a row; null is null. */
export type Row = readonly (Answer | null)[];

/** Draws scalars over columns and locals. */
export class RandomCode {
  readonly locals: (Scalar & { op: "local" })[] = [];
  readonly #columns: readonly Scalar[];
  readonly #random: SeededRandom;

  constructor(columns: readonly Scalar[], random: SeededRandom) {
    this.#columns = columns;
    this.#random = random;
  }

  /** A scalar of a type, with at most `depth` operators one in another. */
  scalar(type: ScalarType, depth: number): Scalar {
    const random = this.#random;
    const leaves = [...this.#columns, ...this.locals].filter((leaf) => leaf.type === type);
    if (depth === 0 || random.chance(0.1)) {
      return random.chance(0.25) ? constant(type, draw(type, random)) : random.pick(leaves);
    }
    const below = (of: ScalarType) => this.scalar(of, depth - 1);
    if (random.chance(0.15)) {
      return { op: "select", type, test: below("bool"), yes: below(type), no: below(type) };
    }
    if (type === "bool" && random.chance(0.3)) {
      const [left, right] = [below("bool"), below("bool")];
      return random.chance(0.2)
        ? { op: "unary", type, fn: "!", value: left }
        : { op: "binary", type, fn: random.pick(["&&", "||", "==", "!="] as const), left, right };
    }
    if (type !== "bool" && random.chance(0.3)) {
      const [fn, from] = random.pick(CONVERSIONS.filter(([, , to]) => to === type));
      return { op: "convert", type, fn, value: below(from) };
    }
    if (type !== "bool" && random.chance(0.2)) {
      const [fn] = random.pick(UNARY.filter(([, of]) => of === type));
      return { op: "unary", type, fn, value: below(type) };
    }
    const [fn, left, right] = random.pick(
      BINARY.filter(([fn, of, , meaning]) =>
        fn === "join"
          ? type === "i64" || type === "f64"
          : typeof meaning(draw(of, random), draw(of === "i64" ? "i64" : of, random)) === "boolean"
          ? type === "bool"
          : of === type
      ),
    );
    return { op: "binary", type, fn, left: below(left), right: below(right) };
  }
}

/** The value of a scalar in a row. */
export function valueInRow(
  scalar: Scalar,
  row: Row,
  locals: ReadonlyMap<string, Answer>,
): Answer {
  const of = (child: Scalar) => valueInRow(child, row, locals);
  switch (scalar.op) {
    case "const":
      return scalar.value;
    case "local":
      return locals.get(scalar.name)!;
    case "unary":
      return evaluateUnary(scalar.fn, of(scalar.value), scalar.type);
    case "convert":
      return evaluateConvert(scalar.fn, of(scalar.value), scalar.type);
    case "select":
      return of(scalar.test) ? of(scalar.yes) : of(scalar.no);
    case "binary": {
      const value = evaluateBinary(
        scalar.fn,
        of(scalar.left),
        of(scalar.right),
        scalar.left.type,
      );
      const isFloat = scalar.fn === "join" && scalar.type === "f64";
      return isFloat ? evaluateConvert("bits", value, "f64") : value;
    }
    case "valid":
      return row[scalar.column] !== null;
    case "word":
    case "long":
    case "float":
    case "bit":
      return row[scalar.column]!;
    default:
      throw new TypeError(`No ${scalar.op} is drawn`);
  }
}

/** The result of statements in a row; null if the row is null. */
export function resultInRow(
  body: readonly Stmt[],
  row: Row,
  locals: Map<string, Answer> = new Map(),
): Answer | null | undefined {
  for (const stmt of body) {
    switch (stmt.do) {
      case "let":
        locals.set(stmt.name, valueInRow(stmt.value, row, locals));
        break;
      case "null":
        return null;
      case "result":
        return valueInRow(stmt.words[0]!, row, locals);
      case "if": {
        const taken = valueInRow(stmt.test, row, locals) ? stmt.then : stmt.else;
        const result = resultInRow(taken, row, locals);
        if (result !== undefined) return result;
        break;
      }
      default:
        throw new TypeError(`No ${stmt.do} is drawn`);
    }
  }
  return undefined;
}
