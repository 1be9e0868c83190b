/**
 * How the workgroup of a long row follows states through a text. The bytes are cut into 64 parts, one
 * for each invocation. Each guesses in which state its part is entered: the one after the 32 bytes
 * before it, if these are entered as the first part is, since most patterns forget soon what they have
 * read. Where a guess turns out wrong, the next round begins with that part; so a round gains one part
 * at least, and the state is right in any case.
 *
 * @module
 */

import { LONG_ROW_LANES } from "./pass.ts";
import type { Follow } from "../../ir/ir.ts";

/** Bytes of a part. */
const PART_BYTES = 64;

/** Bytes before a part by which the state is guessed. */
const GUESS_BYTES = 32;

/** Name of the function that follows a table through a column. */
export function followName({ table, column }: Follow): string {
  return `follow_together${table}_${column}`;
}

/** Prints the workgroup memory that the functions share. */
export const FOLLOW_STATE = `
// The states in which each part was entered and left.
var<workgroup> entered: array<i32, ${LONG_ROW_LANES}>;
var<workgroup> left: array<i32, ${LONG_ROW_LANES}>;
`;

/** Prints the function, which all invocations of a workgroup call. */
export function printFollow(follow: Follow, countsSteps: boolean): string {
  const { table, column, firstOpen } = follow;
  const steps = countsSteps
    ? `    row_steps += ${GUESS_BYTES + PART_BYTES + LONG_ROW_LANES}u;
    if (row_steps > params[0].w) { break; }
`
    : "";
  const next = `own = table${table}(own + byte${column}(at));`;
  return `
// The state after the bytes [first, last), or a final one that is reached before. Those below
// ${firstOpen} are final.
fn ${followName(follow)}(state: i32, first: i32, last: i32) -> i32 {
  var current = state;
  var part = first;
  while (part < last && current >= ${firstOpen}) {
${steps}    let start = min(last, part + i32(invocation) * ${PART_BYTES});
    let stop = min(last, start + ${PART_BYTES});
    var own = current;
    for (var at = max(part, start - ${GUESS_BYTES}); at < start; at++) { ${next} }
    entered[invocation] = own;
    for (var at = start; at < stop; at++) { ${next} }
    left[invocation] = own;
    workgroupBarrier();
    let parts = min(${LONG_ROW_LANES}, (last - part + ${PART_BYTES - 1}) / ${PART_BYTES});
    var right = 0;
    for (; right < parts && entered[right] == current; right++) { current = left[right]; }
    part += right * ${PART_BYTES};
    workgroupBarrier();
  }
  return current;
}
`;
}
