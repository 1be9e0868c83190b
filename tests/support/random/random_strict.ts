/** Random expressions with strict calls: of `a`, `b` of int64, `p` of booleans and `s` of text. */

import type { SeededRandom } from "./seeded_random.ts";

/** The text of an expression that is a number, a condition or a text. */
export function randomStrict(random: SeededRandom, depth: number): string {
  return random.pick([integer, integer, condition, text])(random, depth);
}

type Make = (random: SeededRandom, depth: number) => string;

function integer(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["a", "b", "a", "b", "(7)", 's.cast("int64")']);
  const own = (make: Make = integer) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own()} + ${own()})`,
    () => `(${own()} * ${own()})`,
    () => `(${own()} - ${own()})`,
    () => `(${own()} % ${own()})`,
    () => `(-${own()})`,
    () => `(${own(condition)} ? ${own()} : ${own()})`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own()}).orNull()`,
    () => `(${own()}).cast("int8").cast("int64")`,
    () => `${own(text)}.cast("int64")`,
    () => `${own(text)}.cast("int8").cast("int64")`,
    () => `(${own(condition)} ? a : 7)`,
    () => `${own(text)}.length().cast("int64")`,
  ])();
}

function condition(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["p", "p", "(a > b)", "s.isNull()"]);
  const own = (make: Make = condition) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own(integer)} ${random.pick([">", "==", "!=", "<="])} ${own(integer)})`,
    () => `(${own(text)} ${random.pick(["<", "=="])} ${own(text)})`,
    () => `(${own()} && ${own()})`,
    () => `(${own()} || ${own()})`,
    () => `(!${own()})`,
    () => `${own(random.pick([integer, text, condition]))}.isNull()`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own()} ? ${own()} : ${own()})`,
    () => `${own(text)}.startsWith("1")`,
  ])();
}

function text(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["s", "s", '"12"']);
  const own = (make: Make = text) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own()} + ${own()})`,
    () => `(${own()} + "-" + ${own()})`,
    () => `${own(integer)}.toString()`,
    () => `${own()}.upper()`,
    () => `${own()}.slice(0, 2)`,
    () => `${own()}.strip()`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own(condition)} ? ${own()} : ${own()})`,
    () => `${own()}.pad(4)`,
  ])();
}
