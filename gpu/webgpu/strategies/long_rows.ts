/**
 * The strategy for long rows. If a kernel searches, each row with more than `longRowBytes` bytes of
 * text gets a workgroup, as `gpu/kernel/emit/wgsl/long_rows/long_rows.ts` describes. A small kernel
 * lists these rows on the device, so nothing is read back; the host only knows an upper bound of
 * their number.
 *
 * No card has run them. Prediction for an H100: they pay for a few rows of more than 12 KB, but not
 * for thousands, which fill the card with one lane each. `contains` in rows of 64 KB (part `lanes`
 * of `deno task pack`) shows the threshold, probably 32 to 64 KB. Keep them if one row of 1 MB
 * among short ones takes less than half the time that its lane takes alone.
 *
 * @module
 */

import { columnsWithLongRows } from "../../kernel/emit/wgsl/emit.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { type AlignedRange, viewParams, type WebGpuColumn } from "../memory/device_column.ts";
import { numBlocks } from "../dispatch/scan.ts";

/** The long rows of a range, listed on the device. */
export interface LongRows {
  /** The number of long rows, then the rows. */
  readonly list: PooledBuffer;
  /** An upper bound of the number of long rows. */
  readonly atMost: number;
}

/**
 * Returns the indices in `kernel.columns` of the columns that the kernel searches; none if no row
 * of them is long, or the device binds too few buffers.
 */
export function longColumns(
  { device }: WebGpuContext,
  kernel: RowKernel,
  inputs: readonly WebGpuColumn[],
): readonly number[] {
  if (inputs.every(({ numLongRows }) => numLongRows === 0)) return [];
  // Constants, sizes, output and the list take the other four buffers.
  if (inputs.length > device.gpu.limits.maxStorageBuffersPerShaderStage - 4) return [];
  const searched = columnsWithLongRows(kernel);
  return searched.some((column) => inputs[column]!.numLongRows > 0) ? searched : [];
}

/** Adds the dispatch that lists the rows of a range that are long in one of the columns. */
export async function encodeLongRows(
  context: WebGpuContext,
  commands: Commands,
  { views, length }: AlignedRange,
  columns: readonly number[],
  inputs: readonly WebGpuColumn[],
): Promise<LongRows> {
  const atMost = Math.min(
    length,
    columns.reduce((sum, column) => sum + inputs[column]!.numLongRows, 0),
  );
  const list = await context.pool.acquire("storage", 4 * (1 + atMost), "long rows");
  try {
    const pipeline = await context.pipelines.get({
      label: "long rows",
      code: listingWgsl(columns.length),
      entry: "list_long_rows",
      storage: [...columns.map(() => "read" as const), "write"],
    });
    const listed = columns.map((column) => views[column]!);
    commands.clear(list, 0, 1);
    commands.dispatch(pipeline, {
      params: [length, context.longRowBytes, 0, 0, ...listed.flatMap(viewParams)],
      storage: [...listed.map(({ window }) => window.buffer), list],
      workgroups: numBlocks(length),
    });
    await context.firstRuns.after(commands, pipeline);
    return { list, atMost };
  } catch (error) {
    list.release();
    throw error;
  }
}

/**
 * Prints the kernel that lists the rows which are long in one of the columns, in any order. One invocation
 * owns a row.
 *
 * params[0]: rows, bytes of a row that is not long; then for each column the vec4 of its view.
 * column0, column1, ...: columns of text; long_rows: the number of rows, then the rows.
 */
export function listingWgsl(numColumns: number): string {
  const columns = Array.from({ length: numColumns }, (_, k) => k);
  const bindings = columns.map((k) =>
    `@group(0) @binding(${k + 1}) var<storage, read> column${k}: array<u32>;\n`
  );
  const tests = columns.map((k) => {
    const view = `params[${k + 1}]`;
    return `
  let at${k} = ${view}.y + ${view}.w + index;
  is_long = is_long || column${k}[at${k} + 1u] - column${k}[at${k}] > params[0].y;`;
  });
  return `\
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, ${numColumns + 1}>;
${bindings.join("")}\
@group(0) @binding(${numColumns + 1}) var<storage, read_write> long_rows: array<atomic<u32>>;

@compute @workgroup_size(256)
fn list_long_rows(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + lane;
  if (index >= params[0].x) { return; }
  var is_long = false;${tests.join("")}
  if (is_long) {
    let slot = atomicAdd(&long_rows[0], 1u);
    atomicStore(&long_rows[slot + 1u], index);
  }
}
`;
}
