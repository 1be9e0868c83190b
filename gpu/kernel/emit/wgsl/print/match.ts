/**
 * Prints the functions that compare texts of two spaces, four bytes at a time.
 *
 * @module
 */

import type { PrintedSpace } from "./scalar.ts";
import { breakOutOfSteps, type Steps } from "./steps.ts";

/**
 * Prints the function that reads four bytes at any position of a space; those after it may be
 * anything.
 */
export function printFourBytes({ name, word }: PrintedSpace): string {
  return `
fn four_bytes${name}(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = ${word("(at >> 2u)")} >> skip;
  let high = ${word("(at >> 2u) + 1u")} << ((32u - skip) & 31u);
  return select(low | high, low, skip == 0u);
}
`;
}

/** Returns the name of the function that compares texts of two spaces. */
export function matchName(left: string, right: string): string {
  return `first_difference${left}_${right}`;
}

/** Prints the function that compares texts of two spaces. */
export function printMatch(left: string, right: string, steps: Steps | null): string {
  return `
${matchHead(left, right, steps)}  for (var at = first; at < size; at += 4u) {
${
    breakOutOfSteps(steps)
  }    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  return max(first, size);
}
`;
}

/** Prints the head of that function. */
export function matchHead(left: string, right: string, steps: Steps | null): string {
  return `\
// The first byte from \`first\` on in which two texts differ; \`size\` if their first \`size\` bytes agree.
fn ${matchName(left, right)}(left: u32, right: u32, first: u32, size: u32${
    steps?.parameter ?? ""
  }) -> u32 {
`;
}
