/**
 * Random row functions of numbers, as source text, with what plain JavaScript computes for them: bigints
 * and BigInt.asIntN, numbers and `| 0`. None of the code under test takes part in that.
 */

import { numeric } from "../../../gpu/kernel/fold/numeric.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** The type of a number or a test. */
export type NumberType = "i32" | "i64" | "f64" | "bool";

/** A value of one of the types. */
export type NumberValue = number | bigint | boolean;

/** The parameters of the functions; the first is the subject of a measure. */
export const PARAMETERS = { x: "i64", y: "i64", a: "i32", b: "i32", f: "f64", g: "f64" } as const;

/** The values of the parameters and the locals. */
export type Values = Record<string, NumberValue>;

/** A part of a function: its source, and its value. */
interface Code {
  readonly text: string;
  /** Whether it is an integer literal, which takes the type of what stands beside it. */
  readonly isBare?: boolean;
  value(values: Values): NumberValue;
}

const wrap = (value: bigint) => BigInt.asIntN(64, value);
const bare = (value: bigint) => BigInt.asUintN(64, value);
const isOut = (value: bigint) => value !== wrap(value);
const isOutU = (value: bigint) => value < 0n || value !== bare(value);

const words = new DataView(new ArrayBuffer(8));

type Fn<T> = (left: T, right: T) => NumberValue;

const TESTS: Record<string, Fn<NumberValue>> = {
  "===": (a, b) => a === b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "!==": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** The operators of each type. */
export const OPERATORS: {
  readonly i32: Record<string, Fn<number>>;
  readonly i64: Record<string, Fn<bigint>>;
  readonly f64: Record<string, Fn<number>>;
} = {
  i32: {
    "+": (a, b) => Number(BigInt.asIntN(32, BigInt(a) + BigInt(b))),
    "-": (a, b) => Number(BigInt.asIntN(32, BigInt(a) - BigInt(b))),
    "*": (a, b) => Number(BigInt.asIntN(32, BigInt(a) * BigInt(b))),
    "/": (a, b) => b === 0 ? 0 : Number(BigInt.asIntN(32, BigInt(a) / BigInt(b))),
    "%": (a, b) => b === 0 ? 0 : Number(BigInt(a) % BigInt(b)),
    "&": (a, b) => a & b,
    "|": (a, b) => a | b,
    "^": (a, b) => a ^ b,
    "<<": (a, b) => a << b,
    ">>": (a, b) => a >> b,
    ">>>": (a, b) => (a >>> b) | 0,
  },
  i64: {
    "+": (a, b) => wrap(a + b),
    "-": (a, b) => wrap(a - b),
    "*": (a, b) => wrap(a * b),
    "/": (a, b) => b === 0n ? 0n : wrap(a / b),
    "%": (a, b) => b === 0n ? 0n : a % b,
    "&": (a, b) => a & b,
    "|": (a, b) => a | b,
    "^": (a, b) => a ^ b,
    "<<": (a, b) => wrap(a << BigInt.asUintN(6, b)),
    ">>": (a, b) => a >> BigInt.asUintN(6, b),
  },
  f64: {
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => a / b,
    "%": (a, b) => a % b,
  },
};

/** An intrinsic with these types of parameters, and what it returns. */
// deno-lint-ignore no-explicit-any
type Known = [name: string, takes: readonly NumberType[], value: (...args: any[]) => NumberValue];

const toward0 = (value: number, low: bigint, high: bigint): bigint => {
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value < 0 ? low : high;
  const whole = BigInt(Math.trunc(value));
  return whole < low ? low : whole > high ? high : whole;
};

/** The nearest whole number, by its distance to both neighbours. */
function nearestWhole(value: number): number {
  const [low, high] = [Math.floor(value), Math.ceil(value)];
  if (!Number.isFinite(value) || low === high) return value;
  const [down, up] = [value - low, high - value];
  const near = down < up ? low : up < down ? high : low % 2 === 0 ? low : high;
  return near === 0 && value < 0 ? -0 : near;
}

/** The intrinsics, by what they return. */
export const KNOWN: Readonly<Record<NumberType, readonly Known[]>> = {
  i64: [
    ["toI64", ["i32"], (a: number) => BigInt(a)],
    ["toI64", ["f64"], (a: number) => toward0(a, -(2n ** 63n), 2n ** 63n - 1n)],
    ["toI64U", ["i32"], (a: number) => BigInt(a >>> 0)],
    ["joined", ["i32", "i32"], (low: number, high: number) => {
      words.setInt32(0, high);
      words.setInt32(4, low);
      return words.getBigInt64(0);
    }],
    ["bitsOf", ["f64"], (a: number) => {
      // The bits of a NaN are those of the standard one.
      words.setBigInt64(0, 0x7ff8000000000000n);
      if (!Number.isNaN(a)) words.setFloat64(0, a);
      return words.getBigInt64(0);
    }],
    ["divU", ["i64", "i64"], (a: bigint, b: bigint) => b === 0n ? 0n : wrap(bare(a) / bare(b))],
    ["modU", ["i64", "i64"], (a: bigint, b: bigint) => b === 0n ? 0n : wrap(bare(a) % bare(b))],
    [
      "clz",
      ["i64"],
      (a: bigint) => BigInt(/^0*/.exec(bare(a).toString(2).padStart(64, "0"))![0].length),
    ],
  ],
  i32: [
    ["toI32", ["i64"], (a: bigint) => Number(BigInt.asIntN(32, a))],
    ["toI32", ["f64"], (a: number) => Number(toward0(a, -(2n ** 31n), 2n ** 31n - 1n))],
    ["lowOf", ["i64"], (a: bigint) => Number(a & 0xffffffffn) | 0],
    ["highOf", ["i64"], (a: bigint) => Number(a >> 32n)],
  ],
  f64: [
    ["toF64", ["i32"], (a: number) => a],
    ["toF64", ["i64"], (a: bigint) => Number(a)],
    ["toF64U", ["i64"], (a: bigint) => Number(bare(a))],
    ["abs", ["f64"], (a: number) => a < 0 || Object.is(a, -0) ? -a : a],
    ["sqrt", ["f64"], Math.sqrt],
    ["floor", ["f64"], Math.floor],
    ["ceil", ["f64"], Math.ceil],
    ["trunc", ["f64"], (a: number) => a < 0 || Object.is(a, -0) ? Math.ceil(a) : Math.floor(a)],
    ["nearest", ["f64"], nearestWhole],
    ["fround", ["f64"], (a: number) => Float32Array.of(a)[0]!],
    ["pow", ["f64", "f64"], Math.pow],
    ["ln", ["f64"], Math.log],
    ["exp", ["f64"], Math.exp],
    ["atan2", ["f64", "f64"], Math.atan2],
    ["remainder", ["f64", "f64"], (a: number, b: number) => a % b],
  ],
  bool: [
    ["addOverflows", ["i64", "i64"], (a: bigint, b: bigint) => isOut(a + b)],
    ["subOverflows", ["i64", "i64"], (a: bigint, b: bigint) => isOut(a - b)],
    ["mulOverflows", ["i64", "i64"], (a: bigint, b: bigint) => isOut(a * b)],
    ["addOverflowsU", ["i64", "i64"], (a: bigint, b: bigint) => isOutU(bare(a) + bare(b))],
    ["subOverflowsU", ["i64", "i64"], (a: bigint, b: bigint) => isOutU(bare(a) - bare(b))],
    ["mulOverflowsU", ["i64", "i64"], (a: bigint, b: bigint) => isOutU(bare(a) * bare(b))],
    ["lessU", ["i64", "i64"], (a: bigint, b: bigint) => bare(a) < bare(b)],
  ],
};

const EDGES_32 = [0, 1, -1, 2, 7, 31, 32, 1000, 2 ** 31 - 1, -(2 ** 31), 65536, -65537];
const EDGES_64 = [
  ...[0n, 1n, -1n, 3n, 10n, 63n, 64n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 32n - 1n],
  ...[2n ** 53n + 1n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) + 1n, 3037000500n],
];
const EDGES_F = [
  ...[0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 1e21, -1e21, 5e-324, 1.7e308, 1 / 3],
  ...[2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), NaN, Infinity, -Infinity, 0.49999999999999994],
];

/** Draws a value: often an edge of the type. */
export function randomNumber(random: SeededRandom, type: NumberType): NumberValue {
  const isEdge = random.chance(0.6);
  const int = () => (random.next() * 2 ** 32) | 0;
  switch (type) {
    case "bool":
      return random.chance(0.5);
    case "i32":
      return isEdge ? random.pick(EDGES_32) : int() >> random.below(32);
    case "i64": {
      if (isEdge) return random.pick(EDGES_64);
      const value = (BigInt(int()) << 32n) | BigInt(int() >>> 0);
      return wrap(value) >> BigInt(random.below(64));
    }
    case "f64":
      return isEdge ? random.pick(EDGES_F) : (random.next() - 0.5) * 2 ** (random.below(140) - 70);
  }
}

/** Draws the values of the parameters. */
export function randomArguments(random: SeededRandom): Values {
  const draw = ([name, type]: [string, NumberType]) => [name, randomNumber(random, type)];
  return Object.fromEntries(Object.entries(PARAMETERS).map(draw));
}

/** Prints a literal of a type. */
function literal(type: NumberType, value: NumberValue): string {
  if (type === "bool") return String(value);
  if (type === "i64") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Draws functions of the parameters; tells `note` the operators and the intrinsics that it uses. */
export class RandomFunctions {
  readonly #random: SeededRandom;
  readonly #note: (what: string) => void;
  #locals: [name: string, type: NumberType][] = [];

  constructor(random: SeededRandom, note: (what: string) => void = () => {}) {
    this.#random = random;
    this.#note = note;
  }

  /** Draws an expression of a type. */
  expression(type: NumberType, depth: number): Code {
    const random = this.#random;
    if (depth <= 0) return this.#leaf(type);
    if (random.chance(0.12)) return this.#choice(type, depth);
    if (random.chance(0.3)) return this.#call(type, depth);
    return type === "bool" ? this.#test(depth) : this.#operation(type, depth);
  }

  #leaf(type: NumberType): Code {
    const random = this.#random;
    const names = [...Object.entries(PARAMETERS), ...this.#locals]
      .filter(([, other]) => other === type).map(([name]) => name);
    if (names.length > 0 && random.chance(0.7)) {
      const name = random.pick(names);
      return { text: name, value: (values) => values[name]! };
    }
    const value = randomNumber(random, type);
    const text = literal(type, value);
    const isBare = type === "f64" && !/[.e]|NaN|Inf/.test(text) &&
      Math.abs(Number(value)) < 2 ** 31;
    return { text: text.startsWith("-") ? `(${text})` : text, isBare, value: () => value };
  }

  #choice(type: NumberType, depth: number): Code {
    this.#note("?:");
    const test = this.expression("bool", depth - 1);
    const yes = this.#sided(type, depth - 1);
    const no = this.expression(type, depth - 1);
    return {
      text: `(${test.text} ? ${yes.text} : ${no.text})`,
      value: (values) => (test.value(values) ? yes : no).value(values),
    };
  }

  /** Draws an operand that is no integer literal, so that a float beside it stays one. */
  #sided(type: NumberType, depth: number): Code {
    for (;;) {
      const code = this.expression(type, depth);
      if (!code.isBare) return code;
    }
  }

  #call(type: NumberType, depth: number): Code {
    const [name, takes, value] = this.#random.pick(KNOWN[type]);
    this.#note(`${name} of ${takes[0]}`);
    const hasForms = takes.includes("f64") && (name === "toI64" || name === "toI32");
    const args = takes.map((type) =>
      hasForms ? this.#sided(type, depth - 1) : this.expression(type, depth - 1)
    );
    return {
      text: `${name}(${args.map(({ text }) => text).join(", ")})`,
      value: (values) => value(...args.map((arg) => arg.value(values))),
    };
  }

  #operands(type: NumberType, depth: number): [Code, Code] {
    const operands: [Code, Code] = [this.#sided(type, depth - 1), this.expression(type, depth - 1)];
    return this.#random.chance(0.5) ? operands : [operands[1], operands[0]];
  }

  #test(depth: number): Code {
    const random = this.#random;
    if (random.chance(0.3)) {
      const [left, right] = this.#operands("bool", depth);
      const isAnd = random.chance(0.5);
      return {
        text: `(${left.text} ${isAnd ? "&&" : "||"} !${right.text})`,
        value: (values) =>
          isAnd
            ? left.value(values) && !right.value(values)
            : left.value(values) || !right.value(values),
      };
    }
    const type = random.pick(["i32", "i64", "f64"] as const);
    return this.#binary(type, random.pick(Object.keys(TESTS)), TESTS, depth);
  }

  #operation(type: "i32" | "i64" | "f64", depth: number): Code {
    const random = this.#random;
    if (random.chance(0.15)) {
      const value = this.#sided(type, depth - 1);
      const isNot = type !== "f64" && random.chance(0.5);
      this.#note(`${isNot ? "~" : "negated"} ${type}`);
      return {
        text: `(${isNot ? "~" : "-"}(${value.text}))`,
        value: (values) => {
          const of = value.value(values);
          if (typeof of === "bigint") return wrap(isNot ? ~of : -of);
          return type === "f64" ? -of : isNot ? ~of : -of | 0;
        },
      };
    }
    const operators = OPERATORS[type] as Record<string, Fn<NumberValue>>;
    return this.#binary(type, random.pick(Object.keys(operators)), operators, depth);
  }

  #binary(
    type: NumberType,
    operator: string,
    operators: Record<string, Fn<NumberValue>>,
    depth: number,
  ): Code {
    this.#note(`${type} ${operator}`);
    const [left, right] = this.#operands(type, depth);
    return {
      text: `(${left.text} ${operator} ${right.text})`,
      value: (values) => operators[operator]!(left.value(values), right.value(values)),
    };
  }

  /** Draws a function with a loop over locals of all types, which returns one of a type. */
  statements(type: "i32" | "i64" | "f64"): Code {
    const random = this.#random;
    const types = ["i32", "i64", "f64"] as const;
    const starts = types.map((type) => this.#sided(type, 2));
    this.#locals = types.map((type) => [`local_${type}`, type]);
    const rounds = random.below(4);
    const steps = Array.from({ length: 1 + random.below(3) }, () => {
      const type = random.pick(types);
      const operators = OPERATORS[type] as Record<string, Fn<NumberValue>>;
      const operator = random.pick(["", ...Object.keys(operators)]);
      this.#note(`${type} ${operator}=`);
      const test = this.expression("bool", 1);
      const value = operator === "" ? this.#sided(type, 2) : this.expression(type, 2);
      return { name: `local_${type}`, operator, operators, test, value };
    });
    const result = this.#sided(type, 2);
    const text = [
      ...types.map((type, index) => `let local_${type} = ${starts[index]!.text};`),
      `for (let i = 0; i < ${rounds}; i++) {`,
      ...steps.map(({ name, operator, test, value }) =>
        `if (${test.text}) ${name} ${operator}= ${value.text};`
      ),
      `}`,
      `return ${result.text};`,
    ].join("\n");
    return {
      text: `{\n${text}\n}`,
      value(values) {
        const all = { ...values };
        types.forEach((type, index) => all[`local_${type}`] = starts[index]!.value(values));
        for (let round = 0; round < rounds; round++) {
          for (const { name, operator, operators, test, value } of steps) {
            if (!test.value(all)) continue;
            const right = value.value(all);
            all[name] = operator === "" ? right : operators[operator]!(all[name]!, right);
          }
        }
        return result.value(all);
      },
    };
  }
}

/** Makes a function of source text: `before` are its parameters, then it takes all intrinsics. */
// deno-lint-ignore no-explicit-any
export function functionOf(text: string, before: readonly string[], given: readonly string[]): any {
  const names = [...given, ...Object.keys(numeric).filter((name) => text.includes(`${name}(`))];
  const parameters = [...before, ...(names.length === 0 ? [] : [`{ ${names.join(", ")} }`])];
  return new Function(`return (${parameters.join(", ")}) => ${text}`)();
}
