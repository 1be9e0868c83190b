/** Where a case runs: each variant has to give the same rows. */

import { threadStarter } from "../../base/threads/thread.ts";
import type { Backend, ResultLimits, ResultRows } from "../../gpu/backend.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { evaluateOnHost } from "../../gpu/host/evaluate.ts";
import type { FromJoinWorker, ToJoinWorker } from "../../gpu/host/join/join_threads.ts";
import { joinProgram } from "../../gpu/host/join/join_program.ts";
import { HostKernels } from "../../gpu/host/host_kernels.ts";
import { HostThreads } from "../../gpu/host/threads/host_threads.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import type { Program } from "../../gpu/kernel/tree/tree.ts";
import { columnOf } from "../support/values/host_columns.ts";
import { tableRequest } from "../support/joins/table_request.ts";
import { createEngine, type Engine, type EngineOptions } from "../../mod.ts";

interface Variant extends EngineOptions {
  /**
   * How kernels run on the host whatever the number of rows; by default as their number says. With
   * threads joins probe on them, too.
   */
  readonly kernels?: "wasm" | "threads";
  /** The most that a result of a join has, where that is less than usual. */
  readonly limits?: ResultLimits;
}

const one = { device: "cpu", threads: 1 } as const;
const gpu = { device: "gpu", threads: 1 } as const;

/** By name. */
export const VARIANTS = {
  host: { ...one },
  "host, unfused": { ...one, fuse: false },
  "host, WebAssembly": { ...one, kernels: "wasm" },
  "host, WebAssembly, unfused": { ...one, kernels: "wasm", fuse: false },
  "host, 2 threads": { device: "cpu", threads: 2, kernels: "threads" },
  "host, threshold 1": { ...one, threshold: 1 },
  "host, threshold 64, unfused": { ...one, threshold: 64, fuse: false },
  "host, WebAssembly, threshold 64": { ...one, threshold: 64, kernels: "wasm" },
  // Only a column with 64 bytes of text or more in a batch may be refused.
  "host, 64 bytes at most": { ...one, threshold: 64, largeStrings: false },
  // Joins give their rows in many pieces.
  "host, pieces of 7 rows": { ...one, limits: { rows: 7, bytes: Infinity } },
  "host, pieces of 300 bytes": { ...one, limits: { rows: Infinity, bytes: 300 } },
  // Nearly every build side exceeds memory.
  "host, 1000 bytes of memory": { ...one, memory: 1000 },
  gpu: { ...gpu },
  "gpu, unfused": { ...gpu, fuse: false },
  "gpu, pieces of 7 rows": { ...gpu, limits: { rows: 7, bytes: Infinity } },
  "gpu, pieces of 300 bytes": { ...gpu, limits: { rows: Infinity, bytes: 300 } },
  "gpu, 1000 bytes of memory": { ...gpu, memory: 1000 },
  "gpu, threshold 1": { ...gpu, threshold: 1 },
  "gpu, threshold 64, unfused": { ...gpu, threshold: 64, fuse: false },
  // Every kernel, filter and join is compared, whatever comes out of the pipeline.
  check: { device: "check", threads: 1 },
  "check, unfused": { device: "check", threads: 1, fuse: false },
} as const satisfies Readonly<Record<string, Variant>>;

/** The name of a variant that we compute. */
type OwnVariantName = keyof typeof VARIANTS;
/** The name of a variant. DuckDB says what it can of a case, and nothing of the others. */
export type VariantName = OwnVariantName | "DuckDB";

/** All of them. */
export const VARIANT_NAMES: readonly VariantName[] = [
  ...Object.keys(VARIANTS) as OwnVariantName[],
  "DuckDB",
];

/** Whether a variant needs an adapter. */
export function needsAdapter(name: VariantName): boolean {
  return name !== "DuckDB" && VARIANTS[name].device !== "cpu";
}

/** Engines by variant, each made when it is first asked for. */
export class Engines {
  readonly #engines = new Map<OwnVariantName, Promise<Engine>>();
  readonly #threads: HostThreads[] = [];
  readonly #joins: Backend[] = [];
  /** Batches that workers probed. */
  numProbed = 0;

  /** Parts of batches that workers computed. */
  get numParts(): number {
    return this.#threads.reduce((sum, { numTheirs }) => sum + numTheirs, 0);
  }

  /** The engine of a variant. */
  get(name: OwnVariantName): Promise<Engine> {
    const engine = this.#engines.get(name) ?? this.#make(VARIANTS[name]);
    this.#engines.set(name, engine);
    return engine;
  }

  /** Frees what they hold. */
  async close(): Promise<void> {
    for (const threads of [...this.#threads, ...this.#joins]) threads.close();
    for (const engine of this.#engines.values()) await (await engine).close();
    this.#engines.clear();
  }

  async #make({ kernels, limits, ...options }: Variant): Promise<Engine> {
    const engine = createEngine(options);
    if (limits !== undefined) limitResults(await engine.backend(), limits);
    if (kernels === undefined) return engine;
    const cache = new HostKernels({
      minWasmRows: 1,
      ...(kernels === "threads" ? { threads: this.#startThreads() } : {}),
    });
    const backend = await engine.backend();
    // deno-lint-ignore require-await -- a failure is a rejection
    const evaluate = async (program: Program, inputs: readonly unknown[], numRows: number) =>
      evaluateOnHost(program, inputs as HostColumn[], numRows, cache);
    Object.assign(backend, { evaluate });
    if (kernels === "threads") await this.#joinOnThreads(backend);
    return engine;
  }

  /** Makes the joins of a backend send every batch to a worker. */
  async #joinOnThreads(backend: Backend): Promise<void> {
    const start = threadStarter<ToJoinWorker, FromJoinWorker>(joinProgram);
    const other = createHostBackend({
      threads: 2,
      always: true,
      startJoins: ({ onMessage, onLost }) =>
        start({
          onMessage: (message) => {
            if (message.answer !== null) this.numProbed++;
            onMessage(message);
          },
          onLost,
        }),
    });
    this.#joins.push(other);
    // Workers end with the last table, and many joins are over before one has started.
    await other.buildTable(
      tableRequest(columnOf({ kind: "int", bits: 32, signed: true }, [1]), {
        kind: "int",
        bits: 32,
      }, []),
    );
    Object.assign(backend, {
      buildTable: other.buildTable.bind(other),
      probe: other.probe.bind(other),
      buildOnlyRows: other.buildOnlyRows.bind(other),
    });
  }

  #startThreads(): HostThreads {
    const threads = new HostThreads({ threads: 2, always: true });
    this.#threads.push(threads);
    return threads;
  }
}

/** Makes the joins of a backend give results of at most so much, and checks that they do. */
function limitResults(backend: Backend, limits: ResultLimits): void {
  const { probe, buildOnlyRows } = backend;
  async function* checked(results: AsyncIterable<ResultRows>) {
    for await (const result of results) {
      const { numRows, columns } = result;
      if (columns.length > 0 && numRows > limits.rows) {
        throw new Error(`A result of ${numRows} rows where ${limits.rows} are the most`);
      }
      yield result;
    }
  }
  Object.assign(backend, {
    probe: (...[table, key, columns, numRows]: Parameters<Backend["probe"]>) =>
      checked(probe.call(backend, table, key, columns, numRows, limits)),
    buildOnlyRows: (...[table]: Parameters<Backend["buildOnlyRows"]>) =>
      checked(buildOnlyRows.call(backend, table, limits)),
  });
}
