/**
 * Computes groups within the memory of the operator.
 *
 *     rows -> groups in memory ----------------------------------------> groups that came first
 *               | beyond the memory: rows of new groups
 *               v
 *             files by the hash of the key -> each file alike -> runs -> the others, merged by their first rows
 *
 * All groups in memory began before those in files, so that they come first. The values of one group are
 * in memory as far as an aggregate keeps them: `list`, `median`, `quantile`, `mode`, `countDistinct`.
 *
 * @module
 */

import { inspectColumn } from "../../gpu/column/utf8.ts";
import { isText } from "../batch/arrow_types.ts";
import { errorOfRow } from "../engine/stage.ts";
import type { Batch, StageContext } from "../engine/operator_kit.ts";
import { batchOfRows, hostRowsOf } from "../spill/batch_rows.ts";
import { divideRows, partitionsOf } from "../spill/divide.ts";
import { gatherRows, type HostRows } from "../spill/host_rows.ts";
import type { NumberedRows, Run } from "../spill/merge_runs.ts";
import type { RowFile } from "../spill/row_file.ts";
import { numbersOf, withNumbers } from "../spill/row_numbers.ts";
import { RunFiles } from "../spill/run_files.ts";
import { FAN_OUT } from "../spill/sizes.ts";
import type { Spill } from "../spill/spill.ts";
import { withSpill } from "../spill/with_spill.ts";
import { Groups, placesRead } from "./groups.ts";
import type { GroupPlan } from "./plan_groups.ts";

/** The limits of a batch of the result. */
const LIMITS = { rows: 65_536, bytes: 16 << 20 };

/** Yields the groups of the input, in the order of their first rows. */
export function runGroups(
  input: AsyncIterable<Batch>,
  context: StageContext,
  plan: GroupPlan,
): AsyncGenerator<Batch, void, void> {
  return withSpill(context, LIMITS, (spill) => {
    const rows = hostRowsOf(input, placesRead(plan), context.backend);
    return batchesOf(groupsOf(withNumbers(rows), { plan, spill }, 0), plan);
  }, "groups");
}

async function* batchesOf(rows: Run, { groups }: GroupPlan): AsyncGenerator<Batch, void, void> {
  for await (const part of rows) yield batchOfRows(groups, part);
}

interface GroupRun {
  readonly plan: GroupPlan;
  readonly spill: Spill;
}

/** Yields the groups of rows whose last column is their numbers. Rows that are divided again need another seed. */
async function* groupsOf(
  input: AsyncIterable<HostRows>,
  run: GroupRun,
  seed: number,
): AsyncGenerator<NumberedRows, void, void> {
  const { plan, spill } = run;
  let groups: Groups | undefined = new Groups(plan);
  // Without keys there is one group, which is in memory.
  const most = plan.keys.length === 0 ? Infinity : spill.memory / 2;
  let files: RowFile[] | undefined;
  for await (const numbered of input) {
    spill.checkSignal();
    const { numRows } = numbered;
    const numbers = numbersOf(numbered.columns.at(-1)!);
    const rows = { columns: numbered.columns.slice(0, -1), numRows };
    // Rows in files were checked before.
    if (seed === 0) checkText(rows, plan, numbers);
    if (files !== undefined) {
      addToFiles(files, gatherRows(numbered, groups.addKnown(rows)), groups, seed);
      continue;
    }
    if (numRows > 0) groups.add(rows, numbers);
    if (groups.numBytes > most) files = Array.from({ length: FAN_OUT }, () => spill.newFile());
  }
  yield* groups.results(LIMITS.rows);
  // Frees them before the files are read.
  groups = undefined;
  if (files === undefined) return;
  const runs = new RunFiles(spill);
  for (const file of files) {
    file.finish();
    const place = spill.nextRun();
    for await (const part of groupsOf(file.rows(), run, seed + 1)) {
      runs.add(place, part.numbers, part);
    }
    file.remove();
  }
  yield* runs.merged();
}

function checkText({ columns }: HostRows, plan: GroupPlan, numbers: Float64Array): void {
  const { fields } = plan.rows.schema;
  try {
    for (const [index, place] of placesRead(plan).entries()) {
      if (isText(fields[place]!.type)) inspectColumn(columns[index]!);
    }
  } catch (error) {
    throw errorOfRow(error, numbers[0]!);
  }
}

function addToFiles(
  files: readonly RowFile[],
  rows: HostRows,
  groups: Groups,
  seed: number,
): void {
  if (rows.numRows === 0) return;
  const places = partitionsOf(groups.keyOf(rows), seed, files.length, "with their hash");
  for (const { place, rows: taken } of divideRows(rows, places, files.length)) {
    files[place]!.take(taken);
  }
}
