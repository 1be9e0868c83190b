/** Runs kernels on a device of their own, from host columns to host columns. */

import { assertEquals } from "@std/assert";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import type { KernelIR, RowKernel } from "../../../gpu/kernel/ir/ir.ts";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";
import { createContext, type WebGpuContext } from "../../../gpu/webgpu/dispatch/webgpu_context.ts";
import type { LaneOptions, TileOptions } from "../../../gpu/webgpu/dispatch/strategy_options.ts";
import { requestWebGpuDevice } from "../../../gpu/webgpu/device/device.ts";
import type { WebGpuColumn } from "../../../gpu/webgpu/memory/device_column.ts";
import { downloadColumns } from "../../../gpu/webgpu/transfer/download.ts";
import { evaluateOnDevice } from "../../../gpu/webgpu/evaluate/evaluate.ts";
import { runKernels } from "../../../gpu/webgpu/evaluate/run_kernels.ts";
import { uploadColumn } from "../../../gpu/webgpu/transfer/upload.ts";
import { deviceTest } from "./adapter.ts";
import { anyDevice } from "./device_options.ts";
import { valuesOf } from "../values/host_columns.ts";

/** The size of a window, the bytes of a long row, the strategy for text, and whether rows get several lanes. */
export interface ContextOptions {
  readonly windowBytes?: number;
  readonly longRowBytes?: number;
  readonly tiles?: TileOptions;
  readonly lanes?: LaneOptions;
}

/** Registers a test with a device of its own, as `withDevice` opens it. */
export function contextTest(
  name: string,
  use: (context: WebGpuContext) => Promise<void>,
  options: ContextOptions = {},
): void {
  deviceTest(name, () => withDevice(use, options));
}

/** Calls `use` with a device, and checks that it gave every buffer back. */
export async function withDevice(
  use: (context: WebGpuContext) => Promise<void>,
  options: ContextOptions = {},
): Promise<void> {
  const device = await requestWebGpuDevice(anyDevice);
  if (device === null) throw new Error("There is no WebGPU adapter");
  const context = createContext(device, { budgetBytes: 2 ** 31, ...options });
  try {
    await use(context);
    assertEquals(context.pool.inUseBuffers, 0, "buffers still in use");
  } finally {
    context.pool.trim();
    await device.destroy();
  }
}

/** A column on the device, which has room for each of its rows. */
export async function uploaded(context: WebGpuContext, column: HostColumn): Promise<WebGpuColumn> {
  const onDevice = await uploadColumn(context, column, { label: "input" });
  if (onDevice === null) throw new Error("A row does not fit a window");
  return onDevice;
}

/** Uploads the columns, runs independent kernels over them and downloads the results. */
export async function computeOnDevice(
  context: WebGpuContext,
  kernels: readonly KernelIR[],
  inputs: readonly HostColumn[],
  numRows: number,
): Promise<HostColumn[]> {
  const columns: WebGpuColumn[] = [];
  for (const input of inputs) columns.push(await uploaded(context, input));
  const jobs = kernels.map((kernel) => ({
    kernel,
    inputs: kernel.columns.map((column) => columns[column]!),
  }));
  const results = await runKernels(context, jobs, numRows);
  if (results === null) throw new Error("A row of a result does not fit a window");
  try {
    return await downloadColumns(context, results);
  } finally {
    for (const column of [...columns, ...results]) column.release();
  }
}

/** Runs a program on the device, from host columns to host columns. */
export async function evaluateToHost(
  context: WebGpuContext,
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
): Promise<HostColumn[]> {
  const { columns: results } = await evaluateOnDevice(context, program, inputs, numRows);
  try {
    return await downloadColumns(context, results);
  } finally {
    results.forEach(releaseColumn);
  }
}

/** Runs kernels on a device of their own, and compares with plain functions of the row. */
export async function assertComputes(
  cases: readonly { kernel: RowKernel; expected: (row: number) => unknown }[],
  inputs: readonly HostColumn[],
): Promise<void> {
  const numRows = inputs[0]!.length;
  await withDevice(async (context) => {
    const kernels = cases.map(({ kernel }) => kernel);
    const results = await computeOnDevice(context, kernels, inputs, numRows);
    for (const [k, { kernel, expected }] of cases.entries()) {
      const values = Array.from({ length: numRows }, (_, row) => expected(row));
      assertEquals(valuesOf(results[k]!), values as ReturnType<typeof valuesOf>, kernel.label);
    }
  });
}
