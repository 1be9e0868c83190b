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

/** Draws statements with branches, one in another. */
export class RandomBranches {
  readonly #code: RandomCode;
  readonly #random: SeededRandom;
  readonly #type: ScalarType;
  readonly #depth: number;
  #numNames = 0;

  /** The results are of a type; scalars have at most `depth` operators one in another. */
  constructor(code: RandomCode, type: ScalarType, depth: number, random: SeededRandom) {
    this.#depth = depth;
    this.#code = code;
    this.#type = type;
    this.#random = random;
  }

  /** Statements that may leave the blocks of these labels, or end the row. */
  statements(depth: number, labels: readonly string[]): Stmt[] {
    const random = this.#random;
    const known = this.#code.locals.length;
    const statements: Stmt[] = [];
    for (let count = 1 + random.below(3); count > 0; count--) {
      statements.push(this.#statement(depth, labels));
    }
    // What a list declares is known in it alone.
    this.#code.locals.length = known;
    if (labels.length > 0 && random.chance(0.5)) statements.push(this.#exit(labels));
    else if (random.chance(0.1)) statements.push(this.#exit(labels));
    return statements;
  }

  /** The end of a row: its value, by one of two ways or by one. */
  end(): Stmt {
    const [code, random] = [this.#code, this.#random];
    const known = code.locals.filter(({ type }) => type === this.#type);
    const result = (): Stmt => {
      const isLocal = known.length > 0 && random.chance(0.7);
      return {
        do: "result",
        words: [isLocal ? random.pick(known) : code.scalar(this.#type, this.#depth)],
      };
    };
    if (random.chance(0.7)) return result();
    const other: Stmt = random.chance(0.3) ? { do: "null" } : result();
    return { do: "if", test: code.scalar("bool", this.#depth), then: [result()], else: [other] };
  }

  #exit(labels: readonly string[]): Stmt {
    const label = this.#random.pick(["", ...labels]);
    return label === "" ? { do: "null" } : { do: "break", label };
  }

  #statement(depth: number, labels: readonly string[]): Stmt {
    const [code, random] = [this.#code, this.#random];
    const kind = random.below(depth === 0 ? 2 : 4);
    const local = code.locals.length === 0 ? undefined : random.pick(code.locals);
    if (kind === 0 && local !== undefined) {
      return { do: "set", name: local.name, value: code.scalar(local.type, this.#depth) };
    }
    if (kind <= 1) {
      const value = code.scalar(random.pick(["i32", "i64", "f64", "bool"] as const), this.#depth);
      const name = `y${this.#numNames++}`;
      code.locals.push({ op: "local", type: value.type, name });
      return { do: "let", name, type: value.type, value };
    }
    if (kind === 2) {
      const label = `b${this.#numNames++}`;
      return { do: "block", label, body: this.statements(depth - 1, [...labels, label]) };
    }
    const then = this.statements(depth - 1, labels);
    const other = random.chance(0.5) ? this.statements(depth - 1, labels) : [];
    return { do: "if", test: code.scalar("bool", this.#depth), then, else: other };
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

/** How a row leaves statements: with a result, as null, or for the end of a block. */
type Exit = { readonly value: Answer | null } | { readonly label: string };

/** The result of statements in a row; null if the row is null. */
export function resultInRow(body: readonly Stmt[], row: Row): Answer | null {
  const exit = exitOf(body, row, new Map());
  if (exit === null || "label" in exit) throw new Error("The row has no result");
  return exit.value;
}

function exitOf(body: readonly Stmt[], row: Row, locals: Map<string, Answer>): Exit | null {
  for (const stmt of body) {
    const exit = exitOfStatement(stmt, row, locals);
    if (exit !== null) return exit;
  }
  return null;
}

function exitOfStatement(stmt: Stmt, row: Row, locals: Map<string, Answer>): Exit | null {
  switch (stmt.do) {
    case "let":
    case "set":
      locals.set(stmt.name, valueInRow(stmt.value, row, locals));
      return null;
    case "null":
      return { value: null };
    case "result":
      return { value: valueInRow(stmt.words[0]!, row, locals) };
    case "break":
      return { label: stmt.label };
    case "block": {
      const exit = exitOf(stmt.body, row, locals);
      return exit !== null && "label" in exit && exit.label === stmt.label ? null : exit;
    }
    case "if":
      return exitOf(valueInRow(stmt.test, row, locals) ? stmt.then : stmt.else, row, locals);
    default:
      throw new TypeError(`No ${stmt.do} is drawn`);
  }
}
