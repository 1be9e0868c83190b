/**
 * The operators and conversions of numbers, which the language and the fused form of kernels share.
 *
 * @module
 */

/**
 * Unary operators. `-` takes an integer or an f64, `~` and `clz` an integer, `!` a bool, the others an
 * f64: `nearest` rounds ties to even, `fround` rounds to the nearest float32.
 */
export type UnaryFn =
  | "-"
  | "~"
  | "!"
  | "clz"
  | "abs"
  | "sqrt"
  | "floor"
  | "ceil"
  | "trunc"
  | "nearest"
  | "fround";

/** The operators of two i64 that tell whether the exact result does not fit, with and without a sign. */
export type OverflowFn =
  | "+overflows"
  | "-overflows"
  | "*overflows"
  | "+overflowsU"
  | "-overflowsU"
  | "*overflowsU";

/**
 * Binary operators. Operands have one type, but the shift count of an i64 is an i32, whose low six
 * bits count. `/u`, `%u` and `<u` take their operands as unsigned. `&&` and `||` take bools and stop
 * early. `join` makes an i64, or the f64 with these bits, of a low and a high i32. Comparisons of f64
 * are those of IEEE 754.
 */
export type BinaryFn =
  | OverflowFn
  | "join"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "<u"
  | "/u"
  | "%u"
  | "&&"
  | "||";

/** The operators of division. */
export type DivideFn = "/" | "%" | "/u" | "%u";

/** Whether an operator divides. */
export function isDivision(fn: string): fn is DivideFn {
  return fn === "/" || fn === "%" || fn === "/u" || fn === "%u";
}

/**
 * Conversions, by the types of the operand and the result:
 *
 * - `extend`, `extendU`: i32 to i64, by its sign or with zeros;
 * - `low`, `high`: a half of an i64, or of the bits of an f64, as an i32;
 * - `toFloat`, `toFloatU`: i32 or i64 to the nearest f64, ties to even;
 * - `truncate`: f64 to i64 or i32 towards zero; a limit of the type beyond it, and 0 for NaN;
 * - `bits`: f64 to the i64 with its bits, or back;
 * - `wrap`: f64 to the low 32 bits of its whole part, as `| 0` in JavaScript. Only `halve/` makes it.
 *
 * The bits of a computed NaN are 0x7ff8000000000000, also in results.
 */
export type ConvertFn =
  | "extend"
  | "extendU"
  | "low"
  | "high"
  | "toFloat"
  | "toFloatU"
  | "truncate"
  | "bits"
  | "wrap";
