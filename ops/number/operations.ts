/**
 * Exports the built-in operations on numbers, and nothing else.
 *
 * @module
 */

export { add, div, mul, neg, sub } from "./arithmetic.ts";
export { bitAnd, bitNot, bitOr, bitXor, shiftLeft, shiftRight } from "./bits.ts";
export { floorDiv, mod, rem } from "./division.ts";
export { pow } from "./power.ts";
