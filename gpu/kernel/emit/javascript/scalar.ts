/**
 * Prints scalars of the IR as JavaScript.
 *
 * @module
 */

import { InternalError } from "../../../../base/errors/internal_error.ts";
import type { HostCall, Scalar, Space } from "../../ir/ir.ts";
import { spaceName } from "../host/calling_convention.ts";
import { isConstant } from "../../ir/scalar.ts";
import { isMath, MATH_NAMES } from "../host/math_functions.ts";

/** The precedence of operators: an operand that binds less tightly needs parentheses. */
const Binding = {
  Any: 0,
  Select: 1,
  Or: 2,
  And: 3,
  Bits: 4,
  Equal: 5,
  Order: 6,
  Shift: 7,
  Sum: 8,
  Product: 9,
  Unary: 10,
  /** Of the operand of a minus, which must not begin with another one. */
  Primary: 11,
} as const;

const OPERATORS: Readonly<Record<string, { text: string; binding: number }>> = {
  "&&": { text: "&&", binding: Binding.And },
  "||": { text: "||", binding: Binding.Or },
  "==": { text: "===", binding: Binding.Equal },
  "!=": { text: "!==", binding: Binding.Equal },
  "<": { text: "<", binding: Binding.Order },
  "<=": { text: "<=", binding: Binding.Order },
  ">": { text: ">", binding: Binding.Order },
  ">=": { text: ">=", binding: Binding.Order },
  "<<": { text: "<<", binding: Binding.Shift },
  ">>": { text: ">>", binding: Binding.Shift },
};

/** Prints a scalar as JavaScript. i32 is the result of bit operations, so sums end in `| 0`. */
export function scalarText(scalar: Scalar, around: number = Binding.Any): string {
  switch (scalar.op) {
    case "const":
      return constantText(scalar.value, around);
    case "local":
      return scalar.name;
    case "unary":
      return unaryText(scalar, around);
    case "binary":
      return binaryText(scalar, around);
    case "select": {
      if (isConstant(scalar.yes, 1) && isConstant(scalar.no, 0)) {
        // A choice would be a branch, which takes twice as long as a sum of halves.
        const bit = `${scalarText(scalar.test, Binding.Shift)} | 0`;
        return parenthesised(bit, Binding.Bits, around);
      }
      const test = scalarText(scalar.test, Binding.Or);
      const yes = scalarText(scalar.yes, Binding.Or);
      const no = scalarText(scalar.no, Binding.Select);
      return parenthesised(`${test} ? ${yes} : ${no}`, Binding.Select, around);
    }
    case "byte":
      return `${spaceName(scalar.space)}[${scalarText(scalar.at)}]`;
    case "start":
      return `$start${scalar.column}`;
    case "stop":
      return `$stop${scalar.column}`;
    case "valid":
      return bitText(`$valid${scalar.column}`, around);
    case "bit":
      return bitText(`$data${scalar.column}`, around);
    case "word":
      return `$word${scalar.word}_${scalar.column}`;
    case "float":
      return `$float${scalar.column}[$row]`;
    case "convert":
      return convertText(scalar, around);
    case "hostCall":
      return callText(scalar, around);
    case "long":
      throw new InternalError("JavaScript reads 64-bit integers by halves");
    case "table":
      return `$table${scalar.table}[${scalarText(scalar.at)}]`;
    case "scratch":
      return `$scratch[${scalarText(scalar.at)}]`;
    case "itemStart":
      return `$items${scalar.column}[${scalarText(scalar.at)}]`;
    case "itemValid": {
      const bits = `$itemsValid${scalar.column}`;
      const at = scalarText(scalar.at, Binding.Shift);
      return parenthesised(
        `${bits} === null || (${bits}[${at} >> 3] >> (${at} & 7) & 1) === 1`,
        Binding.Or,
        around,
      );
    }
  }
}

/** Prints the argument of `$copy` for the bytes of a space. */
export function viewText(space: Space): string {
  return space.space === "column" ? `$view${space.column}` : "$literalsView";
}

/** Prints the arguments of a function of the host. */
export function hostArguments({ space, args }: HostCall): string {
  const bytes = space === null ? [] : [spaceName(space)];
  return [...bytes, ...args.map((arg) => scalarText(arg))].join(", ");
}

function parenthesised(text: string, binding: number, around: number): string {
  return binding < around ? `(${text})` : text;
}

function constantText(value: number | bigint | boolean, around: number): string {
  if (typeof value !== "number") return String(value);
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.startsWith("-") ? parenthesised(text, Binding.Unary, around + 1) : text;
}

function bitText(array: string, around: number): string {
  const text = `(${array}[$row >> 3] >> ($row & 7) & 1) === 1`;
  return parenthesised(text, Binding.Equal, around);
}

function unaryText(scalar: Scalar & { op: "unary" }, around: number): string {
  switch (scalar.fn) {
    case "-": {
      const value = scalarText(scalar.value, Binding.Primary);
      return scalar.type === "i32"
        ? parenthesised(`0 - ${value} | 0`, Binding.Bits, around)
        : parenthesised(`-${value}`, Binding.Unary, around);
    }
    case "~":
    case "!": {
      const value = scalarText(scalar.value, Binding.Unary);
      return parenthesised(`${scalar.fn}${value}`, Binding.Unary, around);
    }
    case "clz":
      return `Math.clz32(${scalarText(scalar.value)})`;
    case "nearest":
      return `$nearest(${scalarText(scalar.value)})`;
    default:
      return `Math.${scalar.fn}(${scalarText(scalar.value)})`;
  }
}

function convertText({ fn, type, value }: Scalar & { op: "convert" }, around: number): string {
  switch (fn) {
    case "toFloat":
      return scalarText(value, around);
    case "toFloatU":
      return value.op === "const"
        ? unsignedText(value)
        : parenthesised(unsignedText(value), Binding.Shift, around);
    case "truncate": {
      const clamped = `Math.min(Math.max(${scalarText(value)}, -2147483648), 2147483647)`;
      return parenthesised(`${clamped} | 0`, Binding.Bits, around);
    }
    case "wrap":
      return parenthesised(`${scalarText(value, Binding.Shift)} | 0`, Binding.Bits, around);
    case "low":
    case "high":
      return `$${fn}(${scalarText(value)})`;
    default:
      throw new InternalError(`JavaScript has no conversion ${fn} to ${type}`);
  }
}

function callText(call: Scalar & { op: "hostCall" }, around: number): string {
  const { name, args } = call;
  if (!isMath(name)) return `$${name}(${hostArguments(call)})`;
  const [first, second] = args;
  if (name === "remainder" && first !== undefined && second !== undefined) {
    const sides = [scalarText(first, Binding.Product), scalarText(second, Binding.Unary)];
    return parenthesised(sides.join(" % "), Binding.Product, around);
  }
  return `Math.${name === "pow" || name === "remainder" ? "pow" : MATH_NAMES[name]}(${
    hostArguments(call)
  })`;
}

function binaryText(scalar: Scalar & { op: "binary" }, around: number): string {
  const { fn, left, right } = scalar;
  const isFloat = left.type === "f64";
  const sides = (text: string, binding: number) =>
    `${scalarText(left, binding)} ${text} ${scalarText(right, binding + 1)}`;
  switch (fn) {
    case "+":
    case "-":
      if (isFloat) return parenthesised(sides(fn, Binding.Sum), Binding.Sum, around);
      return parenthesised(`${sumText(scalar)} | 0`, Binding.Bits, around);
    case "*":
      if (isFloat) return parenthesised(sides(fn, Binding.Product), Binding.Product, around);
      return `Math.imul(${scalarText(left)}, ${scalarText(right)})`;
    case "/":
      // Division of integers by 0 results in an infinity or NaN, whose bits are 0.
      if (isFloat) return parenthesised(sides(fn, Binding.Product), Binding.Product, around);
      return parenthesised(`${sides(fn, Binding.Product)} | 0`, Binding.Bits, around);
    case "/u":
    case "%u": {
      const text = `${unsignedOperand(left)} ${fn[0]} ${unsignedOperand(right)} | 0`;
      return parenthesised(text, Binding.Bits, around);
    }
    case "join":
      return `$join(${scalarText(left)}, ${scalarText(right)})`;
    case "%":
      return parenthesised(`${sides(fn, Binding.Product)} | 0`, Binding.Bits, around);
    case "&":
    case "|":
    case "^":
      // Bit operations mix with comparisons in surprising ways, so their operands are in
      // parentheses.
      return parenthesised(
        `${scalarText(left, Binding.Shift)} ${fn} ${scalarText(right, Binding.Shift)}`,
        Binding.Bits,
        around === Binding.Any ? around : Binding.Unary,
      );
    case ">>>":
      return parenthesised(`${sides(">>>", Binding.Shift)} | 0`, Binding.Bits, around);
    case "<u":
      return parenthesised(`${unsignedText(left)} < ${unsignedText(right)}`, Binding.Order, around);
    default: {
      const { text, binding } = OPERATORS[fn] ?? { text: fn, binding: Binding.Or };
      return parenthesised(sides(text, binding), binding, around);
    }
  }
}

function sumText({ fn, left, right }: Scalar & { op: "binary" }): string {
  const first = scalarText(left, Binding.Sum);
  if (
    fn === "+" && right.op === "const" && right.value !== -0x80000000 && Number(right.value) < 0
  ) {
    return `${first} - ${-Number(right.value)}`;
  }
  return `${first} ${fn} ${scalarText(right, Binding.Product)}`;
}

function unsignedText(scalar: Scalar): string {
  if (scalar.op === "const") return String(Number(scalar.value) >>> 0);
  return `${scalarText(scalar, Binding.Shift)} >>> 0`;
}

function unsignedOperand(scalar: Scalar): string {
  return scalar.op === "const" ? unsignedText(scalar) : `(${unsignedText(scalar)})`;
}
