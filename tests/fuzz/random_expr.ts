/** Random expressions of a kind, over every operation. */

import { DataType, type Field, Timestamp } from "apache-arrow";
import * as stringOps from "../../ops/string/operations.ts";
import type { StringOp } from "../../ops/string/define/define_string_op.ts";
import { NAMED_TYPES } from "../../ops/syntax/named_types.ts";
import { typeName } from "../../ops/batch/arrow_types.ts";
import { coalesce, col, concat, type Expr, lit, printExpr, when } from "../../ops/expr/expr.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { checkConditions } from "../../ops/expr/quoted_text.ts";
import { ExprError } from "../../base/errors/expr_error.ts";
import { modelExpr } from "../support/models/expr_model.ts";
import { type ModelColumn, ModelTypeError } from "../support/models/expr_model_types.ts";
import { isLiteralOnly } from "../support/expressions/operation_calls.ts";
import { type Argument, ARGUMENTS, TEXTS } from "../support/random/random_text.ts";
import { judgeable } from "../support/random/random_regex.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { Kind } from "./expr_kind.ts";
import { DATED_KINDS, DRAWN_DATES, namedDate, randomDated } from "./random_dates.ts";
import { ZONES } from "./random_table.ts";

/** How often each kind is computed of dates and times. */
const DATED: Readonly<Partial<Record<Kind, number>>> = {
  int: 0.25,
  date: 0.5,
  time: 0.5,
  text: 0.03,
};

export type { Kind } from "./expr_kind.ts";

/** All kinds. */
const KINDS: readonly Kind[] = [
  ...["text", "bool", "int", "float", "date", "time", "list", "hashes"] as const,
];

/** The kind of the values of a plain type; undefined for what can only be passed on. */
export function kindOf(type: DataType): Kind | undefined {
  if (DataType.isUtf8(type)) return "text";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isInt(type)) return "int";
  if (DataType.isFloat(type)) return type.precision === 0 ? undefined : "float";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTimestamp(type)) return "time";
  if (!DataType.isList(type) && !DataType.isFixedSizeList(type)) return undefined;
  const [item] = type.children as readonly Field[];
  return item !== undefined && DataType.isUtf8(item.type) ? "list" : undefined;
}

const DATE_FORMATS = ["%Y-%m-%d", "%d.%m.%Y", "%Y%m%d", "%d %b %Y"];
const TIME_FORMATS = [...DATE_FORMATS, "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S"];
const PATTERNS = [...TIME_FORMATS, "%I:%M %p, %j", "%y|%f|%z|%Z|%%", "%B %b", "%F %T é"];

interface Shape {
  readonly on?: readonly Kind[];
  readonly gives?: Kind;
}

/** The kinds that conversions and operations on lists take and return; others take and return text. */
const SHAPES: Readonly<Record<string, Shape>> = {
  toString: { on: ["text", "int", "float", "bool", "date", "time"] as const },
  toInteger: { on: ["text", "int", "float"], gives: "int" },
  toFloat: { on: ["text", "int", "float"], gives: "float" },
  toDate: { on: ["text", "time"], gives: "date" },
  toTimestamp: { on: ["text", "date", "time"], gives: "time" },
  format: { on: ["date", "time"] },
  hexToInteger: { gives: "int" },
  ipv4ToInteger: { gives: "int" },
  integerToHex: { on: ["int"] },
  integerToIpv4: { on: ["int"] },
  contains: { on: ["text", "text", "list"] },
  join: { on: ["list"] },
  get: { on: ["text", "list"] },
  length: { on: ["text", "list", "hashes"] },
  minhash: { gives: "hashes" },
};

/** Random arguments of each operation that takes some, by its name. */
const DRAWN = new Map<string, (random: SeededRandom) => readonly Argument[]>(Object.entries({
  ...ARGUMENTS,
  join: (
    random: SeededRandom,
  ) => [random.pick(["", "-", ", ", "é"]), random.pick([null, null, "?"])],
  format: (random: SeededRandom) => [random.pick(PATTERNS)],
  toDate: (random: SeededRandom) => [random.pick([null, null, ...DATE_FORMATS])],
  toTimestamp: (random: SeededRandom) => [random.pick([null, null, ...TIME_FORMATS])],
}));

const GIVEN: Readonly<Record<string, Kind>> = { bool: "bool", i32: "int", list: "list" };

function givenBy(op: StringOp): Kind {
  return SHAPES[op.spec.name]?.gives ?? GIVEN[op.returns] ?? "text";
}

const WHOLE_OPERATIONS = [
  ...["add", "sub", "mul", "rem", "mod", "floorDiv", "neg", "pow"] as const,
  ...["bitAnd", "bitOr", "bitXor", "bitNot", "shiftLeft", "shiftRight"] as const,
];
const FLOAT_OPERATIONS = ["add", "sub", "mul", "div", "rem", "mod", "neg", "pow"] as const;

/** The operations of numbers, each once. */
const NUMBER_OPERATIONS = [...new Set([...WHOLE_OPERATIONS, ...FLOAT_OPERATIONS])];

/** The operations that have a model; choices are drawn as `?:`. */
const modelled = Object.values<StringOp>(stringOps)
  .filter(({ spec }) => spec.group !== "choose");

/** The names of the operations that are drawn. */
export const DRAWN_OPERATIONS: readonly string[] = [
  ...new Set([
    ...modelled.map(({ spec }) => spec.name),
    ...NUMBER_OPERATIONS,
    ...DRAWN_DATES,
  ]),
];

const operations = modelled.filter(({ spec }) =>
  spec.parts === undefined && spec.conversion === undefined
);
const operationsOf = Object.fromEntries(
  KINDS.map((kind) => [kind, operations.filter((op) => givenBy(op) === kind)]),
) as unknown as Readonly<Record<Kind, readonly StringOp[]>>;

/** All types that are cast to: timestamps in half of the cases to those of a time zone. */
const CAST_TO: readonly DataType[] = [
  ...NAMED_TYPES,
  ...ZONES.flatMap((zone, index) => index % 2 === 0 ? [new Timestamp(index % 4 as 0, zone)] : []),
];

/** The kinds that are cast to each kind. */
const CAST_FROM: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  text: ["text", "int", "float", "bool", "date", "time"],
  bool: ["text", "int", "float"],
  int: ["text", "int", "int", "float", "bool", "date", "time"],
  float: ["text", "int", "float", "float", "bool"],
  date: ["text", "int", "date", "time"],
  time: ["text", "int", "date", "time", "time"],
};

/** Makes expressions over the columns of a table. */
export class ExprMaker {
  readonly #random: SeededRandom;
  readonly #columns: readonly ModelColumn[];

  /** Nothing is computed from the values. */
  constructor(random: SeededRandom, columns: readonly ModelColumn[]) {
    this.#random = random;
    this.#columns = columns;
  }

  /** A text of a kind that has a type; undefined where none was found. */
  text(kind: Kind, depth: number): string | undefined {
    for (let tries = 0; tries < 8; tries++) {
      const expr = this.make(kind, depth);
      if (this.isTyped(expr)) return printExpr(expr);
    }
    return undefined;
  }

  /** Whether an expression has a type. */
  isTyped(expr: Expr): boolean {
    try {
      modelExpr(expr.node, this.#columns);
      // Tests of text alone are refused where they are written.
      checkConditions(parseExpr(printExpr(expr)).node);
      return true;
    } catch (error) {
      if (error instanceof ModelTypeError || error instanceof ExprError) return false;
      throw error;
    }
  }

  /** An expression of a kind, which may have no type where integers meet. */
  make(kind: Kind, depth: number): Expr {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.15)) return this.#leaf(kind, depth);
    const of = (other: Kind) => this.make(other, depth - 1);
    if (kind !== "list" && kind !== "hashes" && random.chance(0.15)) {
      switch (random.below(3)) {
        case 0:
          return when(of("bool"), of(kind), random.chance(0.2) ? lit(null) : of(kind));
        case 1:
          return of(kind).fillNull(of(kind));
        default:
          return coalesce(of(kind), of(kind), of(kind));
      }
    }
    if (kind === "bool" && random.chance(0.5)) return this.#test(depth);
    if (DATED_KINDS.includes(kind) && random.chance(DATED[kind] ?? 0.1)) {
      const dated = this.#dated(kind, of);
      if (dated !== undefined) return dated;
    }
    if (random.chance(kind === "int" ? 0.4 : 0.2)) {
      if (kind === "text") return this.#concat(of);
      if (kind === "int" || kind === "float") {
        return this.#arithmetic(kind, depth);
      }
    }
    return this.#call(kind, depth) ?? this.#leaf(kind, depth);
  }

  /** What is computed of dates and times; most of it gives null where it has no value. */
  #dated(kind: Kind, of: (kind: Kind) => Expr): Expr | undefined {
    const value = randomDated(this.#random, kind, this.#columns, of);
    return value !== undefined && this.#random.chance(0.7) ? value.orNull() : value;
  }

  /** An operation of numbers by its name. */
  #numberCall(name: typeof NUMBER_OPERATIONS[number]): Expr {
    const isWhole = (WHOLE_OPERATIONS as readonly string[]).includes(name);
    const isFloat = (FLOAT_OPERATIONS as readonly string[]).includes(name);
    const kind = isWhole && (!isFloat || this.#random.chance(0.5)) ? "int" : "float";
    return this.#arithmetic(kind, 1, name);
  }

  /** Two numbers, or one, of any kinds; a float results from at least one float, or from a quotient. */
  #arithmetic(
    kind: "int" | "float",
    depth: number,
    name: typeof NUMBER_OPERATIONS[number] = this.#random.pick<
      typeof NUMBER_OPERATIONS[number]
    >(kind === "int" ? WHOLE_OPERATIONS : FLOAT_OPERATIONS),
  ): Expr {
    const random = this.#random;
    const other = random.chance(0.8)
      ? kind
      : kind === "int"
      ? "int"
      : random.pick(["int", "float"] as const);
    const left = this.make(
      name === "div" ? random.pick(["int", "float"] as const) : kind,
      depth - 1,
    );
    const right = kind === "int" && name === "pow"
      // By any other exponent the power is a float.
      ? lit(random.below(5))
      : random.chance(0.5)
      ? this.make(other, depth - 1)
      : this.#literal(other);
    const value = name === "neg" || name === "bitNot" ? left[name]() : left[name](right);
    // Most rows of large numbers fail.
    return random.chance(0.7) ? value.orNull() : value;
  }

  #concat(of: (kind: Kind) => Expr): Expr {
    const random = this.#random;
    switch (random.below(4)) {
      case 0:
        return of("text").add(of("text"));
      case 1:
        return of("text").add(random.pick(TEXTS)).add(of("text"));
      case 2:
        return concat(of("text"), of("text"), of("text"));
      default:
        return concat(of("text"), of("text"), { separator: ", ", nulls: "?" });
    }
  }

  #test(depth: number): Expr {
    const random = this.#random;
    const of = (kind: Kind) => this.make(kind, depth - 1);
    switch (random.below(8)) {
      case 0:
        return of("bool").and(of("bool"));
      case 1:
        return of("bool").or(of("bool"));
      case 2:
        return of("bool").not();
      case 3:
        return random.chance(0.5) || this.#columns.length === 0
          ? of(random.pick(KINDS)).isNull()
          : col(random.pick(this.#columns).name).isNull();
      case 4: {
        const kind = random.pick(["text", "int", "float", "date", "time"] as const);
        const count = random.pick([0, 1, 2, 3, 12]);
        const literals = Array.from({ length: count }, () => this.#literalValue(kind));
        return of(kind).isIn(random.chance(0.2) ? [...literals, null] : literals);
      }
      default: {
        const kind = random.pick(["text", "text", "int", "float", "bool", "date", "time"] as const);
        const right = random.chance(0.4) ? this.#literal(kind) : of(kind);
        const left = of(kind);
        const method = random.pick(["eq", "ne", "lt", "le", "gt", "ge"] as const);
        return left[method](right);
      }
    }
  }

  /** A text that calls one of the operations, by its number; undefined where it has no type. */
  callText(number: number): string | undefined {
    const names = [...NUMBER_OPERATIONS, ...DRAWN_DATES];
    const at = number % (operations.length + names.length);
    const op = operations[at];
    const name = names[at - operations.length]!;
    const expr = op !== undefined
      ? this.#callOf(op, 1)
      : NUMBER_OPERATIONS.includes(name as never)
      ? this.#numberCall(name as typeof NUMBER_OPERATIONS[number])
      : namedDate(this.#random, name, this.#columns, (kind) => this.make(kind, 0));
    return expr !== undefined && this.isTyped(expr) ? printExpr(expr) : undefined;
  }

  /** A text in which characters are replaced by others. */
  mappedText(): string {
    return printExpr(this.#mapped(1));
  }

  #call(kind: Kind, depth: number): Expr | undefined {
    if (this.#random.chance(0.1)) return this.#cast(kind, depth);
    if (kind === "text" && this.#random.chance(0.15)) return this.#mapped(depth);
    if (this.#random.chance(0.15)) {
      const local = this.#local(kind);
      if (local !== undefined) return local;
    }
    const op = this.#random.pick(operationsOf[kind]);
    return op && this.#callOf(op, depth);
  }

  /** A cast that gives a kind; undefined for lists, to which there is none. */
  #cast(kind: Kind, depth: number): Expr | undefined {
    const random = this.#random;
    const to = CAST_TO.filter((type) => kindOf(type) === kind);
    const from = CAST_FROM[kind];
    if (from === undefined) return undefined;
    const subject = this.make(random.pick(from), depth - 1);
    const type = typeName(random.pick(to));
    return random.chance(0.7) ? subject.tryCast(type) : subject.cast(type).orNull();
  }

  /** Local time of a column in a time zone; undefined where there is none, or for another kind. */
  #local(kind: Kind): Expr | undefined {
    const random = this.#random;
    const zoned = this.#columns.filter(({ type }) => DataType.isTimestamp(type) && type.timezone);
    if (zoned.length === 0) return undefined;
    const column = col(random.pick(zoned).name);
    switch (kind) {
      case "text":
        return random.chance(0.5) ? column.toString() : column.format("%F %T%z");
      case "date":
        return column.toDate();
      case "time":
        return column.tryCast(random.pick(["timestamp[us]", "timestamp[s]"]));
      default:
        return undefined;
    }
  }

  /** A text with other characters in place of some: what is done to columns most often. */
  #mapped(depth: number): Expr {
    const random = this.#random;
    const subject = this.make("text", depth - 1);
    const char = () => this.#character(subject);
    switch (random.below(6)) {
      case 0:
        return random.chance(0.5) ? subject.upper() : subject.lower();
      case 1:
        return subject.translate({ [char()]: random.pick(["_", "", "é"]), [char()]: "x" });
      default:
        return subject.replace(char(), random.pick(["_", "-", "a", "0", " ", "", "é"]));
    }
  }

  #callOf(op: StringOp, depth: number): Expr | undefined {
    const random = this.#random;
    const { name } = op.spec;
    const on = random.pick(SHAPES[name]?.on ?? ["text" as const]);
    const subject = this.make(on, depth - 1);
    if (name === "redact" && random.chance(0.3)) {
      return op(subject, this.make("bool", depth - 1), random.pick([null, "-"]));
    }
    for (let tries = 0; tries < 5; tries++) {
      const args = this.#arguments(op, on, depth, subject);
      try {
        return op(subject, ...args);
      } catch (error) {
        // The operation refuses the arguments that were drawn.
        if (!(error instanceof RangeError)) throw error;
      }
    }
    return undefined;
  }

  #arguments(
    op: StringOp,
    on: Kind,
    depth: number,
    subject: Expr,
  ): readonly (Argument | Expr)[] {
    const random = this.#random;
    const { name } = op.spec;
    if (on !== "text" && name.startsWith("to")) return [];
    // One character for another is a map of bytes, which has kernels of its own.
    if (name === "replace" && random.chance(0.5)) {
      return [this.#character(subject), random.pick(["_", "a", " ", "é"])];
    }
    let drawn = DRAWN.get(name)?.(random) ?? [];
    // Avoids patterns for which JavaScript would need years.
    if (drawn.at(-1) === "u" && judgeable(String(drawn[0]), "0123456789").length < 10) {
      drawn = ["[a-c]+", ...drawn.slice(1)];
    }
    return drawn.map((argument, index) => {
      const type = op.parameters[index]?.type;
      const isText = type === "string";
      const isOpen = (isText || type === "i32") && !isLiteralOnly(op, index) &&
        argument !== null && random.chance(0.2);
      if (isOpen) return this.make(isText ? "text" : "int", Math.min(1, depth - 1));
      return isText && argument !== null && random.chance(0.4) ? this.#piece() : argument;
    });
  }

  /** A character of what an operation works on, mostly one that a text begins with. */
  #character({ node }: Expr): string {
    const random = this.#random;
    const own = node.node === "column" ? node.name : undefined;
    const [first, ...rest] = [...this.#someText(own)];
    if (first === undefined) return " ";
    return rest.length === 0 || random.chance(0.6) ? first : random.pick(rest);
  }

  /** A text of a column, by default of any. */
  #someText(name?: string): string {
    const random = this.#random;
    const texts = this.#columns.filter((column) =>
      name === undefined ? kindOf(column.type) === "text" : column.name === name
    );
    const { values } = random.pick(texts) ?? { values: [""] };
    // Faults at the edge of a batch show in the first row.
    return String((random.chance(0.4) ? values[0] : random.pick(values)) ?? " ");
  }

  /** A few characters of a text of the table, so that there is something to find. */
  #piece(): string {
    const random = this.#random;
    const chars = [...this.#someText()];
    const start = random.chance(0.5) ? 0 : random.below(chars.length);
    return chars.slice(start, start + 1 + random.below(2)).join("");
  }

  #leaf(kind: Kind, depth: number): Expr {
    const random = this.#random;
    const names = this.#columns.filter(({ type }) => kindOf(type) === kind).map(({ name }) => name);
    if (names.length > 0 && random.chance(0.85)) return col(random.pick(names));
    if (kind === "list" || kind === "hashes") {
      const text = depth < -2 ? lit(random.pick(TEXTS)) : this.#leaf("text", depth - 1);
      return kind === "list" ? text.split(random.pick(["a", " ", "-"])) : text.minhash(2);
    }
    if (kind === "date" || kind === "time") {
      const text = lit("2001-03-14");
      return kind === "date" ? text.toDate() : text.toTimestamp();
    }
    return this.#literal(kind);
  }

  #literal(kind: Kind): Expr {
    return lit(this.#literalValue(kind));
  }

  #literalValue(kind: Kind): string | number | bigint | boolean {
    const random = this.#random;
    switch (kind) {
      case "bool":
        return random.chance(0.5);
      case "int":
        return random.pick([0, 1, 2, 3, 7, -1, 100, 300, 2 ** 31, -(2 ** 31), 5n, 2n ** 63n - 1n]);
      case "float":
        return random.pick([0.5, -1.25, 0.1, 100.5, 2.5, 1e300, -0.5]);
      case "date":
      case "time":
        return random.pick([
          ...["2001-03-14", "1970-01-01", "1969-12-31", "2024-02-29", "2024-03-31T02:30"],
          ...["2024-10-27T02:30+01:00", "2018-11-04", "2011-12-30T12:00"],
        ]);
      default:
        return random.pick([...TEXTS, "Grace Hopper", "2001-03-14", "中é", "b"]);
    }
  }
}
