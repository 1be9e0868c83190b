/** Random slices: any bounds, and such as cut text where kernels change their way. */

import type { SeededRandom } from "../support/seeded_random.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { kindOf } from "./random_expr.ts";

/** Steps that leave some rows of a table. */
export function sliceRows(random: SeededRandom, { columns, numRows }: ModelTable): CaseStep[] {
  if (random.chance(0.5)) {
    const bounds = boundsOf(random, columns);
    if (bounds !== undefined) return cutAt(random, bounds, numRows);
  }
  const bound = () => {
    if (random.chance(0.25)) return null;
    return random.chance(0.1)
      ? random.pick([1000, -1000])
      : random.below(2 * numRows + 3) - numRows;
  };
  switch (random.below(4)) {
    case 0:
      return [{ do: random.pick(["head", "tail"] as const), count: random.below(numRows + 3) }];
    case 1: {
      // One row, as `at` takes it.
      const at = random.below(2 * numRows + 2) - numRows - 1;
      return [{ do: "slice", start: at, stop: at === -1 ? null : at + 1, step: null }];
    }
    default:
      return [{
        do: "slice",
        start: bound(),
        stop: bound(),
        step: random.pick([null, 1, 2, 3, 7]),
      }];
  }
}

/** A run of ASCII rows of a column of text that begins right behind a character of more bytes. */
function boundsOf(
  random: SeededRandom,
  columns: ModelTable["columns"],
): readonly [start: number, stop: number] | undefined {
  const texts = columns.filter(({ type }) => kindOf(type) === "text");
  if (texts.length === 0) return undefined;
  const { values } = random.pick(texts);
  const isOther = (value: unknown) => /[^\0-\x7f]/u.test(String(value ?? ""));
  const starts = values.flatMap((value, row) =>
    row > 0 && isOther([...String(values[row - 1] ?? "")].at(-1)) && !isOther(value) ? [row] : []
  );
  if (starts.length === 0) return undefined;
  const start = random.pick(starts);
  const length = values.slice(start).findIndex(isOther);
  return [start, length < 0 ? values.length : start + length];
}

/** Steps that leave rows from one bound on, to the other or further. */
function cutAt(
  random: SeededRandom,
  [start, stop]: readonly [number, number],
  numRows: number,
): CaseStep[] {
  const last = random.chance(0.7) ? stop : null;
  return random.chance(0.3)
    ? [{ do: "tail", count: numRows - start }, { do: "head", count: (last ?? numRows) - start }]
    : [{ do: "slice", start, stop: last, step: null }];
}
