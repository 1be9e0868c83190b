/** Kernels on threads, with workers that do strange things. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { ThreadLife } from "../../../base/threads/life.ts";
import { threadStarter } from "../../../base/threads/thread.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../gpu/host/host_kernels.ts";
import type { StartWorker } from "../../../gpu/host/threads/worker_handle.ts";
import { HostThreads } from "../../../gpu/host/threads/host_threads.ts";
import { kernelProgram } from "../../../gpu/host/threads/kernel_program.ts";
import { layout } from "../../../gpu/host/threads/layout.ts";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";
import { stringColumn } from "../values/host_columns.ts";
import { compileProgram } from "../kernels/programs.ts";
import { until } from "../running/until.ts";

/** Runs a program with the threads of `threads`; without them, on this one as JavaScript. */
export function evaluateWith(
  threads: HostThreads | undefined,
  program: Program,
  columns: readonly HostColumn[],
  numRows: number,
): HostColumn[] {
  const options = threads === undefined ? { minWasmRows: Infinity } : { threads };
  return evaluateOnHost(program, columns, numRows, new HostKernels(options)).columns;
}

/** Threads that divide every batch, with their workers there. */
export async function openThreads(count: number, start?: StartWorker): Promise<HostThreads> {
  const threads = new HostThreads({
    threads: count,
    always: true,
    ...(start === undefined ? {} : { start }),
  });
  const { program } = compileProgram(["name.strip()"], { name: new Utf8() });
  const texts = stringColumn(Array.from({ length: 64 }, (_, row) => ` ${row} `));
  const work = () => evaluateWith(threads, program, [texts], texts.length);
  await until(() => threads.numWorkers >= count - 1, "the workers come", work);
  return threads;
}

/** Asserts that two columns have the same rows in the same bytes. */
export function assertSameColumn(actual: HostColumn, wanted: HostColumn, what: string): void {
  for (const key of ["type", "length", "nullCount", "validity", "offsets"] as const) {
    assertEquals(actual[key], wanted[key], `${what}: ${key}`);
  }
  assertEquals(actual.data, wanted.data, `${what}: data`);
}

/** Workers that run some code in front of their program. */
export function sabotaged(code: string): StartWorker {
  return threadStarter(`{${code}}\n${kernelProgram}`);
}

/** Code that a worker runs whenever it has taken a part; `numTaken` counts them. */
export function onTaken(code: string): string {
  return `
const { compareExchange } = Atomics;
let numTaken = 0;
const nap = (ms) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};
Atomics.compareExchange = (...parameters) => {
  const was = compareExchange.apply(Atomics, parameters);
  if (was === ${layout.offered}) {
    numTaken++;
    ${code}
  }
  return was;
};`;
}

/** A worker that reports that it has started, but does no work. */
export const startNobody: StartWorker = () => ({
  send({ memory }) {
    new ThreadLife(new Int32Array(memory.buffer, 0, 16), layout.life).start();
  },
  end() {},
});
