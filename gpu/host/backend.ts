/**
 * The host backend: the operations of `gpu/backend.ts` on typed arrays.
 *
 * @module
 */

import type {
  Backend,
  BackendCounters,
  Evaluated,
  JoinResult,
  JoinTable,
  KeyType,
} from "../backend.ts";
import type { JoinHow } from "../join_kind.ts";
import type { Column, HostColumn } from "../column/column.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { evaluateOnHost } from "./evaluate.ts";
import { HostKernelCache } from "./kernel_cache.ts";
import { filterColumns } from "../column/filter.ts";
import { HostJoinTable } from "./join/join_table.ts";
import { probeTable } from "./join/probe.ts";
import { HostThreads, type ThreadOptions } from "./threads/host_threads.ts";

/**
 * A backend that computes where the program runs, on some threads. They end by themselves when there
 * is nothing to do for a tenth of a second, and at once when it is closed.
 */
export function createHostBackend(options: ThreadOptions = {}): Backend {
  return new HostBackend(options);
}

class HostBackend implements Backend {
  readonly kind = "host";
  readonly description = "the host";
  /** Work is done when a call returns: a second batch in flight would only wait. */
  readonly depth = 1;
  readonly maxTextBytes = Infinity;
  readonly #threads: HostThreads;
  readonly #kernels: HostKernelCache;

  constructor(options: ThreadOptions) {
    keepFreedMemory();
    this.#threads = new HostThreads(options);
    this.#kernels = new HostKernelCache({ threads: this.#threads });
  }

  /** Columns never travel and memory has no pool: compilations count, and what threads failed at. */
  get counters(): Readonly<BackendCounters> {
    return {
      dispatches: 0,
      readbacks: 0,
      uploads: 0,
      uploadedBytes: 0,
      downloads: 0,
      downloadedBytes: 0,
      compilations: this.#kernels.compilations,
      failedParts: this.#threads.numFailed,
      liveBuffers: 0,
      liveBytes: 0,
    };
  }

  // Async functions without a wait: a failure is a rejection here as it is on a device.

  // deno-lint-ignore require-await
  async evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
  ): Promise<Evaluated> {
    return evaluateOnHost(program, inputs.map(onHost), numRows, this.#kernels);
  }

  // deno-lint-ignore require-await
  async filter(
    columns: readonly Column[],
    mask: Column,
  ): Promise<{ columns: Column[]; numRows: number }> {
    return filterColumns(columns.map(onHost), onHost(mask));
  }

  // deno-lint-ignore require-await
  async buildTable(
    key: HostColumn,
    keyType: KeyType,
    payload: readonly HostColumn[],
  ): Promise<JoinTable> {
    return new HostJoinTable(key, keyType, payload);
  }

  async *probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    _numRows: number,
    how: JoinHow,
    maxRows: number,
  ): AsyncGenerator<JoinResult> {
    if (!(table instanceof HostJoinTable)) {
      throw new TypeError("A join table belongs to another backend");
    }
    yield* probeTable(table, onHost(key), columns.map(onHost), how, maxRows);
  }

  // deno-lint-ignore require-await
  async download(columns: readonly Column[]): Promise<HostColumn[]> {
    return columns.map(onHost);
  }

  close(): void {
    this.#threads.close();
  }
}

/** A column that this backend can read. */
function onHost(column: Column): HostColumn {
  if (column.place !== "host") throw new TypeError("A column belongs to another backend");
  return column;
}

/** Just below the largest block that raises the limits of glibc, 32 MiB. */
const BLOCK_BYTES = 31 << 20;

let isKept = false;

/**
 * Lets the allocator keep memory that is freed, up to 62 MiB, for the results of the next batches.
 * Else it goes back to the system batch by batch, and each page of a new result costs a fault of a
 * microsecond or more: 40 % of the pages of a stream of slices were new ones.
 *
 * glibc hands freed memory back from 128 KiB on, until a larger block is freed: then its limits are
 * that size and twice that size (M_MMAP_THRESHOLD in mallopt(3)). So one is freed at once; nobody
 * writes to it, so that it never takes memory. Other allocators do not mind.
 */
function keepFreedMemory(): void {
  if (isKept) return;
  isKept = true;
  new ArrayBuffer(BLOCK_BYTES).transfer?.(0);
}
