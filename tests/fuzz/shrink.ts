/** Makes a case that fails smaller, as long as it fails in the same way. */

import {
  type AsOfStep,
  type CaseStep,
  type CaseTable,
  type FuzzCase,
  hasTable,
  type JoinStep,
  keyPairs,
  namePairs,
  numRowsOf,
} from "./fuzz_case.ts";
import { smallerExprs, smallerTexts } from "./smaller_expr.ts";
import { nameOfType } from "./case_types.ts";
import type { ZarrLayout } from "./zarr_layout.ts";
import { LARGE_MEMORY } from "./zarr_model.ts";

/** How a case fails; undefined where it does not. */
type KindOf = (given: FuzzCase) => Promise<string | undefined>;

/** Milliseconds that are spent on one case. */
const MOST_MS = 60_000;

/** The smallest case that was found to fail as the one given; `beat` is called while it goes on. */
export async function shrink(
  given: FuzzCase,
  kindOf: KindOf,
  beat: () => void = () => {},
): Promise<FuzzCase> {
  const kind = await kindOf(given);
  if (kind === undefined) return given;
  const end = performance.now() + MOST_MS;
  const fails = async (next: FuzzCase) => {
    beat();
    return await kindOf(next) === kind;
  };
  let best = given;
  // A smaller case may allow a change that failed before.
  for (let size = Infinity; sizeOf(best) < size;) {
    size = sizeOf(best);
    for (const smaller of [smallerVariants, smallerSteps, smallerInputs, smallerExpressions]) {
      best = await smallest(best, smaller, fails, end);
    }
  }
  return best;
}

function sizeOf(given: FuzzCase): number {
  return JSON.stringify(given, (_, value) => typeof value === "bigint" ? `${value}` : value).length;
}

async function smallest(
  given: FuzzCase,
  smaller: (given: FuzzCase) => Iterable<FuzzCase>,
  fails: (given: FuzzCase) => Promise<boolean>,
  end: number,
): Promise<FuzzCase> {
  let best = given;
  for (let isFound = true; isFound;) {
    isFound = false;
    for (const next of smaller(best)) {
      if (performance.now() > end) return best;
      if (!await fails(next)) continue;
      best = next;
      isFound = true;
      break;
    }
  }
  return best;
}

function* smallerVariants(given: FuzzCase): Generator<FuzzCase> {
  const { variants } = given;
  if (variants.length < 2) return;
  for (const variant of variants) yield { ...given, variants: [variant] };
  for (const index of variants.keys()) yield { ...given, variants: variants.toSpliced(index, 1) };
}

function* smallerSteps(given: FuzzCase): Generator<FuzzCase> {
  const { steps } = given;
  for (const index of [...steps.keys()].reverse()) {
    yield { ...given, steps: steps.toSpliced(index, 1) };
  }
  for (const [index, step] of steps.entries()) {
    for (const smaller of smallerStep(step)) {
      yield { ...given, steps: steps.with(index, smaller) };
    }
  }
}

function* smallerStep(step: CaseStep): Generator<CaseStep> {
  switch (step.do) {
    case "with":
      if (step.columns.length > 1) {
        for (const index of step.columns.keys()) {
          yield { ...step, columns: step.columns.toSpliced(index, 1) };
        }
      }
      return;
    case "select":
    case "drop":
      if (step.names.length > 1) {
        for (const index of step.names.keys()) {
          yield { ...step, names: step.names.toSpliced(index, 1) };
        }
      }
      return;
    case "slice":
      for (const name of ["start", "stop", "step"] as const) {
        const value = step[name];
        if (value === null) continue;
        yield { ...step, [name]: null };
        if (name === "step" && value < -1) yield { ...step, step: -1 };
        if (value > 1) yield { ...step, [name]: value - 1 };
        if (value < -1) yield { ...step, [name]: value + 1 };
      }
      return;
    case "at":
      if (step.row > 0) yield { ...step, row: step.row - 1 };
      if (step.row < -1) yield { ...step, row: step.row + 1 };
      return;
    case "take":
      yield* smallerTake(step);
      return;
    case "head":
    case "tail":
      if (step.count > 0) yield { ...step, count: step.count - 1 };
      return;
    case "join":
      yield* smallerJoin(step);
      return;
    case "joinAsOf":
      yield* smallerAsOf(step);
      return;
    case "joinWhere":
      yield* withoutOptions(step, ["how", "suffix"]);
      return;
    case "file":
      if (step.layout !== undefined) yield* smallerArray(step, step.layout);
      yield* withoutOptions(step, [
        ...[
          "batchRows",
          "parts",
          "compression",
          "isForeign",
          "isMended",
          "served",
          "writer",
          "style",
          "dialect",
        ] as const,
      ]);
      return;
    case "write":
      yield* withoutOptions(step, ["batchRows", "compression", "judge"]);
      return;
    case "rechunk":
      yield* withoutOptions(step, ["stages"]);
      if (step.maxMem < LARGE_MEMORY) yield { ...step, maxMem: LARGE_MEMORY };
      return;
    default:
      return;
  }
}

/** Arrays with fewer items, larger chunks, or without one of the options. */
function* smallerArray(
  step: CaseStep & { do: "file" },
  layout: ZarrLayout,
): Generator<CaseStep> {
  const { shape, chunk } = layout;
  const put = (smaller: Partial<ZarrLayout>) => ({ ...step, layout: { ...layout, ...smaller } });
  for (const [axis, length] of shape.entries()) {
    if (length > 1) yield put({ shape: shape.with(axis, length - 1) });
    if (layout.shard !== undefined) continue;
    if (chunk[axis]! < length) yield put({ chunk: chunk.with(axis, chunk[axis]! + 1) });
    if (shape.length > 1) {
      yield put({ shape: shape.toSpliced(axis, 1), chunk: chunk.toSpliced(axis, 1) });
    }
  }
  if (layout.codec !== "plain") yield put({ codec: "plain" });
  const options = [
    "shard",
    "isBig",
    "isTurned",
    "isChecked",
    "fill",
    "missing",
    "isNamed",
    "isRenamed",
  ] as const;
  for (const smaller of withoutOptions(layout, options)) yield { ...step, layout: smaller };
}

function* smallerTake(step: CaseStep & { do: "take" }): Generator<CaseStep> {
  const { rows } = step;
  yield* withoutOptions(step, ["as", "hold"]);
  for (let count = rows.length; count >= 1; count >>= 1) {
    for (let start = 0; start < rows.length; start += count) {
      yield { ...step, rows: rows.toSpliced(start, count) };
    }
  }
  for (const [index, part] of rows.entries()) {
    const put = (smaller: typeof part) => ({ ...step, rows: rows.with(index, smaller) });
    if (typeof part === "number") {
      if (part > 0) yield put(part - 1);
      if (part < -1) yield put(part + 1);
      continue;
    }
    for (const at of part.keys()) {
      if (part[at] !== null) yield put(part.with(at, null) as unknown as typeof part);
    }
  }
}

function* smallerJoin(step: JoinStep): Generator<JoinStep> {
  const pairs = keyPairs(step.on);
  if (pairs.length > 1) {
    for (const index of pairs.keys()) yield { ...step, on: pairs.toSpliced(index, 1) };
  }
  yield* withoutOptions(step, [
    ...["nullsEqual", "promote", "validate", "order", "suffix", "keepKeys"] as const,
  ]);
}

function* smallerAsOf(step: AsOfStep): Generator<AsOfStep> {
  const pairs = namePairs(step.by ?? []);
  for (const index of pairs.keys()) yield { ...step, by: pairs.toSpliced(index, 1) };
  yield* withoutOptions(step, ["by", "direction", "tolerance", "how", "suffix", "keepKeys"]);
}

/** The step without each of the options that it has. */
function* withoutOptions<S extends object>(step: S, names: readonly (keyof S)[]): Generator<S> {
  for (const name of names) {
    if (step[name] === undefined) continue;
    const { [name]: _, ...others } = step;
    yield others as S;
  }
}

function* smallerInputs(given: FuzzCase): Generator<FuzzCase> {
  for (const table of smallerTables(given.table)) yield { ...given, table };
  for (const [index, step] of given.steps.entries()) {
    if (!hasTable(step)) continue;
    for (const table of smallerTables(step.table)) {
      yield { ...given, steps: given.steps.with(index, { ...step, table }) };
    }
  }
}

function* smallerExpressions(given: FuzzCase): Generator<FuzzCase> {
  for (const [index, step] of given.steps.entries()) {
    const put = (smaller: CaseStep) => ({ ...given, steps: given.steps.with(index, smaller) });
    if (step.do === "filter") {
      for (const expr of smallerExprs(step.expr)) yield put({ ...step, expr });
    }
    if (step.do === "joinWhere") {
      for (const where of smallerExprs(step.where)) yield put({ ...step, where });
    }
    if (step.do !== "with") continue;
    for (const [at, [name, text]] of step.columns.entries()) {
      for (const smaller of smallerExprs(text)) {
        yield put({ ...step, columns: step.columns.with(at, [name, smaller]) });
      }
    }
  }
}

/** All tables of a case. */
export function tablesOf({ table, steps }: FuzzCase): readonly CaseTable[] {
  return [table, ...steps.filter(hasTable).map(({ table }) => table)];
}

/** Tables that are smaller than the one given, those first that leave the most out. */
function* smallerTables(table: CaseTable): Generator<CaseTable> {
  const { columns, batches } = table;
  const numRows = numRowsOf(table);
  for (let count = numRows; count >= 1; count >>= 1) {
    for (let start = 0; start < numRows; start += count) {
      yield withoutRows(table, start, Math.min(start + count, numRows));
    }
  }
  if (columns.length > 1) {
    for (const index of columns.keys()) yield { batches, columns: columns.toSpliced(index, 1) };
  }
  if (batches.length > 1) {
    const [one] = batches;
    if (numRows > 0) yield { columns, batches: [{ ...one!, rows: numRows }] };
    for (const [index, { rows }] of batches.entries()) {
      if (rows === 0) yield { columns, batches: batches.toSpliced(index, 1) };
    }
  }
  for (const [index, batch] of batches.entries()) {
    const { rows, seed, layouts = {} } = batch;
    const put = (smaller: typeof batch) => ({ columns, batches: batches.with(index, smaller) });
    if (seed !== 0) yield put({ ...batch, seed: 0 });
    if (Object.keys(layouts).length > 0) yield put({ rows, seed });
    for (const name of Object.keys(layouts)) {
      const others = Object.entries(layouts).filter(([other]) => other !== name);
      yield put({ rows, seed, layouts: Object.fromEntries(others) });
    }
    // Another surrounding may do with less.
    if (seed > 40) { for (let small = 1; small < 8; small++) yield put({ ...batch, seed: small }); }
  }
  yield* simplerValues(table);
}

function withoutRows({ columns, batches }: CaseTable, start: number, stop: number): CaseTable {
  let at = 0;
  return {
    columns: columns.map((column) => ({
      ...column,
      values: column.values.toSpliced(start, stop - start),
    })),
    batches: batches.map((batch) => {
      const removed = Math.max(0, Math.min(stop, at + batch.rows) - Math.max(start, at));
      at += batch.rows;
      return { ...batch, rows: batch.rows - removed };
    }),
  };
}

function* simplerValues({ columns, batches }: CaseTable): Generator<CaseTable> {
  for (const [index, column] of columns.entries()) {
    const { values } = column;
    const put = (row: number, value: unknown) => ({
      batches,
      columns: columns.with(index, { ...column, values: values.with(row, value) }),
    });
    // With many rows left each value is too much to try.
    if (values.length > 40) continue;
    for (const [row, value] of values.entries()) {
      if (typeof value === "string") {
        for (const text of smallerTexts(value)) yield put(row, text);
      } else if (Array.isArray(value) && nameOfType(column.type) === "list") {
        for (const at of value.keys()) yield put(row, value.toSpliced(at, 1));
      } else if (typeof value === "number" && Math.abs(value) > 3) yield put(row, 1);
      else if (typeof value === "bigint" && value > 3n) yield put(row, 1n);
    }
  }
}
