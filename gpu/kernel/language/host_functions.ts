/**
 * The functions that row functions call on the host, since no device has them: methods of a view
 * and of a sink. Each is a `hostCall` in the code of a kernel, and a function of
 * `gpu/host/runtime/` with `$` before its name.
 *
 * @module
 */

/** A function of floats, which devices compute less exactly; `ln` is `Math.log`. */
export type MathFunction =
  | "cbrt"
  | "exp"
  | "ln"
  | "log10"
  | "log2"
  | "pow"
  | "sin"
  | "cos"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "atan2";

/** A function that only the host has. */
export type HostFunction =
  | "toFloat"
  | "toNarrowFloat"
  | "putFloat"
  | "putFormatted"
  | "putFormattedInteger"
  | "putFormattedDecimal"
  | "copyNormal"
  /** The exact remainder of floats, with the sign of the dividend. */
  | "remainder"
  | MathFunction;

/** The reason why a kernel that computes with floats runs on the host. */
export const COMPUTES = "it computes with floating-point numbers";

/** The reason why a kernel that calls each of them runs on the host. */
export const HOST_FUNCTIONS: Readonly<Record<HostFunction, string>> = {
  toFloat: "it reads or writes floating-point numbers",
  toNarrowFloat: "it reads or writes floating-point numbers",
  putFloat: "it reads or writes floating-point numbers",
  putFormatted: "it writes numbers by a format",
  putFormattedInteger: "it writes numbers by a format",
  putFormattedDecimal: "it writes numbers by a format",
  copyNormal: "it writes a normal form of Unicode",
  remainder: COMPUTES,
  cbrt: COMPUTES,
  exp: COMPUTES,
  ln: COMPUTES,
  log10: COMPUTES,
  log2: COMPUTES,
  pow: COMPUTES,
  sin: COMPUTES,
  cos: COMPUTES,
  tan: COMPUTES,
  asin: COMPUTES,
  acos: COMPUTES,
  atan: COMPUTES,
  atan2: COMPUTES,
};

/** Whether only the host has the method of a view or of a sink. */
export function isHostFunction(name: string): name is HostFunction {
  return Object.hasOwn(HOST_FUNCTIONS, name);
}
