/** The model of `regroup`: the same rows, in batches of the sizes that it promises. */

import type { CaseStep } from "./fuzz_case.ts";
import { keyText } from "./join_model.ts";
import type { ModelTable } from "./model_table.ts";

type RegroupStep = CaseStep & { do: "regroup" };

/** The sizes of a step do not add up to the rows. */
export class ModelSizesError extends Error {}

/** The rows of a table, with the sizes of batches where they do not depend on bytes. */
export function modelRegroup(table: ModelTable, step: RegroupStep): ModelTable {
  const { columns, numRows } = table;
  // A stream without rows is one batch without rows, so that there is a schema.
  if (step.sizes !== undefined) {
    const { sizes } = step;
    if (sizes.reduce((sum, size) => sum + size, 0) !== numRows) throw new ModelSizesError();
    return { columns, numRows, sizes };
  }
  if (step.bytes !== undefined) return { columns, numRows };
  if (step.by !== undefined) {
    if (table.isUnordered) return { columns, numRows };
    return { columns, numRows, sizes: numRows === 0 ? [0] : runSizes(table, step.by, step.rows) };
  }
  const rows = step.one ? Math.max(1, numRows) : step.rows!;
  const sizes = Array.from(
    { length: Math.max(1, Math.ceil(numRows / rows)) },
    (_, group) => Math.min(rows, numRows - group * rows),
  );
  return { columns, numRows, sizes };
}

/** The sizes of batches that end at the first change from `rows` rows on. */
function runSizes({ columns, numRows }: ModelTable, by: readonly string[], rows = 1): number[] {
  const keys = by.map((name) => columns.find((column) => column.name === name)!.values);
  const texts = Array.from(
    { length: numRows },
    (_, row) => keyText(keys.map((values) => values[row]), { nullsEqual: true }),
  );
  const sizes: number[] = [0];
  for (const [row, text] of texts.entries()) {
    if (sizes.at(-1)! >= rows && text !== texts[row - 1]) sizes.push(0);
    sizes[sizes.length - 1]!++;
  }
  return sizes;
}
