/**
 * Summarizes the contests about strings, in a line for each kind of text.
 *
 * @module
 */

import { median } from "./measure.ts";
import type { ContestResult, Results } from "./results.ts";

/** Returns the lines: the number of reached targets, and the ratios to the faster peer. */
export function summaries({ contests }: Results): string[] {
  const strings = Object.values(contests).filter(({ labels, targets }) =>
    `${labels["subject"]}`.startsWith("strings") && targets.length > 0
  );
  const kinds = Map.groupBy(strings, ({ labels }) => `${labels["subject"]}, ${labels["text"]}`);
  return [...kinds].map(([kind, contests]) => summary(kind, contests));
}

function summary(kind: string, contests: readonly ContestResult[]): string {
  const targets = contests.map(({ targets }) => targets[0]!);
  const ratios = targets.map(({ ratio }) => ratio);
  const reached = targets.filter(({ reached }) => reached).length;
  const numbers = [Math.min(...ratios), median(ratios), Math.max(...ratios)]
    .map((ratio) => ratio.toFixed(2));
  return `${kind}: ${reached} of ${targets.length} targets reached; ` +
    `least, median and greatest ratio ${numbers.join(", ")}`;
}
