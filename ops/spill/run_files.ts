/**
 * Sorted runs of rows, each in a file, and their merge.
 *
 * @module
 */

import type { HostRows } from "./host_rows.ts";
import { numberColumn, numbersOf } from "./row_numbers.ts";
import { mergeRuns, type Run } from "./merge_runs.ts";
import type { RowFile } from "./row_file.ts";
import type { Spill } from "./spill.ts";

/** Sorted runs in files. */
export class RunFiles {
  readonly #spill: Spill;
  #files: RowFile[] = [];
  #run = -1;

  constructor(spill: Spill) {
    this.#spill = spill;
  }

  /** Appends rows with ascending numbers to a run. All rows of a run must come before those of the next. */
  add(run: number, numbers: Float64Array, { columns, numRows }: HostRows): void {
    if (numRows === 0) return;
    if (run !== this.#run) {
      this.#files.at(-1)?.finish();
      this.#files.push(this.#spill.newFile());
      this.#run = run;
    }
    this.#files.at(-1)!.add({ columns: [...columns, numberColumn(numbers)], numRows });
  }

  /** Yields the rows of all runs, sorted by number; rows with one number come in the order of their runs. */
  async *merged(): Run {
    this.#files.at(-1)?.finish();
    const { sizes: { fanIn }, limits } = this.#spill;
    // Neighbours are merged, so that rows with one number keep the order of their runs.
    while (this.#files.length > fanIn) {
      const files: RowFile[] = [];
      for (let first = 0; first < this.#files.length; first += fanIn) {
        files.push(await this.#mergedFile(this.#files.slice(first, first + fanIn)));
      }
      this.#files = files;
    }
    yield* mergeRuns(this.#files.map(runOf), limits);
  }

  async #mergedFile(files: readonly RowFile[]): Promise<RowFile> {
    const merged = this.#spill.newFile();
    const runs = mergeRuns(files.map(runOf), this.#spill.limits);
    for await (const { columns, numbers, numRows } of runs) {
      this.#spill.checkSignal();
      merged.add({ columns: [...columns, numberColumn(numbers)], numRows });
    }
    merged.finish();
    return merged;
  }
}

/** Yields the rows of a file as a run, and removes the file at the end. */
async function* runOf(file: RowFile): Run {
  for await (const { columns, numRows } of file.rows()) {
    yield { numbers: numbersOf(columns.at(-1)!), columns: columns.slice(0, -1), numRows };
  }
  file.remove();
}
