/**
 * Exports the built-in operations on numbers, and nothing else.
 *
 * @module
 */

export { add, div, mul, neg, sub } from "./arithmetic.ts";
export { bitAnd, bitNot, bitOr, bitXor, shiftLeft, shiftRight } from "./bits.ts";
export { divide } from "./divide.ts";
export { floorDiv, mod, rem } from "./division.ts";
export { pow } from "./power.ts";
export { cbrt, exp, ln, log, log10, log2, sqrt } from "./functions.ts";
export { abs, clamp, greatest, least, sign } from "./limits.ts";
export { max, mean, min, sum } from "./list_totals.ts";
export { fillNaN, isFinite, isNaN } from "./nan.ts";
export { ceil, floor, round, trunc } from "./rounding.ts";
export { acos, asin, atan, atan2, cos, degrees, radians, sin, tan } from "./trigonometry.ts";
