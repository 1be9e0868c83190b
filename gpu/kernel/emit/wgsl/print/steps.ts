/**
 * Prints how the loops of a row count their rounds, and when these are too many.
 *
 * An invocation counts in private state. If a workgroup computes a row together, its invocations
 * count alike, but a compiler that has to prove that they reach a barrier together does not take
 * private state for equal. There the count is a local of the row, and functions get a pointer to
 * it.
 *
 * @module
 */

import type { RowKernel } from "../../../ir/ir.ts";
import { mayFail, someStatement } from "../../../ir/visit.ts";
import { boundOf } from "./text_bound.ts";

/**
 * Whether rows of short text take few rounds: they read the text that they search a few times, and
 * no loop appends or repeats text. Then rounds need not be counted.
 */
export function takesFewSteps({ type, body }: Pick<RowKernel, "type" | "body">): boolean {
  if (type.kind === "list" || (type.kind === "string" && boundOf(body).loops)) return false;
  return !someStatement(body, ({ do: does }) => does === "repeat" || does === "checkRepeat");
}

/** A way for loops to count their rounds. */
export interface Steps {
  /** The state, and the function `out_of_steps`. */
  readonly declaration: string;
  /** The last parameter of functions that count, and its argument. */
  readonly parameter: string;
  readonly argument: string;
  /** The count. */
  readonly count: string;
  /** Counts a round, and tests whether it is one too many. */
  readonly outOfSteps: string;
}

const STATE = `
// Rounds of loops, and what the write pass will take of them.
var<private> row_steps: u32;
`;

/** The counters if each invocation computes a row. */
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

/**
 * The counters if a workgroup computes a row. The rounds of the write pass are private state here,
 * too.
 */
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

/** Prints the end of a loop whose next round is one too many; nothing if rounds are not counted. */
export function breakOutOfSteps(steps: Steps | null): string {
  return steps === null ? "" : `    if (${steps.outOfSteps}) { break; }\n`;
}

/** Prints a statement that counts some rounds. */
export function addSteps(steps: Steps | null, rounds: string, indent = "    "): string {
  return steps === null ? "" : `${indent}${steps.count} += ${rounds};\n`;
}

/** Prints the same, and the end of the loop if there are too many rounds. */
export function addStepsOrBreak(steps: Steps | null, rounds: string): string {
  if (steps === null) return "";
  return `${addSteps(steps, rounds)}    if (${steps.count} > params[0].w) { break; }\n`;
}

/**
 * Prints whether a row is given up, for the host to compute: a call fails, or its loops take too many
 * rounds, unless nobody counts the `steps`. Null if no row can be.
 */
export function givesUpRow({ body }: Pick<RowKernel, "body">, steps: string | null): string | null {
  const reasons = [
    ...(mayFail(body) ? ["row_fails"] : []),
    ...(steps === null ? [] : [`${steps} > params[0].w`]),
  ];
  return reasons.length === 0 ? null : reasons.join(" || ");
}
