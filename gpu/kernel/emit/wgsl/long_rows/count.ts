/**
 * Prints the function with which the workgroup of a long row counts characters: each invocation
 * takes every 64th part of 16 bytes, and an atomic addition sums the counts.
 *
 * @module
 */

import { printHeads, printHeadsOfPart } from "../print/count.ts";
import { LONG_ROW_LANES, TOGETHER_BYTES } from "../print/pass.ts";
import type { PrintedSpace } from "../print/scalar.ts";
import { addSteps, type Steps } from "../print/steps.ts";

/** Prints the function, which all invocations of a workgroup call. */
export function printCountTogether(space: PrintedSpace, steps: Steps | null): string {
  const { name } = space;
  return `
${printHeads(space)}${printHeadsOfPart(space)}
var<workgroup> counted${name}: atomic<u32>;

fn count_characters${name}(start: i32, stop: i32${steps?.parameter ?? ""}) -> i32 {
  if (start >= stop) { return 0; }
  let first = bitcast<u32>(start);
  let last = bitcast<u32>(stop);
  // Few bytes each invocation counts for itself.
  if (last - first < ${TOGETHER_BYTES}u) {
${addSteps(steps, "1u + (last - first) / 4u")}    var alone = 0u;
    for (var at = first & ~3u; at < last; at += 4u) { alone += heads${name}(at, first, last); }
    return bitcast<i32>(alone);
  }
${addSteps(steps, `1u + (last - first) / ${4 * LONG_ROW_LANES}u`, "  ")}\
  var count = 0u;
  for (var part = (first >> 4u) + invocation; part * 16u < last; part += ${LONG_ROW_LANES}u) {
    count += heads_of_part${name}(part, first, last);
  }
  if (invocation == 0u) { atomicStore(&counted${name}, 0u); }
  workgroupBarrier();
  atomicAdd(&counted${name}, count);
  return bitcast<i32>(workgroupUniformLoad(&counted${name}));
}
`;
}
