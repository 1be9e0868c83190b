/**
 * Prints the functions that count characters word by word: every byte of UTF-8 except those from
 * 0x80 to 0xbf begins one, so the beginnings in a word are counted together.
 *
 * @module
 */

import type { PrintedSpace } from "./scalar.ts";
import { breakOutOfSteps, type Steps } from "./steps.ts";

/** Prints the function that counts the characters in the bytes [start, stop) of a space. */
export function printCount(space: PrintedSpace, steps: Steps | null): string {
  const { name } = space;
  return `
${printHeads(space)}
fn count_characters${name}(start: i32, stop: i32) -> i32 {
  var count = 0u;
  for (var at = start & ~3; at < stop; at = at + 4) {
${
    breakOutOfSteps(steps)
  }    count += heads${name}(bitcast<u32>(at), bitcast<u32>(start), bitcast<u32>(stop));
  }
  return bitcast<i32>(count);
}
`;
}

/** Prints the function that counts the characters of a word. */
export function printHeads({ name, word }: PrintedSpace): string {
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

/** Prints the function that counts the characters of 16 bytes; it calls the one for words. */
export function printHeadsOfPart({ name, quad }: PrintedSpace): string {
  const atOnce = quad === undefined ? "" : `\
  if (part * 16u >= start && part * 16u + 16u <= stop) {
    let bytes = ${quad("part")};
    let heads = (~(bytes >> vec4<u32>(7u)) | (bytes >> vec4<u32>(6u))) & vec4<u32>(0x01010101u);
    // No byte of the sum is above 4.
    let sum = heads.x + heads.y + heads.z + heads.w;
    return (sum * 0x01010101u) >> 24u;
  }
`;
  return `
// The characters that begin in a part of 16 bytes, within the bytes [start, stop).
fn heads_of_part${name}(part: u32, start: u32, stop: u32) -> u32 {
${atOnce}  var count = 0u;
  for (var at = max(part * 16u, start & ~3u); at < min(part * 16u + 16u, stop); at += 4u) {
    count += heads${name}(at, start, stop);
  }
  return count;
}
`;
}
