/**
 * Plans as JSON.
 *
 * @module
 */

import type { RechunkPlan } from "../../ops/rechunk/plan/rechunk_plan.ts";

/** The text of a value with a line for each list of numbers. */
export function plansAsJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, list) => `[${list.replace(/\s+/g, " ")}]`) +
    "\n";
}

/** A plan with its keys in the order in which they are documented. */
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
