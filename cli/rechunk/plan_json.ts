/**
 * Prints plans as JSON.
 *
 * @module
 */

import type { RechunkPlan } from "../../ops/rechunk/plan/rechunk_plan.ts";

/** Returns the JSON of a value, with each list of numbers on one line. */
export function plansAsJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, list) => `[${list.replace(/\s+/g, " ")}]`) +
    "\n";
}

/** Returns a plan whose keys are in the documented order. */
export function planFields({ stages, direct, ...plan }: RechunkPlan): Record<string, unknown> {
  const { reads, writes, bytes, lowerBound, peakMemory, cost } = plan;
  return {
    stages: stages.map(({ read, intermediate, write, operations }) => ({
      read,
      intermediate,
      write,
      operations,
    })),
    ...{ reads, writes, bytes, lowerBound, peakMemory, cost },
    ...(direct === undefined ? {} : { direct }),
  };
}
