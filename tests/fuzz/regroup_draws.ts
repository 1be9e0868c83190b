/** Random steps that regroup. */

import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";

/** A step that fits the rows of a table. */
export function regroupRows(random: SeededRandom, { columns, numRows }: ModelTable): CaseStep[] {
  const names = columns.map(({ name }) => name);
  const by = [random.pick(names), ...(random.chance(0.3) ? [random.pick(names)] : [])];
  const runs = columns.length === 0 ? [] : [{ by }, { by, rows: 7 }, { by, bytes: 300 }];
  const sizes = numRows === 0 ? [] : [{ sizes: sizesOf(random, numRows) }];
  const forms = [
    ...[{ rows: 1 }, { rows: 7 }, { rows: 64 }, { rows: 8, bytes: 300 }, { bytes: 900 }],
    ...[...runs, ...sizes, { one: true } as const],
  ];
  return [{ do: "regroup", ...random.pick<(typeof forms)[number]>(forms) }];
}

/** A step whose sizes are too few or too many. */
export function wrongSizes(random: SeededRandom, { numRows }: ModelTable): CaseStep {
  const other = random.chance(0.5) ? numRows + 1 + random.below(3) : random.below(numRows);
  return { do: "regroup", sizes: sizesOf(random, other || numRows + 1) };
}

/** Numbers of at least 1 that add up to a number of rows. */
function sizesOf(random: SeededRandom, numRows: number): number[] {
  const sizes: number[] = [];
  for (let left = numRows; left > 0; left -= sizes.at(-1)!) sizes.push(1 + random.below(left));
  return sizes;
}
