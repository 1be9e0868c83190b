/**
 * Tests whether known bytes, such as those of a literal, follow each other in a text. Lowering
 * tests them one by one, each with a load behind a branch; this tests four at a time, without a
 * branch.
 *
 * @module
 */

import type { Scalar, Space } from "../../../ir/ir.ts";
import { binary, int, sameScalar } from "../../../ir/scalar.ts";

/**
 * The fewest bytes of a run that are loaded as words; of fewer, one load mostly finds a difference.
 */
const FEWEST_BYTES = 3;

/** Known bytes, in words that may overlap. */
export interface ByteRun {
  readonly space: Space;
  readonly words: readonly KnownWord[];
}

/** Up to four known bytes at a place, the first lowest, and a mask of their bits. */
interface KnownWord {
  readonly at: Scalar;
  readonly pattern: number;
  readonly mask: number;
}

/** A term that tests a byte at `base + offset`. */
interface ByteTerm {
  readonly space: Space;
  readonly base: Scalar;
  readonly offset: number;
  readonly byte: number;
}

/**
 * Returns the terms of a conjunction, with each run of bytes as one term; null if there is no run.
 */
export function runsOf(test: Scalar): readonly (ByteRun | Scalar)[] | null {
  const terms = termsOf(test);
  const parts: (ByteRun | Scalar)[] = [];
  for (let at = 0; at < terms.length;) {
    const run = runAt(terms, at);
    const isRun = run.length >= FEWEST_BYTES;
    parts.push(isRun ? { space: run[0]!.space, words: wordsOf(run) } : terms[at]!);
    at += isRun ? run.length : 1;
  }
  return parts.length < terms.length ? parts : null;
}

function termsOf(test: Scalar): readonly Scalar[] {
  if (test.op !== "binary" || test.fn !== "&&") return [test];
  return [...termsOf(test.left), ...termsOf(test.right)];
}

/** Returns the terms from an index on that test consecutive bytes. */
function runAt(terms: readonly Scalar[], index: number): ByteTerm[] {
  const run: ByteTerm[] = [];
  for (const term of terms.slice(index)) {
    const next = byteTermOf(term);
    const [first] = run;
    if (next === null || (first !== undefined && !follows(first, next, run.length))) break;
    run.push(next);
  }
  return run;
}

function follows(first: ByteTerm, next: ByteTerm, distance: number): boolean {
  const [one, other] = [first.space, next.space];
  const isSameSpace = one.space === "column" && other.space === "column" &&
    one.column === other.column;
  return isSameSpace && next.offset === first.offset + distance &&
    sameScalar(first.base, next.base);
}

function byteTermOf(term: Scalar): ByteTerm | null {
  if (term.op !== "binary" || term.fn !== "==") return null;
  const { left, right } = term;
  if (left.op !== "byte" || right.op !== "const") return null;
  const { at, space } = left;
  const byte = Number(right.value);
  // No byte has another value.
  if (byte < 0 || byte > 255) return null;
  if (at.op === "binary" && at.fn === "+" && at.right.op === "const") {
    return { space, base: at.left, offset: Number(at.right.value), byte };
  }
  return { space, base: at, offset: 0, byte };
}

/** Returns the words of a run, which overlap if its bytes are no whole number of them. */
function wordsOf(run: readonly ByteTerm[]): KnownWord[] {
  const { base, offset } = run[0]!;
  const words: KnownWord[] = [];
  for (let from = 0; from < run.length; from += 4) {
    const start = Math.max(0, Math.min(from, run.length - 4));
    const bytes = run.slice(start, start + 4);
    const pattern = bytes.reduce((sum, { byte }, k) => sum + byte * 2 ** (8 * k), 0);
    const at = binary("+", base, int(offset + start));
    words.push({ at, pattern, mask: 2 ** (8 * bytes.length) - 1 });
  }
  return words;
}
