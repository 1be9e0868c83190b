/**
 * Prints how the workgroup of a long row follows states through a text: through 64 parts at a time,
 * one for each invocation. Each guesses the state in which its part is entered: the state after the
 * 32 bytes before it, if these are entered like the first part, since most patterns soon forget
 * what they have read. After a wrong guess, the next round begins with that part. So a round gains
 * at least one part, and the state is always right.
 *
 * @module
 */

import { LONG_ROW_LANES } from "../print/pass.ts";
import { localName, printScalar } from "../print/scalar.ts";
import { addStepsOrBreak, type Steps } from "../print/steps.ts";
import type { Follow } from "../../../ir/ir.ts";

/** Prints the lines that replace a loop which follows states. */
export function printFollowing(follow: Follow, argument: string): string[] {
  const [state, place, end] = [
    localName(follow.state),
    localName(follow.at),
    printScalar(follow.stop),
  ];
  return [
    `${state} = ${followName(follow)}(${state}, ${place}, ${end}${argument});`,
    `${place} = max(${place}, ${end});`,
  ];
}

/** The bytes of a part. */
const PART_BYTES = 64;

/** The bytes before a part from which its state is guessed. */
const GUESS_BYTES = 32;

/** Returns the name of the function that follows a table through a column. */
function followName({ table, column }: Follow): string {
  return `follow_together${table}_${column}`;
}

/** Prints the workgroup memory that the functions share. */
export const FOLLOW_STATE = `
// The states in which each part was entered and left.
var<workgroup> entered: array<i32, ${LONG_ROW_LANES}>;
var<workgroup> left: array<i32, ${LONG_ROW_LANES}>;
// The state after the parts that were entered rightly, and how many these are.
var<workgroup> followed: vec2<i32>;
`;

/** Prints the function, which all invocations of a workgroup call. */
export function printFollow(follow: Follow, steps: Steps | null): string {
  const { table, column, firstOpen } = follow;
  const rounds = `${GUESS_BYTES + PART_BYTES + LONG_ROW_LANES}u`;
  const next = `own = table${table}(own + byte${column}(at));`;
  return `
// The state after the bytes [first, last), or a final one that is reached before. Those below
// ${firstOpen} are final.
fn ${followName(follow)}(state: i32, first: i32, last: i32${steps?.parameter ?? ""}) -> i32 {
  var current = state;
  var part = first;
  while (part < last && current >= ${firstOpen}) {
${addStepsOrBreak(steps, rounds)}    let start = min(last, part + i32(invocation) * ${PART_BYTES});
    let stop = min(last, start + ${PART_BYTES});
    var own = current;
    for (var at = max(part, start - ${GUESS_BYTES}); at < start; at++) { ${next} }
    entered[invocation] = own;
    for (var at = start; at < stop; at++) { ${next} }
    left[invocation] = own;
    workgroupBarrier();
    if (invocation == 0u) {
      let parts = min(${LONG_ROW_LANES}, (last - part + ${PART_BYTES - 1}) / ${PART_BYTES});
      var right = 0;
      own = current;
      for (; right < parts && entered[right] == own; right++) { own = left[right]; }
      followed = vec2<i32>(own, right);
    }
    let reached = workgroupUniformLoad(&followed);
    current = reached.x;
    part += reached.y * ${PART_BYTES};
  }
  return current;
}
`;
}
