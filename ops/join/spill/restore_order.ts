/**
 * Brings the results of partitions into the order of the probe side: each is a sorted run, which goes
 * to a file, and all of them are merged.
 *
 * @module
 */

import type { HostColumn } from "../../../gpu/column/column.ts";
import { numberColumn, numbersOf } from "./host_rows.ts";
import { mergeRuns, type NumberedRows, type Run } from "./merge_runs.ts";
import { RowFile } from "./row_file.ts";
import type { JoinContext, JoinedRows, RunRows, SpilledJoin } from "./spilled_join.ts";

/** What has to be known of a join whose results are ordered. */
type OrderedJoin = Pick<SpilledJoin, "sizes" | "limits" | "checkSignal"> & {
  readonly context: Pick<JoinContext, "folder">;
};

/** All rows of the probe side in its order, then those that the build side gives in its own. */
export async function* restoreOrder(
  join: OrderedJoin,
  results: AsyncIterable<RunRows>,
): AsyncGenerator<JoinedRows, void, void> {
  const runs = { probe: new RunFiles(join), build: new RunFiles(join) };
  for await (const rows of results) {
    join.checkSignal();
    runs[rows.side].add(rows);
  }
  for (const side of ["probe", "build"] as const) {
    for await (const { columns, numRows } of runs[side].merged()) {
      join.checkSignal();
      yield { side, columns, numRows };
    }
  }
}

/** Sorted runs in files. */
class RunFiles {
  readonly #join: OrderedJoin;
  #files: RowFile[] = [];
  #run = -1;

  constructor(join: OrderedJoin) {
    this.#join = join;
  }

  /** Appends rows to their run. Runs come one after the other. */
  add({ run, columns, numRows, numbers }: RunRows): void {
    if (numRows === 0) return;
    if (run !== this.#run) {
      this.#files.at(-1)?.finish();
      this.#files.push(this.#newFile());
      this.#run = run;
    }
    // Rows that have numbers are on the host.
    const onHost = columns as readonly HostColumn[];
    this.#files.at(-1)!.add({ columns: [...onHost, numberColumn(numbers!)], numRows });
  }

  /** The rows of all runs, in order. */
  async *merged(): Run {
    this.#files.at(-1)?.finish();
    const { fanIn } = this.#join.sizes;
    // Neighbours are merged, so that rows with one number keep the order of their runs.
    while (this.#files.length > fanIn) {
      const files: RowFile[] = [];
      for (let first = 0; first < this.#files.length; first += fanIn) {
        files.push(await this.#mergedFile(this.#files.slice(first, first + fanIn)));
      }
      this.#files = files;
    }
    yield* mergeRuns(this.#files.map(runOf), this.#join.limits);
  }

  async #mergedFile(files: readonly RowFile[]): Promise<RowFile> {
    const merged = this.#newFile();
    for await (
      const { columns, numbers, numRows } of mergeRuns(files.map(runOf), this.#join.limits)
    ) {
      this.#join.checkSignal();
      merged.add({ columns: [...columns, numberColumn(numbers)], numRows });
    }
    merged.finish();
    return merged;
  }

  #newFile(): RowFile {
    const { context, sizes } = this.#join;
    return new RowFile(context.folder, sizes.piece);
  }
}

/** The rows of a file as a run; afterwards it is removed. */
async function* runOf(file: RowFile): Run {
  for await (const { columns, numRows } of file.rows()) {
    const rows: NumberedRows = {
      numbers: numbersOf(columns.at(-1)!),
      columns: columns.slice(0, -1),
      numRows,
    };
    yield rows;
  }
  file.remove();
}
