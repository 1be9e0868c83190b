/**
 * Prints folded scalars as WGSL, and the names of what they read. Every nested operation is in
 * parentheses, since WGSL does not allow many operators to be mixed without them.
 *
 * @module
 */

import { KernelError } from "../../../../../base/errors/expr_error.ts";
import type { Scalar, ScalarType, Space } from "../../../ir/ir.ts";
import { sameScalar } from "../../../ir/scalar.ts";
import { type ByteRun, runsOf } from "./byte_runs.ts";

/**
 * Returns the name of a local in the WGSL code, which is no keyword, no reserved word and no name
 * of ours.
 */
export function localName(name: string): string {
  return `v_${name.replaceAll("$", "_S")}`;
}

/**
 * A place of text in the code: the suffix of its functions, and the code that loads a word of it.
 */
export interface PrintedSpace {
  readonly name: string;
  readonly word: (index: string) => string;
  /**
   * The code that loads the words `4 * part` to `4 * part + 3` together, where that is possible.
   */
  readonly quad?: (part: string) => string;
}

/** Returns the text of a column; `isWide` if it is bound as vec4. */
export function columnSpace(column: number, view: string, isWide: boolean): PrintedSpace {
  const name = String(column);
  if (!isWide) return { name, word: (index) => `column${column}[${view}.z + ${index}]` };
  // The data of text begins at a multiple of four words.
  const quad = (part: string) => `column${column}[(${view}.z >> 2u) + ${part}]`;
  return { name, quad, word: (index) => `${quad(`((${index}) >> 2u)`)}[(${index}) & 3u]` };
}

/** Prints the binding of a column. */
export function columnBinding(column: number, isWide: boolean): string {
  return `var<storage, read> column${column}: array<${isWide ? "vec4<u32>" : "u32"}>`;
}

/** Prints a word of a column at any place of its buffer. */
export function columnWord(column: number, index: string, isWide: boolean): string {
  if (!isWide) return `column${column}[${index}]`;
  return `column${column}[(${index}) >> 2u][(${index}) & 3u]`;
}

/** The literals. */
export const literalSpace: PrintedSpace = {
  name: "_literals",
  word: (index) => `constants[${index}]`,
};

/** Returns the suffix of the functions that read a space. */
export function spaceName(space: Space): string {
  return space.space === "literals" ? literalSpace.name : String(space.column);
}

/** Returns the WGSL type of a scalar. */
export function scalarType(type: ScalarType): string {
  if (type === "f64") throw new KernelError("WGSL has no 64-bit floats");
  if (type === "i64") throw new KernelError("WGSL has no 64-bit integers");
  return type;
}

/** Prints a folded scalar as a WGSL expression. */
export function printScalar(value: Scalar): string {
  switch (value.op) {
    case "const":
      return value.type === "bool" ? String(value.value) : printInt(Number(value.value));
    case "local":
      return localName(value.name);
    case "unary":
      return printUnary(value);
    case "binary":
      return printBinary(value);
    case "select":
      return printSelect(value);
    case "byte":
      return `byte${spaceName(value.space)}(${printScalar(value.at)})`;
    case "start":
    case "stop":
    case "valid":
    case "bit":
      return `${value.op}${value.column}`;
    case "word":
      return `${value.word === 0 ? "low" : "high"}${value.column}`;
    case "table":
      return `table${value.table}(${printScalar(value.at)})`;
    case "scratch":
      return `scratch[${printScalar(value.at)}]`;
    case "float":
    case "hostCall":
    case "convert":
      throw new KernelError("WGSL has no 64-bit floats");
    case "long":
      throw new KernelError("WGSL has no 64-bit integers");
    case "itemStart":
      return `item_start${value.column}(${printScalar(value.at)})`;
    case "itemValid":
      return `item_valid${value.column}(${printScalar(value.at)})`;
  }
}

/**
 * Prints an i32 literal. WGSL reads -2147483648 as the negation of a number that is out of range.
 */
export function printInt(value: number): string {
  return value === -2147483648 ? "i32(-2147483647 - 1)" : String(value);
}

/** Prints the bits of an i32 as a u32. */
export function printUnsigned(value: Scalar): string {
  if (value.op === "const") return `${Number(value.value) >>> 0}u`;
  return `bitcast<u32>(${printScalar(value)})`;
}

/** Whether a divisor is known to be neither 0 nor -1, with which the least integer overflows. */
export function dividesDirectly(divisor: Scalar): boolean {
  return divisor.op === "const" && divisor.value !== 0 && divisor.value !== -1;
}

function printUnary({ fn, value }: Extract<Scalar, { op: "unary" }>): string {
  if (fn === "clz") return `countLeadingZeros(${printScalar(value)})`;
  if (value.type === "f64") throw new KernelError("WGSL has no 64-bit floats");
  return `${fn}${operand(value)}`;
}

function printBinary(value: Extract<Scalar, { op: "binary" }>): string {
  const { fn, left, right } = value;
  switch (fn) {
    case "&&":
      return printAll(value) ?? `${operand(left)} && ${operand(right)}`;
    case "/":
      if (dividesDirectly(right)) return `${operand(left)} / ${operand(right)}`;
      return `quotient(${printScalar(left)}, ${printScalar(right)})`;
    case "%": {
      const name = dividesDirectly(right) ? "rest" : "remainder";
      return `${name}(${printScalar(left)}, ${printScalar(right)})`;
    }
    case "/u":
    case "%u":
      if (dividesDirectly(right)) {
        return `bitcast<i32>(${printUnsigned(left)} ${fn[0]} ${printUnsigned(right)})`;
      }
      return `${fn === "/u" ? "quotient_u" : "remainder_u"}(${printScalar(left)}, ${
        printScalar(right)
      })`;
    case "<<":
    case ">>":
      return `${operand(left)} ${fn} ${shiftCount(right)}`;
    case ">>>":
      return `bitcast<i32>(${printUnsigned(left)} >> ${shiftCount(right)})`;
    case "<u":
      return `${printUnsigned(left)} < ${printUnsigned(right)}`;
    case "+":
      if (right.op === "const" && Number(right.value) < 0 && right.value !== -2147483648) {
        return `${operand(left)} - ${-Number(right.value)}`;
      }
      return `${operand(left)} + ${operand(right)}`;
    default:
      return `${operand(left)} ${fn} ${operand(right)}`;
  }
}

/** Prints a conjunction with a run of known bytes; returns null for other tests. */
function printAll(test: Scalar): string | null {
  const parts = runsOf(test);
  if (parts === null) return null;
  const terms = parts.map((part) => "words" in part ? printRun(part) : operand(part));
  return terms.join(" && ");
}

function printRun({ space, words }: ByteRun): string {
  const name = spaceName(space);
  const differing = words.map(({ at, pattern, mask }) => {
    const differs = `(four_bytes${name}(${printUnsigned(at)}) ^ 0x${pattern.toString(16)}u)`;
    return mask === 0xffff_ffff ? differs : `(${differs} & 0x${mask.toString(16)}u)`;
  });
  const all = differing.join(" | ");
  return `(${words.length === 1 ? all : `(${all})`} == 0u)`;
}

/**
 * A choice between two sides by their order is a minimum or a maximum, which prints each side once.
 */
function printSelect({ test, yes, no }: Extract<Scalar, { op: "select" }>): string {
  const sides = `(${printScalar(no)}, ${printScalar(yes)}`;
  if (test.op === "binary" && sameScalar(test.left, yes) && sameScalar(test.right, no)) {
    if (test.fn === "<" || test.fn === "<=") return `min${sides})`;
    if (test.fn === ">" || test.fn === ">=") return `max${sides})`;
  }
  return `select${sides}, ${printScalar(test)})`;
}

/** JavaScript masks the count of a shift by 31; WGSL wants a u32 and refuses literals over 31. */
function shiftCount(count: Scalar): string {
  if (count.op === "const") return `${Number(count.value) & 31}u`;
  return `(${printUnsigned(count)} & 31u)`;
}

function operand(value: Scalar): string {
  const text = printScalar(value);
  const isNegative = value.op === "const" && Number(value.value) < 0;
  // A remainder is a call.
  const isOperation = value.op === "unary" && value.fn !== "clz" ||
    value.op === "binary" && value.fn !== "%" && value.fn !== "/u" && value.fn !== "%u";
  return isOperation || isNegative ? `(${text})` : text;
}

/**
 * Division as the kernel language defines it. It does not use `%` of signed numbers: some adapters
 * come through GLSL, where that is undefined for a negative operand.
 */
export const DIVISION = `
fn quotient(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  if (b == -1) { return -a; }
  return a / b;
}

fn remainder(a: i32, b: i32) -> i32 {
  if (b == 0 || b == -1) { return 0; }
  return rest(a, b);
}

fn rest(a: i32, b: i32) -> i32 {
  return a - b * (a / b);
}

fn quotient_u(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  return bitcast<i32>(bitcast<u32>(a) / bitcast<u32>(b));
}

fn remainder_u(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  return bitcast<i32>(bitcast<u32>(a) % bitcast<u32>(b));
}
`;
