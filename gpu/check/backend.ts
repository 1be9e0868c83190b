/**
 * A backend that computes everything twice, on the host and on a device, and compares value by
 * value. It returns the results of the host. A difference is a DifferenceError that names the first
 * row that differs and the kernel that computed it.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type {
  Backend,
  BackendCounters,
  BoxesRequest,
  JoinTable,
  ResultLimits,
  ResultRows,
  TableRequest,
} from "../backend.ts";
import { type Column, type HostColumn, nullColumn, releaseColumn } from "../column/column.ts";
import { selectTrue } from "../column/filter.ts";
import { sliceColumn } from "../column/slice.ts";
import { inspectColumn } from "../column/utf8.ts";
import { type Difference, DifferenceError } from "../../base/errors/device_error.ts";
import { columnsOf, programFor } from "../kernel/partition/program_for.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { checkedProbe, rowNumbers } from "./probe.ts";
import { compareOutcomes, compareRows, type Outcome, type Rows } from "./compare_rows.ts";
import { firstDifference } from "./first_difference.ts";

/** A table on both backends. That of the host has one more build-only column: the row numbers. */
class CheckTable implements JoinTable {
  readonly host: JoinTable;
  readonly device: JoinTable;
  readonly request: TableRequest;

  constructor(host: JoinTable, device: JoinTable, request: TableRequest) {
    this.host = host;
    this.device = device;
    this.request = request;
  }

  release(): void {
    this.host.release();
    this.device.release();
  }
}

/** The arguments of a call of `evaluate`. */
interface EvaluateCall {
  readonly program: Program;
  readonly inputs: readonly HostColumn[];
  readonly numRows: number;
  readonly signal: AbortSignal | undefined;
}

/** Computes on both backends, and owns them; `device` may be any backend. */
export class CheckBackend implements Backend {
  readonly kind = "check";
  readonly #host: Backend;
  readonly #device: Backend;

  constructor(host: Backend, device: Backend) {
    this.#host = host;
    this.#device = device;
  }

  get description(): string {
    return `${this.#host.description} and ${this.#device.description}`;
  }

  get depth(): number {
    return this.#device.depth;
  }

  get resultRows(): number {
    return this.#host.resultRows;
  }

  /** True, so that both backends copy boxes. */
  get copiesBoxes(): boolean {
    return true;
  }

  get maxTextBytes(): number {
    return this.#device.maxTextBytes;
  }

  get maxTableBytes(): number {
    return this.#device.maxTableBytes ?? Infinity;
  }

  /** The counters of the device, combined with those that concern the host. */
  get counters(): Readonly<BackendCounters> {
    const { compilations, failedParts } = this.#host.counters;
    const device = this.#device.counters;
    return { ...device, compilations: device.compilations + compilations, failedParts };
  }

  async evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
    signal?: AbortSignal,
  ): Promise<ResultRows> {
    const columns = await this.#host.download(inputs);
    const all: EvaluateCall = { program, inputs: columns, numRows, signal };
    const expected = await this.#onHost(all);
    const call = "error" in expected ? all : firstRowsOf(all, expected.numRows);
    const actual = await this.#onDevice(call);
    // Each backend decides how many rows fit; the caller requests the others later.
    const [host, device] = inAsManyRows(expected, actual);
    const difference = compareOutcomes(host, device, "the kernels together give");
    if (difference !== undefined) {
      const isWrong = (output: number) =>
        "columns" in host && "columns" in device &&
        firstDifference(host.columns[output]!, device.columns[output]!) >= 0;
      throw new DifferenceError(await this.#firstKernel(call, isWrong) ?? difference);
    }
    if ("error" in host) throw host.error;
    return { columns: [...host.columns], numRows: host.numRows };
  }

  async filter(
    columns: readonly Column[],
    mask: Column,
    numRows: number,
  ): Promise<ResultRows> {
    const expected = await this.#host.filter(columns, mask, numRows);
    const kept = await this.#device.filter(columns, mask, numRows);
    const actual = { ...kept, columns: await this.#toHost(kept.columns) };
    const difference = compareRows(expected as Rows, actual, "the filter gives");
    if (difference !== undefined) {
      const row = selectTrue(mask as HostColumn)[difference.row ?? -1];
      throw new DifferenceError({ ...difference, row });
    }
    return expected;
  }

  async buildTable(request: TableRequest): Promise<JoinTable> {
    const buildOnlyPayload = [...request.buildOnlyPayload, rowNumbers(request.key.length)];
    const host = await this.#host.buildTable({ ...request, buildOnlyPayload });
    const device = await this.#device.buildTable(request);
    return new CheckTable(host, device, request);
  }

  async *probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    numRows: number,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows> {
    const { host, device, request } = ownTable(table);
    yield* checkedProbe({
      countsOnly: columns.length + request.payload.length === 0,
      originsAt: columns.length,
      host: (isCounted) => {
        const probed = isCounted ? columns : [...columns, rowNumbers(numRows)];
        return this.#host.probe(host, key, probed, numRows, limits);
      },
      device: this.#device.probe(device, key, columns, numRows, limits),
      toHost: (columns) => this.#toHost(columns),
    });
  }

  async *buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncGenerator<ResultRows> {
    const { host, device, request } = ownTable(table);
    yield* checkedProbe({
      countsOnly: false,
      originsAt: request.payload.length + request.buildOnlyPayload.length,
      host: () => this.#host.buildOnlyRows(host, limits),
      device: this.#device.buildOnlyRows(device, limits),
      toHost: (columns) => this.#toHost(columns),
    });
  }

  gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]> {
    return this.#host.gather(columns, selection);
  }

  async copyBoxes(request: BoxesRequest): Promise<Column> {
    const { numRows } = request;
    const [expected] = await this.#host.download([await this.#host.copyBoxes(request)]);
    const actual = await this.#toHost([await this.#device.copyBoxes(request)]);
    const rows = { columns: [expected!], numRows };
    const difference = compareRows(rows, { columns: actual, numRows }, "the copy of boxes gives");
    if (difference !== undefined) throw new DifferenceError(difference);
    return expected!;
  }

  /** Columns are on the host already: those of the device were downloaded to be compared. */
  download(columns: readonly Column[]): Promise<HostColumn[]> {
    return this.#host.download(columns);
  }

  async close(): Promise<void> {
    await this.#host.close();
    await this.#device.close();
  }

  async #toHost(columns: readonly Column[]): Promise<HostColumn[]> {
    try {
      return await this.#device.download(columns);
    } finally {
      columns.forEach(releaseColumn);
    }
  }

  async #onHost({ program, inputs, numRows, signal }: EvaluateCall): Promise<Outcome> {
    try {
      return await this.#host.evaluate(program, inputs, numRows, signal) as Rows;
    } catch (error) {
      return { error };
    }
  }

  async #onDevice({ program, inputs, numRows, signal }: EvaluateCall): Promise<Outcome> {
    try {
      const evaluated = await this.#device.evaluate(program, inputs, numRows, signal);
      return { ...evaluated, columns: await this.#toHost(evaluated.columns) };
    } catch (error) {
      // A lost device or an aborted call says nothing about the result.
      if (isSluiceError(error, "DeviceError") || signal?.aborted === true) throw error;
      return { error };
    }
  }

  /**
   * Returns the difference of the first kernel that differs when it runs alone, over the host's
   * results of the kernels before it.
   */
  async #firstKernel(
    call: EvaluateCall,
    isWrong: (output: number) => boolean,
  ): Promise<Difference | undefined> {
    const program = programFor(call.program, (index) => inspectColumn(call.inputs[index]!).ascii);
    const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
    const columns = [...call.inputs];
    for (const kernel of program.kernels) {
      const alone: EvaluateCall = {
        ...call,
        program: { inputs: types, kernels: [kernel], outputs: [types.length] },
        inputs: types.map((type, index) => columns[index] ?? nullColumn(type, 0)),
      };
      const expected = await this.#onHost(alone);
      const actual = await this.#onDevice(alone);
      const difference = compareOutcomes(expected, actual, `kernel ${kernel.label} gives`);
      if (difference !== undefined) {
        const outputs = outputsOf(program, columns.length);
        return { ...difference, column: outputs.find(isWrong) ?? outputs[0] };
      }
      if ("error" in expected || expected.numRows < call.numRows) return undefined;
      columns.push(expected.columns[0]!);
    }
    return undefined;
  }
}

/** Returns the same call for only the first rows. */
function firstRowsOf(call: EvaluateCall, numRows: number): EvaluateCall {
  return numRows === call.numRows ? call : {
    ...call,
    inputs: call.inputs.map((column) => sliceColumn(column, 0, Math.min(numRows, column.length))),
    numRows,
  };
}

/** Cuts two outcomes to the rows that both have. */
function inAsManyRows(host: Outcome, device: Outcome): [host: Outcome, device: Outcome] {
  if ("error" in host || "error" in device) return [host, device];
  const numRows = Math.min(host.numRows, device.numRows);
  const cut = (rows: Rows): Rows =>
    rows.numRows === numRows
      ? rows
      : { columns: rows.columns.map((column) => sliceColumn(column, 0, numRows)), numRows };
  return [cut(host), cut(device)];
}

/** Returns the outputs of a program that depend on a column. */
function outputsOf({ inputs, kernels, outputs }: Program, column: number): number[] {
  const made = new Set([column]);
  kernels.forEach(({ tree }, index) => {
    if (columnsOf(tree).some((read) => made.has(read))) made.add(inputs.length + index);
  });
  return outputs.flatMap((number, output) => made.has(number) ? [output] : []);
}

function ownTable(table: JoinTable): CheckTable {
  if (table instanceof CheckTable) return table;
  throw new TypeError("A join table belongs to another backend");
}
