/**
 * Runs a program over one batch on the device.
 *
 * Kernels run in rounds: each round takes all kernels whose inputs exist by then, so that their
 * work is submitted together and waits once. The host runs the kernels that the device cannot run:
 * floating-point sums, too many columns, lists of lists, a row larger than a window.
 *
 * @module
 */

import {
  type Column,
  type ColumnType,
  isTextList,
  nullColumn,
  retainColumn,
} from "../../column/column.ts";
import { sliceColumn } from "../../column/slice.ts";
import { inspectColumn, inspectItems } from "../../column/utf8.ts";
import type { ResultRows } from "../../backend.ts";
import { columnsWithLongRows } from "../../kernel/emit/wgsl/emit.ts";
import { wgslRefusal } from "../../kernel/emit/wgsl/refusal.ts";
import type { KernelIR, Variant } from "../../kernel/ir/ir.ts";
import { lowerKernel } from "../../kernel/lower/lower.ts";
import { columnsOf, programFor, textInputs } from "../../kernel/partition/program_for.ts";
import type { Kernel, Program } from "../../kernel/tree/tree.ts";
import { readsItems } from "../../kernel/tree/tree_facts.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { asWebGpuColumn, downloadColumns } from "../transfer/download.ts";
import { hasLongRow } from "../dispatch/loop_limit.ts";
import { inspectInputs } from "./inspect_inputs.ts";
import { type KernelJob, runKernels } from "./run_kernels.ts";
import { Scope } from "../memory/scope.ts";
import { toDevice } from "../transfer/to_device.ts";

/**
 * Computes the outputs of a program; inputs are borrowed. Uploads only the columns that a kernel
 * reads. If an uploaded input is also an output, its device column is returned. Rejects with a
 * `Utf8Error` for text that is not UTF-8. If a kernel on the host has no room for all rows, the
 * outputs have only the first rows.
 */
export async function evaluateOnDevice(
  context: WebGpuContext,
  program: Program,
  inputs: readonly Column[],
  numRows: number,
): Promise<ResultRows> {
  const evaluated = await tryRows(context, program, inputs, numRows);
  if (typeof evaluated !== "number") return { columns: evaluated, numRows };
  // The rows that fit become a batch of their own, for which the host has room.
  const columns = await downloadColumns(context, inputs);
  const first = columns.map((column) => sliceColumn(column, 0, evaluated));
  return await evaluateOnDevice(context, program, first, evaluated);
}

/**
 * Computes the outputs of all rows, or returns the number of rows for which a kernel on the host
 * has room.
 */
async function tryRows(
  context: WebGpuContext,
  program: Program,
  inputs: readonly Column[],
  numRows: number,
): Promise<Column[] | number> {
  using scope = new Scope();
  const uploaded = await inspectInputs(context, scope, program, inputs);
  return await new Evaluation(context, program, inputs, numRows, { scope, uploaded }).run();
}

/** A kernel of the program by its number, with its job on the device. */
interface DeviceKernel {
  readonly number: number;
  readonly job: KernelJob;
}

/** The columns that were uploaded before a program runs. */
interface Uploads {
  /** Owns uploads and results until the outputs are retained. */
  readonly scope: Scope;
  /** By the index of their inputs. */
  readonly uploaded: ReadonlyMap<number, WebGpuColumn>;
}

class Evaluation {
  readonly #context: WebGpuContext;
  readonly #program: Program;
  readonly #numRows: number;
  /** The types of the inputs and of the result of every kernel. */
  readonly #types: readonly ColumnType[];
  /** The columns by number; undefined for kernels that did not run yet. */
  readonly #columns: (Column | undefined)[];
  /** Columns on the device; null for those that cannot be there. */
  readonly #onDevice = new Map<number, WebGpuColumn | null>();
  /** The columns whose text kernels read. */
  readonly #texts: ReadonlySet<number>;
  readonly #uploads: Uploads;

  constructor(
    context: WebGpuContext,
    program: Program,
    inputs: readonly Column[],
    numRows: number,
    uploads: Uploads,
  ) {
    this.#context = context;
    this.#uploads = uploads;
    this.#program = programFor(program, (index) => isAscii(inputs[index]));
    this.#numRows = numRows;
    this.#types = [...program.inputs, ...this.#program.kernels.map(({ type }) => type)];
    this.#columns = [...inputs];
    this.#texts = new Set(textInputs({ ...this.#program, inputs: this.#types }));
  }

  async run(): Promise<Column[] | number> {
    let pending = this.#program.kernels.map((_, number) => number);
    while (pending.length > 0) {
      // The first pending kernel is always ready: it reads only results of earlier ones.
      const ready = pending.filter((number) => this.#isReady(number));
      pending = pending.filter((number) => !ready.includes(number));
      const rowsThatFit = await this.#round(ready);
      if (rowsThatFit < this.#numRows) return rowsThatFit;
    }
    return this.#program.outputs.map((number) =>
      retainColumn(this.#onDevice.get(number) ?? this.#columns[number]!)
    );
  }

  #isReady(number: number): boolean {
    const { tree } = this.#program.kernels[number]!;
    return columnsOf(tree).every((column) => this.#columns[column] !== undefined);
  }

  /** Runs some kernels; returns the number of rows for which all of them have room. */
  async #round(numbers: readonly number[]): Promise<number> {
    const device: DeviceKernel[] = [];
    const host: number[] = [];
    for (const number of numbers) {
      const job = await this.#deviceJob(this.#program.kernels[number]!);
      if (job === null) host.push(number);
      else device.push({ number, job });
    }
    if (device.length > 0 && !await this.#runOnDevice(device)) {
      host.push(...device.map(({ number }) => number));
    }
    return host.length > 0 ? await this.#runOnHost(host) : this.#numRows;
  }

  /** Returns a kernel with its columns on the device; null if it has to run on the host. */
  async #deviceJob(kernel: Kernel): Promise<KernelJob | null> {
    if (kernel.hostOnly !== undefined) return null;
    const columns = new Map<number, WebGpuColumn>();
    for (const number of columnsOf(kernel.tree)) {
      const column = await this.#place(number, kernel.label);
      if (column === null) return null;
      columns.set(number, column);
    }
    const variant: Variant = {
      ascii: [...columns.values()].every((column) => isAsciiFor(kernel, column)),
      nullable: this.#types.map((_, number) => columns.get(number)?.hasValidity ?? false),
    };
    const lowered = lowerOnce(kernel, this.#types, variant);
    if (this.#takesTooLong(lowered, columns)) return null;
    const { maxStorageBuffersPerShaderStage } = this.#context.device.gpu.limits;
    if (
      lowered.kernel === "row" && wgslRefusal(lowered, maxStorageBuffersPerShaderStage) !== null
    ) {
      return null;
    }
    return { kernel: lowered, inputs: lowered.columns.map((number) => columns.get(number)!) };
  }

  /** Whether some row is too long for the loops of a kernel that no workgroup shares. */
  #takesTooLong(kernel: KernelIR, columns: ReadonlyMap<number, WebGpuColumn>): boolean {
    const isLong = [...columns.values()].some(({ host }) =>
      host !== null && hasLongRow(this.#context, host)
    );
    return isLong && kernel.kernel === "row" && columnsWithLongRows(kernel).length === 0;
  }

  async #place(number: number, label: string): Promise<WebGpuColumn | null> {
    const known = this.#onDevice.get(number);
    if (known !== undefined) return known;
    const column = this.#columns[number]!;
    const isText = column.place === "host" && this.#texts.has(number);
    const facts = isText ? inspectColumn(column) : undefined;
    const { scope, uploaded } = this.#uploads;
    const placed = uploaded.get(number) ??
      await toDevice(this.#context, scope, column, label, { loopsCount: true });
    if (facts !== undefined) placed?.noteText(facts);
    this.#onDevice.set(number, placed);
    return placed;
  }

  /** Runs kernels; returns whether the results of all rows fit the windows of the device. */
  async #runOnDevice(kernels: readonly DeviceKernel[]): Promise<boolean> {
    const results = await runKernels(this.#context, kernels.map(({ job }) => job), this.#numRows);
    if (results === null) return false;
    for (const [k, { number }] of kernels.entries()) {
      this.#columns[this.#program.inputs.length + number] = this.#uploads.scope.own(results[k]!);
    }
    return true;
  }

  async #runOnHost(numbers: readonly number[]): Promise<number> {
    const kernels = numbers.map((number) => this.#program.kernels[number]!);
    const reads = [...new Set(kernels.flatMap(({ tree }) => columnsOf(tree)))];
    const columns = await downloadColumns(
      this.#context,
      reads.map((number) => this.#onDevice.get(number) ?? this.#columns[number]!),
    );
    // Kernels keep their column numbers; the columns that they do not read are empty.
    const inputs = this.#types.map((type, number) =>
      columns[reads.indexOf(number)] ?? nullColumn(type, 0)
    );
    const outputs = kernels.map((_, k) => this.#types.length + k);
    const program = { inputs: this.#types, kernels, outputs };
    const results = await this.#context.host.evaluate(program, inputs, this.#numRows);
    for (const [k, number] of numbers.entries()) {
      this.#columns[this.#program.inputs.length + number] = results.columns[k];
    }
    return results.numRows;
  }
}

/** Whether the text that a kernel reads in a column on the device is ASCII. */
function isAsciiFor({ tree }: Kernel, column: WebGpuColumn): boolean {
  if (column.type.kind === "string") return column.ascii;
  if (!isTextList(column.type) || !readsItems(tree)) return true;
  return column.host === null ? column.ascii : inspectItems(column.host).ascii;
}

/** Whether the text of a column is known to be ASCII. */
function isAscii(column: Column | undefined): boolean {
  if (column === undefined) return false;
  return column.place === "host" ? inspectColumn(column).ascii : asWebGpuColumn(column).ascii;
}

const loweredKernels = new WeakMap<Kernel, Map<string, KernelIR>>();

/** Lowers a kernel once for each variant, however many batches it runs over. */
function lowerOnce(kernel: Kernel, types: readonly ColumnType[], variant: Variant): KernelIR {
  let variants = loweredKernels.get(kernel);
  if (variants === undefined) loweredKernels.set(kernel, variants = new Map());
  const key = JSON.stringify(variant);
  let lowered = variants.get(key);
  if (lowered === undefined) variants.set(key, lowered = lowerKernel(kernel, types, variant));
  return lowered;
}
