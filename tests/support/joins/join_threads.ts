/** Joins on threads, with workers that do strange things. */

import type { ResultLimits, ResultRows, TableRequest } from "../../../gpu/backend.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { HostJoinTable } from "../../../gpu/host/join/join_table.ts";
import { buildOnlyRowsOf, probeTable } from "../../../gpu/host/join/probe.ts";
import { JoinThreads } from "../../../gpu/host/join/join_threads.ts";
import { threadStarter } from "../../../base/threads/thread.ts";
import { NUM_TURNS, SKIPPED_AT } from "../../../gpu/host/parts/part_messages.ts";
import { joinProgram } from "../../../gpu/host/join/join_program.ts";
import type { StartJoinWorker } from "../../../gpu/host/join/join_threads.ts";
import { columnOfPlain } from "../models/column_model.ts";
import { atMost, tableRequest } from "./table_request.ts";
import { until } from "../running/until.ts";

/** A probe batch. */
export interface ProbeBatch {
  readonly key: HostColumn;
  readonly columns: readonly HostColumn[];
}

/** All results of a join, those of each batch and then the last rows. */
export async function joinOn(
  threads: JoinThreads | undefined,
  request: TableRequest,
  batches: readonly ProbeBatch[],
  limits: ResultLimits,
): Promise<ResultRows[]> {
  const table = new HostJoinTable(request, threads);
  threads?.add(table);
  const sent = batches.map(({ key, columns }) => threads?.probe(table, key, columns, limits));
  const results: ResultRows[] = [];
  for (const [index, { key, columns }] of batches.entries()) {
    const answer = await sent[index] ?? null;
    results.push(...probeTable(table, key, columns, limits, answer));
  }
  results.push(...buildOnlyRowsOf(table, limits));
  table.release();
  return results;
}

/** Threads that get every batch they have room for, with a worker there; a table keeps it there. */
export async function openJoinThreads(
  start?: StartJoinWorker,
  isThere = (threads: JoinThreads) => threads.numWorkers > 0,
): Promise<JoinThreads & Disposable> {
  const threads = new JoinThreads({ threads: 2, always: true, start });
  const key = columnOfPlain({ kind: "int", bits: 32, signed: true }, [1n]);
  const table = new HostJoinTable(tableRequest(key, { kind: "int", bits: 32 }, []), threads);
  threads.add(table);
  const work = () => threads.probe(table, key, [], atMost(10));
  await until(() => isThere(threads), "the worker comes", work);
  return Object.assign(threads, { [Symbol.dispose]: () => threads.close() });
}

/** Workers that run some code in front of their program. */
export function sabotagedJoins(code: string): StartJoinWorker {
  return threadStarter(`{${code}}\n${joinProgram}`);
}

/** Code that a worker runs for each part, before it is done; `numParts` counts them. */
export function onPart(code: string): string {
  return `
let numParts = 0;
const nap = (ms) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};
const load = Atomics.load;
Atomics.load = (array, index) => {
  if (index >= ${SKIPPED_AT} && index < ${SKIPPED_AT + NUM_TURNS}) {
    numParts++;
    ${code}
  }
  return load(array, index);
};`;
}
