/**
 * The functions of numbers that row functions call and that every target has as an instruction or
 * a few. They stand in the `consts` of a row function, as helpers do. Called directly, they compute
 * what the generated code does.
 *
 * @module
 */

import type { MathFunction } from "./host_functions.ts";
import type { BinaryFn, ConvertFn, UnaryFn } from "./operators.ts";

/** A scalar of the row language. */
type Type = "i32" | "i64" | "f64" | "bool";

/** How the IR has an intrinsic. */
export type IntrinsicCode =
  | { readonly unary: UnaryFn }
  | { readonly binary: BinaryFn }
  | { readonly convert: ConvertFn }
  | { readonly host: MathFunction | "remainder" };

/** The types that an intrinsic takes and returns, and its code. */
export interface IntrinsicForm {
  readonly takes: readonly Type[];
  readonly returns: Type;
  readonly code: IntrinsicCode;
}

const form = (takes: readonly Type[], returns: Type, code: IntrinsicCode): IntrinsicForm => ({
  ...{ takes, returns, code },
});
const ofFloat = (unary: UnaryFn) => [form(["f64"], "f64", { unary })];
const ofLongs = (binary: BinaryFn, returns: Type = "i64") => [
  form(["i64", "i64"], returns, { binary }),
];
const host = (name: MathFunction | "remainder", takes: readonly Type[] = ["f64"]) => [
  form(takes, "f64", { host: name }),
];

/** The forms of each intrinsic; the types of the arguments choose one. */
export const INTRINSICS: Readonly<Record<IntrinsicName, readonly IntrinsicForm[]>> = {
  toI64: [
    form(["i32"], "i64", { convert: "extend" }),
    form(["f64"], "i64", { convert: "truncate" }),
  ],
  toI64U: [form(["i32"], "i64", { convert: "extendU" })],
  toI32: [form(["i64"], "i32", { convert: "low" }), form(["f64"], "i32", { convert: "truncate" })],
  toF64: [
    form(["i32"], "f64", { convert: "toFloat" }),
    form(["i64"], "f64", { convert: "toFloat" }),
  ],
  toF64U: [form(["i64"], "f64", { convert: "toFloatU" })],
  lowOf: [form(["i64"], "i32", { convert: "low" })],
  highOf: [form(["i64"], "i32", { convert: "high" })],
  joined: [form(["i32", "i32"], "i64", { binary: "join" })],
  bitsOf: [form(["f64"], "i64", { convert: "bits" })],
  floatOf: [form(["i64"], "f64", { convert: "bits" })],
  addOverflows: ofLongs("+overflows", "bool"),
  subOverflows: ofLongs("-overflows", "bool"),
  mulOverflows: ofLongs("*overflows", "bool"),
  addOverflowsU: ofLongs("+overflowsU", "bool"),
  subOverflowsU: ofLongs("-overflowsU", "bool"),
  mulOverflowsU: ofLongs("*overflowsU", "bool"),
  lessU: ofLongs("<u", "bool"),
  divU: ofLongs("/u"),
  modU: ofLongs("%u"),
  clz: [form(["i64"], "i64", { unary: "clz" })],
  abs: ofFloat("abs"),
  sqrt: ofFloat("sqrt"),
  floor: ofFloat("floor"),
  ceil: ofFloat("ceil"),
  trunc: ofFloat("trunc"),
  nearest: ofFloat("nearest"),
  fround: ofFloat("fround"),
  remainder: host("remainder", ["f64", "f64"]),
  cbrt: host("cbrt"),
  exp: host("exp"),
  ln: host("ln"),
  log10: host("log10"),
  log2: host("log2"),
  pow: host("pow", ["f64", "f64"]),
  sin: host("sin"),
  cos: host("cos"),
  tan: host("tan"),
  asin: host("asin"),
  acos: host("acos"),
  atan: host("atan"),
  atan2: host("atan2", ["f64", "f64"]),
};

/** The name of an intrinsic. */
export type IntrinsicName =
  | "toI64"
  | "toI64U"
  | "toI32"
  | "toF64"
  | "toF64U"
  | "lowOf"
  | "highOf"
  | "joined"
  | "bitsOf"
  | "floatOf"
  | "addOverflows"
  | "subOverflows"
  | "mulOverflows"
  | "addOverflowsU"
  | "subOverflowsU"
  | "mulOverflowsU"
  | "lessU"
  | "divU"
  | "modU"
  | "clz"
  | "abs"
  | "sqrt"
  | "floor"
  | "ceil"
  | "trunc"
  | "nearest"
  | "fround"
  | "remainder"
  | MathFunction;

/** An intrinsic as a value. */
export interface AnyIntrinsic {
  /**
   * Its name.
   *
   * @internal
   */
  readonly intrinsic: IntrinsicName;
}

/** Whether a constant of a row function is an intrinsic. */
export function isIntrinsic(value: unknown): value is AnyIntrinsic {
  return typeof value === "function" && "intrinsic" in value;
}
