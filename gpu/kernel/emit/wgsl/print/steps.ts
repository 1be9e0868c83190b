/**
 * Prints how the loops of a row count their rounds, and when they are too many.
 *
 * An invocation counts in state of its own. Where a workgroup computes a row together, its
 * invocations all count alike, but a compiler that must see that they come to a barrier together
 * takes no state for equal. There the count is a local of the row, and functions get a pointer to it.
 *
 * @module
 */

import type { RowKernel } from "../../../ir/ir.ts";
import { someStatement } from "../../../ir/visit.ts";
import { boundOf } from "./text_bound.ts";

/**
 * Whether rows of short text take few rounds: what they search they read a few times, and no loop appends
 * or repeats text. Then nothing need be counted.
 */
export function takesFewSteps({ type, body }: Pick<RowKernel, "type" | "body">): boolean {
  if (type.kind === "list" || (type.kind === "string" && boundOf(body).loops)) return false;
  return !someStatement(body, ({ do: does }) => does === "repeat" || does === "checkRepeat");
}

/** A way for loops to count their rounds. */
export interface Steps {
  /** State, and the function `out_of_steps`. */
  readonly declaration: string;
  /** The last parameter of functions that count, and what they get for it. */
  readonly parameter: string;
  readonly argument: string;
  /** The count. */
  readonly count: string;
  /** Whether a round too many begins, which is counted. */
  readonly outOfSteps: string;
}

const STATE = `
// Rounds of loops, and what the write pass will take of them.
var<private> row_steps: u32;
`;

/** The counters where each invocation computes a row. */
export const OWN_STEPS: Steps = {
  declaration: `${STATE}
fn out_of_steps() -> bool {
  row_steps++;
  return row_steps > params[0].w;
}
`,
  parameter: "",
  argument: "",
  count: "row_steps",
  outOfSteps: "out_of_steps()",
};

/** The counters where a workgroup computes a row. The rounds of the write pass are state here, too. */
export const SHARED_STEPS: Steps = {
  declaration: `${STATE}
fn out_of_steps(steps: ptr<function, u32>) -> bool {
  *steps = *steps + 1u;
  return *steps > params[0].w;
}
`,
  parameter: ", steps: ptr<function, u32>",
  argument: ", steps",
  count: "*steps",
  outOfSteps: "out_of_steps(steps)",
};

/** Prints the end of a loop whose next round is one too many; nothing where rounds are not counted. */
export function breakOutOfSteps(steps: Steps | null): string {
  return steps === null ? "" : `    if (${steps.outOfSteps}) { break; }\n`;
}

/** Prints a statement that counts some rounds. */
export function addSteps(steps: Steps | null, rounds: string, indent = "    "): string {
  return steps === null ? "" : `${indent}${steps.count} += ${rounds};\n`;
}

/** Prints the same, and the end of the loop where they are too many. */
export function addStepsOrBreak(steps: Steps | null, rounds: string): string {
  if (steps === null) return "";
  return `${addSteps(steps, rounds)}    if (${steps.count} > params[0].w) { break; }\n`;
}
