/**
 * The WebGPU backend: the operations of `gpu/backend.ts` on a device.
 *
 * The host computes what the device cannot hold, with the same result: structs and lists of lists,
 * a row larger than one binding, and a join where the rows of one key, or the key numbers of all
 * rows, exceed one.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type {
  Backend,
  BackendCounters,
  BoxesRequest,
  DeviceProbe,
  JoinTable,
  ResultLimits,
  ResultRows,
  TableRequest,
} from "../backend.ts";
import { type Column, type HostColumn, nullColumn } from "../column/column.ts";
import { gatherColumn } from "../column/gather.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { type AdapterDescription, describeGpuAdapter } from "./device/adapter.ts";
import { copyBoxesOnDevice } from "./boxes/box_columns.ts";
import { createContext, type WebGpuContext } from "./dispatch/webgpu_context.ts";
import { type DeviceOptions, requestWebGpuDevice } from "./device/device.ts";
import { requestAdapter } from "./device/open_gpu.ts";
import { asWebGpuColumn, downloadColumns } from "./transfer/download.ts";
import { evaluateOnDevice } from "./evaluate/evaluate.ts";
import { filterOnDevice } from "./gather/filter.ts";
import { gatherSelected } from "./join/gather_selected.ts";
import { memoryBudget } from "./memory/card_memory.ts";
import { lastRowsOnDevice } from "./join/last_rows.ts";
import { buildTableOnDevice, WebGpuJoinTable } from "./join/join_table.ts";
import { maxTextBytes } from "./dispatch/loop_limit.ts";
import { probeOnce } from "./trial/probe.ts";
import { probeOnDevice } from "./join/probe.ts";
import { selfTest } from "./trial/self_test.ts";

export { canBeQuiet } from "./device/quiet_drivers.ts";

/** Options of the backend. */
export interface WebGpuOptions extends DeviceOptions {
  /**
   * The bytes of device memory that may be in use before operations wait for each other. Default:
   * the result of `memoryBudget`.
   */
  readonly memoryBytes?: number;
  /** The bytes of a window of rows, at most one binding; smaller ones are for tests. */
  readonly windowBytes?: number;
}

/**
 * Creates a WebGPU backend; null if there is no adapter, or only a software one and `software`
 * is false. Rejects with a `DeviceError` if the adapter cannot be opened, or fails its
 * self-test.
 */
export async function createWebGpuBackend(options: WebGpuOptions): Promise<WebGpuBackend | null> {
  const device = await requestWebGpuDevice(options);
  if (device === null) return null;
  let budgetBytes: number;
  try {
    budgetBytes = options.memoryBytes ?? await memoryBudget(device);
    await selfTest(device);
  } catch (error) {
    await device.destroy();
    throw error;
  }
  const { windowBytes } = options;
  const limits = windowBytes === undefined ? { budgetBytes } : { budgetBytes, windowBytes };
  // The other half is for the batches that probe the tables.
  return new WebGpuBackend(createContext(device, limits), budgetBytes / 2);
}

/** Describes the adapter that a backend would use; null if there is none. Never throws. */
export async function adapterInUse(): Promise<AdapterDescription | null> {
  const adapter = await requestAdapter();
  return adapter === null ? null : describeGpuAdapter(adapter);
}

/** Computes on a WebGPU device. */
export class WebGpuBackend implements Backend {
  readonly kind = "webgpu";
  /** A wait covers all work submitted before, so as many batches as memory allows share it. */
  readonly depth = Infinity;
  /** Each result costs dispatches and a wait; the bytes have a limit of their own. */
  readonly resultRows = 1 << 20;
  readonly context: WebGpuContext;
  readonly maxTableBytes: number;
  /** The batch that a column belongs to; older batches come first where memory is short. */
  readonly #batches = new WeakMap<Column, number>();
  #numBatches = 0;

  constructor(context: WebGpuContext, maxTableBytes = Infinity) {
    this.context = context;
    this.maxTableBytes = maxTableBytes;
  }

  get description(): string {
    const { name, software } = this.context.device.adapter;
    return software ? `${name}, a software adapter` : name;
  }

  /**
   * Software never pays. llvmpipe copies boxes between its own columns at 0.06 to 0.16 GB/s for
   * whole words, in runs of 4 to 7,680 bytes, and at 0.01 for runs of single bytes; with an upload
   * and a download at 0.04 to 0.10 and at 0.01. WebAssembly did the same at 0.4 to 14 GB/s and at
   * 0.9 (`deno task bench boxes`, SLUICE_BENCH_SOFTWARE=1, two busy cores of a virtual machine). On
   * a card, a copy that stays there saves a download; its speed has not been measured yet.
   */
  get copiesBoxes(): boolean {
    return !this.context.device.adapter.software;
  }

  get maxTextBytes(): number {
    return maxTextBytes(this.context);
  }

  get counters(): Readonly<BackendCounters> {
    return this.context.device.counters;
  }

  /** Returns the speed of the device, which is measured once in a process for each adapter. */
  probeSpeed(): Promise<DeviceProbe> {
    return probeOnce(this.context.device);
  }

  evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
    signal?: AbortSignal,
  ): Promise<ResultRows> {
    const batch = this.#batchOf(inputs);
    return this.#run(batch, async (given) => {
      const context = signal === undefined ? given : { ...given, signal };
      const evaluated = await evaluateOnDevice(context, program, inputs, numRows);
      this.#mark(evaluated.columns, batch);
      return evaluated;
    });
  }

  filter(columns: readonly Column[], mask: Column, numRows: number): Promise<ResultRows> {
    const batch = this.#batchOf([mask, ...columns]);
    return this.#run(batch, async (context) => {
      const filtered = await filterOnDevice(context, columns, mask, numRows);
      this.#mark(filtered.columns, batch);
      return filtered;
    });
  }

  buildTable(request: TableRequest): Promise<JoinTable> {
    return this.#run(this.#batchOf([]), async (context) => {
      const table = await buildTableOnDevice(context, request);
      return table ?? await context.host.buildTable(request);
    });
  }

  async *probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    numRows: number,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows> {
    if (!(table instanceof WebGpuJoinTable)) {
      const [hostKey, ...hostColumns] = await this.download([key, ...columns]);
      yield* this.context.host.probe(table, hostKey!, hostColumns, numRows, limits);
      return;
    }
    const batch = this.#batchOf([key, ...columns]);
    const request = { key, columns, numRows, limits };
    yield* this.#results(batch, probeOnDevice(this.#contextOf(batch), table, request));
  }

  async *buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncGenerator<ResultRows> {
    if (!(table instanceof WebGpuJoinTable)) {
      yield* this.context.host.buildOnlyRows(table, limits);
      return;
    }
    const batch = this.#batchOf([]);
    yield* this.#results(batch, lastRowsOnDevice(this.#contextOf(batch), table, limits));
  }

  async gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]> {
    const batch = this.#batchOf(columns);
    return await this.#run(batch, async (context) => {
      // A column without rows can only contribute nulls.
      const isGathered = ({ place, length }: Column) =>
        place === "device" && length > 0 && selection.length > 0;
      const onDevice = columns.filter(isGathered).map(asWebGpuColumn);
      const gathered = await gatherSelected(context, onDevice, selection);
      this.#mark(gathered, batch);
      const next = gathered.values();
      return columns.map((column) => {
        if (isGathered(column)) return next.next().value!;
        if (column.place === "host") return gatherColumn(column, selection);
        return nullColumn(column.type, selection.length);
      });
    });
  }

  copyBoxes(request: BoxesRequest): Promise<Column> {
    const { sources } = request;
    const columns = sources.map(({ column }) => column);
    const batch = this.#batchOf(columns);
    return this.#run(batch, async (context) => {
      const made = await copyBoxesOnDevice(context, request);
      if (made === null) {
        const onHost = await downloadColumns(context, columns);
        const moved = onHost.map((column, k) => ({ ...sources[k]!, column }));
        return await context.host.copyBoxes({ ...request, sources: moved });
      }
      this.#mark([made], batch);
      return made;
    });
  }

  download(columns: readonly Column[]): Promise<HostColumn[]> {
    return this.#run(this.#batchOf(columns), (context) => downloadColumns(context, columns));
  }

  async close(): Promise<void> {
    this.context.pool.trim();
    await this.context.device.destroy();
    await this.context.host.close();
  }

  /**
   * Yields results of an operation. Between two of them no operation runs: the consumer has its
   * turn.
   */
  async *#results(
    batch: number,
    results: AsyncGenerator<ResultRows>,
  ): AsyncGenerator<ResultRows> {
    try {
      for (;;) {
        const next = await this.#run(batch, () => results.next());
        if (next.done === true) return;
        this.#mark(next.value.columns, batch);
        yield next.value;
      }
    } finally {
      await results.return(undefined);
    }
  }

  /** Returns the oldest batch of the columns; a new one if all come from the host. */
  #batchOf(columns: readonly Column[]): number {
    const batches = columns.map((column) => this.#batches.get(column) ?? Infinity);
    const oldest = Math.min(...batches);
    return oldest === Infinity ? ++this.#numBatches : oldest;
  }

  #mark(columns: readonly Column[], batch: number): void {
    for (const column of columns) {
      if (column.place === "device" && !this.#batches.has(column)) this.#batches.set(column, batch);
    }
  }

  #contextOf(batch: number): WebGpuContext {
    return { ...this.context, pool: this.context.pool.forBatch(batch) };
  }

  async #run<T>(batch: number, operation: (context: WebGpuContext) => Promise<T>): Promise<T> {
    const context = this.#contextOf(batch);
    try {
      return await context.pool.operation(() => operation(context));
    } catch (error) {
      // A call into a lost device may fail in any way; the loss is the real reason.
      const { failure } = this.context.device;
      throw failure !== null && !isSluiceError(error, "DeviceError") ? failure : error;
    }
  }
}
