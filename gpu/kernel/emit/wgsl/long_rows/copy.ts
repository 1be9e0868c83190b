/**
 * Prints how the workgroup of a long row copies text: all invocations together.
 *
 * @module
 */

import { spaceNumber } from "../print/noted_copies.ts";
import { LONG_ROW_LANES, TOGETHER_BYTES } from "../print/pass.ts";

/** Prints the start of a function that copies `[start, stop)` of a space for a long row. */
export function printTogether(name: string): string {
  return `  if (stop - start >= ${TOGETHER_BYTES}u) {
    copy_together(${spaceNumber(name)}, start, stop - start);
    return;
  }
`;
}

/** The function that copies text of a long row, which all invocations of its workgroup call. */
export const COPYING_TOGETHER = `
fn copy_together(space: u32, start: u32, bytes: u32) {
  if (invocation == 0u && (out_at & 3u) != 0u) { atomicOr(&output[out_at >> 2u], out_word); }
  make_copy(vec4<u32>(space, start, out_at, bytes), invocation, ${LONG_ROW_LANES}u);
  out_at += bytes;
  out_word = 0u;
  out_shared = (out_at & 3u) != 0u;
}
`;
