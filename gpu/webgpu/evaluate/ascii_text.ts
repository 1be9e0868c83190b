/**
 * Finds out on the device which texts of a batch are ASCII. All of them share one wait.
 *
 * @module
 */

import asciiTextWgsl from "./ascii_text.wgsl" with { type: "text" };
import { Commands } from "../dispatch/commands.ts";
import type { PipelineSpec } from "../dispatch/pipelines.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";

/** The words of one workgroup of `ascii_text.wgsl`. */
const GROUP_WORDS = 4096;

const SPEC: PipelineSpec = {
  label: "ASCII text",
  code: asciiTextWgsl,
  entry: "find_other_text",
  storage: ["read", "write"],
};

/** Returns whether all text of each column is ASCII; of a list, the text of its items. */
export async function areAsciiOnDevice(
  context: WebGpuContext,
  columns: readonly WebGpuColumn[],
): Promise<boolean[]> {
  if (columns.length === 0) return [];
  using scope = new Scope();
  const pipeline = await context.pipelines.get(SPEC);
  const found = scope.own(await Totals.create(context, columns.length));
  using commands = new Commands(context, SPEC.label);
  commands.clear(found.buffer, 0, columns.length);
  for (const [slot, { type, windows }] of columns.entries()) {
    for (const { buffer, length, numItems = 0, dataBytes, layout } of windows) {
      const end = type.kind === "list"
        ? layout.itemOffsetsWord + numItems
        : layout.offsetsWord + length;
      commands.dispatch(pipeline, {
        params: [layout.dataWord, end, slot],
        storage: [buffer, found.buffer],
        workgroups: Math.ceil(dataBytes / 4 / GROUP_WORDS),
      });
    }
  }
  await context.firstRuns.after(commands, pipeline);
  return Array.from(await found.read(commands), (isFound) => isFound === 0);
}
