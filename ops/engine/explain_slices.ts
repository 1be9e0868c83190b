/**
 * Prints where the rewrites moved each slice, for `explain`.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { Source } from "../../streams/plan/source.ts";
import type { RowRequest } from "../../streams/rows/row_request.ts";
import type { Step } from "./node.ts";
import type { Prepared } from "./prepare.ts";

/**
 * Returns a line for each step that picks rows, among those that the user wrote, which says where
 * it went.
 */
export async function explainSlices(
  prepared: Prepared,
  source: Source,
): Promise<readonly string[]> {
  const picking = prepared.written.filter(({ node }) => node.kind.rewrites?.picks !== undefined);
  if (picking.length === 0) return [];
  const { rows } = prepared;
  const part = rows && await describedRows(source, rows.request);
  return picking.map((pick) => {
    const { step, node } = pick;
    const what = `step ${step}, ${node.name} ${node.kind.summary(node.spec)}`.trimEnd();
    const merged = [...rows?.steps ?? [], ...prepared.steps]
      .find((other) => other.merged?.includes(step));
    if (merged !== undefined) return `${what}: one slice with step ${merged.step}`;
    const isOfSource = rows?.steps.some((other) => other.step === step);
    if (!isOfSource) return `${what}: ${placeInPlan(step, prepared.steps)}`;
    // The parts that are read depend on all picks together, so only the last one names them.
    const parts = part === undefined || rows?.steps.at(-1)?.step !== step ? "" : `, ${part}`;
    return `${what}: rows of the source${parts}`;
  });
}

function placeInPlan(step: number, steps: readonly Step[]): string {
  const index = steps.findIndex((other) => other.step === step);
  const passed = steps.slice(index).find((other) => other.step < step);
  if (passed !== undefined) return `moved before ${nameOf(passed)}`;
  const front = steps[index - 1];
  if (front === undefined) return "stays behind the source, which is read only forwards";
  return `stays behind ${nameOf(front)}`;
}

function nameOf({ step, node }: Step): string {
  return `step ${step}, ${node.name}`;
}

async function describedRows(source: Source, request: RowRequest): Promise<string | undefined> {
  try {
    return await source.describeRows?.(request);
  } catch (error) {
    // The run reports a row that does not exist, with its step.
    const { cause } = error as Error;
    if ([error, cause].some((error) => isSluiceError(error, "MissingRowError"))) return undefined;
    throw error;
  }
}
