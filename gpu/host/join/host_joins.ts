/**
 * The joins of the host backend.
 *
 * @module
 */

import { mostThreads } from "../../../base/threads/thread.ts";
import type { JoinTable, ResultLimits, ResultRows, TableRequest } from "../../backend.ts";
import type { HostColumn } from "../../column/column.ts";
import type { ThreadOptions } from "../threads/thread_options.ts";
import { HostJoinTable } from "./join_table.ts";
import { buildOnlyRowsOf, probeTable } from "./probe.ts";
import { JoinThreads, type StartJoinWorker } from "./join_threads.ts";

/** Options for the threads of joins. */
export interface HostJoinOptions extends Omit<ThreadOptions, "start"> {
  /** Starts a worker of joins; for tests. */
  readonly startJoins?: StartJoinWorker;
}

/** The joins of a backend, which loads this module for the first of them. */
export class HostJoins {
  readonly #threads: JoinThreads;

  constructor({ threads, numElsewhere, startJoins: start, always }: HostJoinOptions) {
    const options = { threads: mostThreads(threads), numElsewhere, start, always };
    this.#threads = new JoinThreads(options);
  }

  /** The number of batches and workers that failed. */
  get numFailed(): number {
    return this.#threads.numFailed;
  }

  /** Whether joins of the host built a table. */
  owns(table: JoinTable): table is HostJoinTable {
    return table instanceof HostJoinTable;
  }

  /** Builds a table. */
  build(request: TableRequest): JoinTable {
    this.#threads.expect(request.key.length);
    const table = new HostJoinTable(request, this.#threads);
    this.#threads.add(table);
    return table;
  }

  /** Yields the rows of columns joined with those of a table. */
  async *probe(
    table: HostJoinTable,
    key: HostColumn,
    columns: readonly HostColumn[],
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows> {
    const sent = this.#threads.probe(table, key, columns, limits);
    const probed = sent === undefined ? null : await sent;
    const results = probeTable(table, key, columns, limits, probed);
    for (;;) {
      const start = performance.now();
      const next = results.next();
      if (probed === null) this.#threads.noteAlone(performance.now() - start, key.length);
      if (next.done) return;
      yield next.value;
    }
  }

  /** Returns the unmatched build rows of a table, after all probes. */
  buildOnlyRows(table: HostJoinTable, limits: ResultLimits): Iterable<ResultRows> {
    return buildOnlyRowsOf(table, limits);
  }

  /** Ends the workers. */
  close(): void {
    this.#threads.close();
  }
}
