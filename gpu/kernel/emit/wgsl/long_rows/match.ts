/**
 * Prints the function with which the workgroup of a long row compares texts: each invocation takes
 * every 64th word, and an atomic minimum finds the first difference, in rounds as in a search.
 *
 * @module
 */

import { matchHead } from "../print/match.ts";
import { LONG_ROW_LANES } from "../print/pass.ts";
import { addSteps, addStepsOrBreak, type Steps } from "../print/steps.ts";

/** The first bytes, which each invocation compares on its own. */
const NEAR_BYTES = 32;

/** The most words of four bytes that an invocation compares in one round. */
const MAX_REACH = 16;

/** Prints the function, which all invocations of a workgroup call. */
export function printMatchTogether(left: string, right: string, steps: Steps | null): string {
  return `
${matchHead(left, right, steps)}  var at = first;
  let near = min(size, first + ${NEAR_BYTES}u);
  for (; at < near; at += 4u) {
${addSteps(steps, "1u")}\
    let differs = four_bytes${left}(left + at) ^ four_bytes${right}(right + at);
    if (differs != 0u) { return min(size, at + (countTrailingZeros(differs) >> 3u)); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; at < size; reach = min(reach * 2u, ${MAX_REACH}u)) {
${addStepsOrBreak(steps, "1u + reach")}    var nearest = 0xffffffffu;
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
