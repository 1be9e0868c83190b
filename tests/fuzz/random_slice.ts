/** Random steps that take rows by position: any bounds, and such as cut text where kernels change their way. */

import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { CaseRows, CaseStep } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { isPick, needsHold, pickedRows, type PickStep } from "./pick_model.ts";
import { kindOf } from "./random_expr.ts";

const STEPS = [null, 1, 2, 3, 7, -1, -1, -2, -3, -7];

/** Steps that leave some rows of a table: a slice forwards or backwards, one row, a list. */
export function sliceRows(random: SeededRandom, table: ModelTable): CaseStep[] {
  if (random.chance(0.4)) {
    const bounds = boundsOf(random, table.columns);
    if (bounds !== undefined) return cutAt(random, bounds, table.numRows);
  }
  return [pickStep(random, table.numRows)];
}

/** Steps that take rows one after the other, each of those that the one before it leaves. */
export function sliceSlices(random: SeededRandom, table: ModelTable): CaseStep[] {
  const steps: PickStep[] = [];
  let { numRows } = table;
  for (let left = 2 + random.below(3); left > 0; left--) {
    const step = pickStep(random, numRows);
    steps.push(step);
    numRows = pickedRows(step, numRows).length;
  }
  return steps;
}

/** A row that does not exist, alone or in a list. */
export function missingRow(random: SeededRandom, { numRows }: ModelTable): CaseStep {
  const row = random.chance(0.5) ? numRows + random.below(3) : -numRows - 1 - random.below(3);
  if (random.chance(0.5)) return { do: "at", row };
  const others = Array.from({ length: random.below(3) }, () => partOf(random, numRows));
  return withHold({ do: "take", rows: others.toSpliced(random.below(3), 0, row) });
}

/** Steps that slices move past, so that the source reads no other rows. */
const LET_THROUGH: readonly CaseStep["do"][] = ["with", "select", "drop", "rename"];

/** The steps, mostly without leave to hold rows where nothing has to be held: in sources that seek. */
export function withLessHold(random: SeededRandom, steps: readonly CaseStep[]): CaseStep[] {
  let leads = true;
  return steps.map((step) => {
    if (step.do === "file") leads = isSeekable(step);
    else leads &&= isPick(step) || LET_THROUGH.includes(step.do);
    if (!leads || !("hold" in step) || random.chance(0.3)) return step;
    const { hold: _, ...others } = step;
    return others;
  });
}

/** Whether a file can be read from its end. */
function isSeekable({ format, served }: CaseStep & { do: "file" }): boolean {
  // On a server each header of a stream would be a request.
  return ["arrow", "parquet", "zarr"].includes(format) ||
    (format === "arrows" && served === undefined);
}

function pickStep(random: SeededRandom, numRows: number): PickStep {
  const kind = random.below(8);
  if (kind === 0) {
    return { do: random.pick(["head", "tail"] as const), count: random.below(numRows + 3) };
  }
  if (kind === 1 && numRows > 0) return { do: "at", row: rowOf(random, numRows) };
  if (kind < 5) {
    const [start, stop, step] = rangeOf(random, numRows);
    return withHold({ do: "slice", start, stop, step });
  }
  const rows = partsOf(random, numRows);
  const isPlain = rows.every((part) => typeof part === "number");
  const as = isPlain && random.chance(0.3)
    ? "int32"
    : rows.length > 0 && random.chance(0.3)
    ? "text"
    : undefined;
  return withHold({ do: "take", rows, ...(as === undefined ? {} : { as }) });
}

/** Parts of a list: any, the same ones again, neighbours, all that there are. */
function partsOf(random: SeededRandom, numRows: number): CaseRows[] {
  const count = random.pick([0, 1, 1, 2, 3, 5, 9]);
  const parts = Array.from({ length: count }, () => partOf(random, numRows));
  const single = parts.filter((part) => typeof part === "number");
  switch (random.below(6)) {
    case 0:
      return [...single].sort((a, b) => a - b);
    case 1:
      return single.length === 0 ? parts : parts.concat(Array(3).fill(single[0]));
    case 2:
      return Array.from({ length: Math.min(numRows, 70) }, (_, row) => row);
    default:
      return parts;
  }
}

function partOf(random: SeededRandom, numRows: number): CaseRows {
  return numRows > 0 && random.chance(0.7) ? rowOf(random, numRows) : rangeOf(random, numRows);
}

/** A row that exists, counted from either end. */
function rowOf(random: SeededRandom, numRows: number): number {
  return random.below(2 * numRows) - numRows;
}

function rangeOf(random: SeededRandom, numRows: number): CaseRows & object {
  const bound = () => {
    if (random.chance(0.25)) return null;
    return random.chance(0.1)
      ? random.pick([1000, -1000])
      : random.below(2 * numRows + 3) - numRows;
  };
  const step = random.pick(STEPS);
  const [a, b] = [bound(), bound()];
  if (a === null || b === null || random.chance(0.2)) return [a, b, step];
  // Mostly such that there is something between them.
  const isUpwards = (a < 0 ? a + numRows : a) <= (b < 0 ? b + numRows : b);
  return isUpwards === (step ?? 1) > 0 ? [a, b, step] : [b, a, step];
}

/** A step that may be run in any place. */
function withHold<Pick extends PickStep>(step: Pick): Pick {
  return needsHold(step) ? { ...step, hold: true } : step;
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
