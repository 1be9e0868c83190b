/**
 * The host backend: the operations of `gpu/backend.ts` on typed arrays.
 *
 * @module
 */

import {
  type Backend,
  type BackendCounters,
  type BoxesRequest,
  type JoinTable,
  type ResultLimits,
  type ResultRows,
  type TableRequest,
  zeroCounters,
} from "../backend.ts";
import { copyBoxesOnHost } from "../column/boxes/box_columns.ts";
import type { Column, HostColumn } from "../column/column.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { filterColumns } from "../column/filter.ts";
import { gatherColumns } from "../column/gather.ts";
import type { HostJoinOptions, HostJoins } from "./join/host_joins.ts";
import type { HostJoinTable } from "./join/join_table.ts";
import type { HostPrograms } from "./host_programs.ts";
import type { ThreadOptions } from "./threads/thread_options.ts";

/** Options for the threads of kernels and of joins. */
interface HostOptions extends ThreadOptions, HostJoinOptions {}

/**
 * Creates a backend that computes on the host, on several threads. Threads of kernels end after a
 * tenth of a second without work, those of joins after half a second, and all of them when the
 * backend is closed.
 */
export function createHostBackend(options: HostOptions = {}): Backend {
  return new HostBackend(options);
}

class HostBackend implements Backend {
  readonly kind = "host";
  readonly description = "the host";
  /** A call returns when its work is done, so a second batch in flight would only wait. */
  readonly depth = 1;
  readonly maxTextBytes = Infinity;
  readonly copiesBoxes = false;
  /** Larger batches leave the caches of the processor. */
  readonly resultRows = 65_536;
  /** A table has a single WebAssembly memory, which also has some of the payload. */
  readonly maxTableBytes = 2 ** 31;
  readonly #options: HostOptions;
  /** Undefined before the first expression, or before the first join. */
  #programs: HostPrograms | undefined;
  #joins: HostJoins | undefined;
  #isClosed = false;

  constructor(options: HostOptions) {
    keepFreedMemory();
    this.#options = options;
  }

  /** Counts only compilations and failed parts: columns never travel, and memory has no pool. */
  get counters(): Readonly<BackendCounters> {
    return {
      ...zeroCounters(),
      compilations: this.#programs?.compilations ?? 0,
      failedParts: (this.#programs?.numFailed ?? 0) + (this.#joins?.numFailed ?? 0),
    };
  }

  async evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
  ): Promise<ResultRows> {
    if (this.#programs === undefined) {
      const { HostPrograms } = await import("./host_programs.ts");
      this.#programs ??= new HostPrograms(this.#options);
      if (this.#isClosed) this.#programs.close();
    }
    return this.#programs.evaluate(program, inputs.map(onHost), numRows);
  }

  // These functions are async, though they do not wait, so that they reject where a device would.

  // deno-lint-ignore require-await
  async filter(
    columns: readonly Column[],
    mask: Column,
  ): Promise<ResultRows> {
    return filterColumns(columns.map(onHost), onHost(mask));
  }

  async buildTable(request: TableRequest): Promise<JoinTable> {
    if (this.#joins === undefined) {
      const { HostJoins } = await import("./join/host_joins.ts");
      this.#joins ??= new HostJoins(this.#options);
      if (this.#isClosed) this.#joins.close();
    }
    return this.#joins.build(request);
  }

  async *probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    _numRows: number,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows> {
    const [joins, own] = this.#joinsOf(table);
    yield* joins.probe(own, onHost(key), columns.map(onHost), limits);
  }

  async *buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncGenerator<ResultRows> {
    const [joins, own] = this.#joinsOf(table);
    yield* joins.buildOnlyRows(own, limits);
  }

  // deno-lint-ignore require-await
  async gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]> {
    return gatherColumns(columns.map(onHost), selection);
  }

  // deno-lint-ignore require-await
  async copyBoxes(request: BoxesRequest): Promise<Column> {
    return copyBoxesOnHost(request);
  }

  // deno-lint-ignore require-await
  async download(columns: readonly Column[]): Promise<HostColumn[]> {
    return columns.map(onHost);
  }

  close(): void {
    this.#isClosed = true;
    this.#programs?.close();
    this.#joins?.close();
  }

  /** Returns the joins and the table, if these joins built it. */
  #joinsOf(table: JoinTable): [HostJoins, HostJoinTable] {
    if (this.#joins?.owns(table)) return [this.#joins, table];
    throw new TypeError("A join table belongs to another backend");
  }
}

/** Returns the column if this backend can read it. */
function onHost(column: Column): HostColumn {
  if (column.place !== "host") throw new TypeError("A column belongs to another backend");
  return column;
}

/** The bytes of a block just below the largest one that raises the limits of glibc, 32 MiB. */
const BLOCK_BYTES = 31 << 20;

let isKept = false;

/**
 * Lets the allocator keep up to 62 MiB of freed memory for the results of the next batches.
 * Otherwise the memory returns to the system after each batch, and each page of a new result costs
 * a page fault of a microsecond or more: in a stream of slices, 40 % of the pages were new.
 *
 * glibc returns freed blocks of 128 KiB and more to the system, until a larger block is freed: then
 * its limits become that size and twice that size (M_MMAP_THRESHOLD in mallopt(3)). So this
 * allocates such a block and frees it; the block is never written and takes no memory. Other
 * allocators are not affected.
 */
function keepFreedMemory(): void {
  if (isKept) return;
  isKept = true;
  new ArrayBuffer(BLOCK_BYTES).transfer?.(0);
}
