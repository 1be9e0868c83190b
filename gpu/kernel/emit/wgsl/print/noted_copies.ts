/**
 * Prints the long copies of the write pass. One invocation would copy a long text alone while its
 * workgroup waits. Instead it notes the copy, and after all rows the whole workgroup makes the
 * noted copies together, 256 words of the output at a time. If rows have several lanes, shorter
 * copies are noted, too, and as many lanes make each of them.
 *
 * @module
 */

import { TOGETHER_BYTES } from "./pass.ts";

/** The bytes from which a copy is left to the workgroup. */
const LONG_BYTES = 512;
/** The most copies that a block of 256 rows can note; an invocation makes further ones itself. */
const MAX_NOTED = 256;

/** The same if several lanes make a copy, and the bytes from which the whole workgroup does. */
const LANES_BYTES = TOGETHER_BYTES;
const LANES_MAX_NOTED = 512;
const WHOLE_BYTES = 8192;

/** Prints the number of a space in notes; literals come after the columns. */
export function spaceNumber(name: string): string {
  return name === "_literals" ? "0xffffffffu" : `${name}u`;
}

/**
 * Prints the start of functions that copy `[start, stop)` of a space: they return if the copy is
 * noted. `hasLanes` if several lanes make a copy.
 */
export function printNoting(hasLanes: boolean): (name: string) => string {
  return (name) =>
    `\
  if (stop - start >= ${hasLanes ? LANES_BYTES : LONG_BYTES}u && noted(${
      spaceNumber(name)
    }, start, stop - start)) {
    return;
  }
`;
}

/** Prints the state and the functions that note a copy; they follow those of the write pass. */
export function printNoted(hasLanes: boolean): string {
  const most = hasLanes ? LANES_MAX_NOTED : MAX_NOTED;
  return `
var<workgroup> noted_count: atomic<u32>;
${hasLanes ? "var<workgroup> some_whole: atomic<u32>;\n" : ""}\
// The space, the first byte in it, the first byte of the output, the number of bytes.
var<workgroup> noted_copies: array<vec4<u32>, ${most}>;

// Leaves room for a copy that the workgroup makes later; false where too many are noted.
fn noted(space: u32, start: u32, bytes: u32) -> bool {
  let slot = atomicAdd(&noted_count, 1u);
  if (slot >= ${most}u) { return false; }
  noted_copies[slot] = vec4<u32>(space, start, out_at, bytes);
${hasLanes ? `  if (bytes >= ${WHOLE_BYTES}u) { atomicStore(&some_whole, 1u); }\n` : ""}\
  if ((out_at & 3u) != 0u) { atomicOr(&output[out_at >> 2u], out_word); }
  out_at += bytes;
  out_word = 0u;
  out_shared = (out_at & 3u) != 0u;
  return true;
}
`;
}

/** The function that makes the noted copies. */
export const MAKING_NOTED = `
fn make_noted_copies(lane: u32) {
  let count = min(atomicLoad(&noted_count), ${MAX_NOTED}u);
  for (var k = 0u; k < count; k++) { make_copy(noted_copies[k], lane, 256u); }
}
`;

/** Prints the same for several lanes that make copies which are not very long. */
export function printMakingByLanes(lanes: string): string {
  return `
fn make_noted_copies(lane: u32) {
  let count = min(atomicLoad(&noted_count), ${LANES_MAX_NOTED}u);
  let lanes = ${lanes};
  for (var k = lane / lanes; k < count; k += 256u / lanes) {
    let copy = noted_copies[k];
    if (copy.w < ${WHOLE_BYTES}u) { make_copy(copy, lane & (lanes - 1u), lanes); }
  }
  if (atomicLoad(&some_whole) == 0u) { return; }
  for (var k = 0u; k < count; k++) {
    let copy = noted_copies[k];
    if (copy.w >= ${WHOLE_BYTES}u) { make_copy(copy, lane, 256u); }
  }
}
`;
}

/** Prints the function that makes one copy; `spaces` are those that text is copied from. */
export function printMakeCopy(
  spaces: readonly { readonly name: string; readonly word: (index: string) => string }[],
): string {
  const cases = spaces.map(({ name, word }) =>
    `    case ${spaceNumber(name)}: { return ${word("index")}; }\n`
  );
  return `
fn copied_word(space: u32, index: u32) -> u32 {
  switch space {
${cases.join("")}    default: { return 0u; }
  }
}

// Each lane makes every lanes-th word of the output. The first and the last word of a copy are shared
// with what lies beside it.
fn make_copy(copy: vec4<u32>, lane: u32, lanes: u32) {
  let end = copy.z + copy.w;
  for (var at = (copy.z >> 2u) + lane; at * 4u < end; at += lanes) {
    let first = max(at * 4u, copy.z);
    let bytes = min(at * 4u + 4u, end) - first;
    let position = copy.y + (first - copy.z);
    let skip = position & 3u;
    var word = copied_word(copy.x, position >> 2u) >> (skip * 8u);
    if (skip + bytes > 4u) {
      word |= copied_word(copy.x, (position >> 2u) + 1u) << ((4u - skip) * 8u);
    }
    if (bytes == 4u) {
      atomicStore(&output[at], word);
    } else {
      word &= 0xffffffffu >> (32u - bytes * 8u);
      atomicOr(&output[at], word << ((first & 3u) * 8u));
    }
  }
}
`;
}

/** The end of every invocation, after its row. */
export const MAKE_NOTED_COPIES = `
  workgroupBarrier();
  make_noted_copies(lane);
`;
