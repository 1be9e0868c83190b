/**
 * Counts of characters. All bytes of UTF-8 but those from 0x80 to 0xbf begin one, so the characters
 * that begin in a word are counted at once. Where one row has a workgroup, each invocation takes every
 * 64th word of a long text, and their counts are summed by an atomic addition.
 *
 * @module
 */

import { LONG_ROW_LANES, TOGETHER_BYTES } from "./pass.ts";
import type { PrintedSpace } from "./space.ts";

/** Prints the function that counts the characters in the bytes [start, stop) of a space. */
export function printCount({ name, word }: PrintedSpace, countsSteps: boolean): string {
  const steps = countsSteps ? "    if (out_of_steps()) { break; }\n" : "";
  return `
${printHeads(name, word)}
fn count_characters${name}(start: i32, stop: i32) -> i32 {
  var count = 0u;
  for (var at = start & ~3; at < stop; at = at + 4) {
${steps}    count += heads${name}(bitcast<u32>(at), bitcast<u32>(start), bitcast<u32>(stop));
  }
  return bitcast<i32>(count);
}
`;
}

/** Prints the same for long rows, where all invocations of a workgroup call it. */
export function printCountTogether({ name, word }: PrintedSpace, countsSteps: boolean): string {
  const steps = countsSteps ? `  row_steps += 1u + (last - first) / (4u * lanes);\n` : "";
  return `
${printHeads(name, word)}
var<workgroup> counted${name}: atomic<u32>;

fn count_characters${name}(start: i32, stop: i32) -> i32 {
  if (start >= stop) { return 0; }
  let first = bitcast<u32>(start);
  let last = bitcast<u32>(stop);
  // Few bytes each invocation counts for itself.
  let alone = last - first < ${TOGETHER_BYTES}u;
  let lanes = select(${LONG_ROW_LANES}u, 1u, alone);
${steps}  var count = 0u;
  for (var at = (first & ~3u) + select(invocation, 0u, alone) * 4u; at < last; at += 4u * lanes) {
    count += heads${name}(at, first, last);
  }
  if (alone) { return bitcast<i32>(count); }
  if (invocation == 0u) { atomicStore(&counted${name}, 0u); }
  workgroupBarrier();
  atomicAdd(&counted${name}, count);
  return bitcast<i32>(workgroupUniformLoad(&counted${name}));
}
`;
}

function printHeads(name: string, word: PrintedSpace["word"]): string {
  return `\
// The characters that begin in the word of a place, within the bytes [start, stop).
fn heads${name}(at: u32, start: u32, stop: u32) -> u32 {
  let bytes = ${word("(at >> 2u)")};
  var heads = (~(bytes >> 7u) | (bytes >> 6u)) & 0x01010101u;
  if (at < start) { heads &= 0xffffffffu << (8u * (start - at)); }
  if (at + 4u > stop) { heads &= 0xffffffffu >> (8u * (at + 4u - stop)); }
  return countOneBits(heads);
}
`;
}
