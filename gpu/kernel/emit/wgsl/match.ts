/**
 * Comparisons of texts, four bytes at a time: which are the first that differ. Where one row has a
 * workgroup, its invocations take every 64th four bytes, and the first difference of all is found by
 * an atomic minimum, in rounds as for a search.
 *
 * @module
 */

import { LONG_ROW_LANES } from "./pass.ts";
import type { PrintedSpace } from "./space.ts";

/** Bytes that the workgroup of a long row compares before it does so together. */
const NEAR_BYTES = 32;

/** Times four bytes that an invocation compares in one round at most. */
const MAX_REACH = 16;

/** Prints the bytes at any position of a space as a word; what lies behind may be anything. */
export function printFourBytes({ name, word }: PrintedSpace): string {
  return `
fn four_bytes${name}(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = ${word("(at >> 2u)")};
  if (skip == 0u) { return low; }
  return (low >> skip) | (${word("(at >> 2u) + 1u")} << (32u - skip));
}
`;
}

/** Name of the function that compares texts of two spaces. */
export function matchName(left: string, right: string): string {
  return `first_difference${left}_${right}`;
}

/** Prints the function. */
export function printMatch(left: string, right: string, countsSteps: boolean): string {
  const steps = countsSteps ? "    if (out_of_steps()) { break; }\n" : "";
  return `
${head(left, right)}  for (var at = first; at < size; at += 4u) {
${steps}    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  return max(first, size);
}
`;
}

/** Prints the same for long rows, where all invocations of a workgroup call it. */
export function printMatchTogether(left: string, right: string, countsSteps: boolean): string {
  const steps = countsSteps
    ? "    row_steps += 1u + reach;\n    if (row_steps > params[0].w) { break; }\n"
    : "";
  return `
${head(left, right)}  var at = first;
  let near = min(size, first + ${NEAR_BYTES}u);
  for (; at < near; at += 4u) {
${countsSteps ? "    row_steps++;\n" : ""}\
    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; at < size; reach = min(reach * 2u, ${MAX_REACH}u)) {
${steps}    var nearest = 0xffffffffu;
    for (var k = 0u; k < reach; k++) {
      let place = at + (k * ${LONG_ROW_LANES}u + invocation) * 4u;
      if (place >= size) { break; }
      let differs = four_bytes${left}(left + place) ^ four_bytes${right}(right + place);
      if (differs != 0u) {
        nearest = place + (countTrailingZeros(differs) >> 3u);
        break;
      }
    }
    if (nearest != 0xffffffffu) { atomicMin(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0xffffffffu) { return min(size, hit); }
    at += reach * ${4 * LONG_ROW_LANES}u;
  }
  return max(first, size);
}
`;
}

function head(left: string, right: string): string {
  return `\
// The first byte from \`first\` on in which two texts differ, or \`size\` if none of so many does.
fn ${matchName(left, right)}(left: u32, right: u32, first: u32, size: u32) -> u32 {
`;
}
