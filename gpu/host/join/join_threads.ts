/**
 * Threads that probe join tables.
 *
 * @module
 */

import { threadStarter } from "../../../base/threads/thread.ts";
import type { ResultLimits } from "../../backend.ts";
import type { HostColumn } from "../../column/column.ts";
import type { FromPartWorker, ToPartWorker } from "../parts/part_messages.ts";
import { type PartThreadOptions, PartThreads } from "../parts/part_threads.ts";
import type { StartPartWorker } from "../parts/part_worker.ts";
import { joinProgram } from "./join_program.ts";
import type { HostJoinTable, Probed } from "./join_table.ts";
import { answeredRows } from "./probe.ts";
import type { ProbeAnswer } from "./probe_answer.ts";
import type { ProbeBatch } from "./probe_batch.ts";
import type { TablePlaces } from "./table_places.ts";

/** The messages of these threads. */
export type ToJoinWorker = ToPartWorker<TablePlaces, ProbeBatch>;
export type FromJoinWorker = FromPartWorker<ProbeAnswer>;

/** Starts a thread that probes. */
export type StartJoinWorker = StartPartWorker<TablePlaces, ProbeBatch, ProbeAnswer>;

/** Options for the threads of joins. */
interface JoinThreadOptions
  extends Omit<PartThreadOptions<TablePlaces, ProbeBatch, ProbeAnswer>, "start"> {
  /** Starts a worker; for tests. */
  readonly start?: StartJoinWorker | undefined;
}

/** Probes batches on workers. */
export class JoinThreads extends PartThreads<HostJoinTable, TablePlaces, ProbeBatch, ProbeAnswer> {
  constructor({ start = threadStarter(joinProgram), ...options }: JoinThreadOptions) {
    super({ ...options, start });
  }

  /**
   * Sends a batch to a worker. The calling thread has to probe it if this is undefined, or if the
   * answer is null.
   */
  probe(
    table: HostJoinTable,
    key: HostColumn,
    columns: readonly HostColumn[],
    limits: ResultLimits,
  ): Promise<Probed | null> | undefined {
    let places: Probed["places"] = [];
    const sent = this.compute(table, [key, ...columns], () => {
      const chosen = table.batchOf(key, columns, answeredRows(table, columns, limits));
      places = chosen.places;
      return { state: table.places, batch: chosen.batch };
    });
    return sent?.then((answer) => answer && { answer, places });
  }
}
