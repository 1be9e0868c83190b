/**
 * Whether rows of a kernel get several lanes.
 *
 * @module
 */

import { hasOffsets } from "../../column/column.ts";
import { ownPasses } from "../../kernel/emit/wgsl/pass.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import { isKnownToTakeFirst } from "../dispatch/choices.ts";
import { Commands } from "../dispatch/commands.ts";
import type { LaneWidth } from "../dispatch/lanes.ts";
import { type BothWays, takesFirst } from "../dispatch/pass_choice.ts";
import type { AlignedRange } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { type KernelRun, printPass } from "./kernel_run.ts";
import { encodeSingle } from "./single_pass.ts";
import {
  encodeSizes,
  encodeWrite,
  numTotals,
  ownSized,
  rangesThatFit,
  type ResultSize,
  resultSize,
} from "./two_pass.ts";

/** Kinds of work, which are as long as the code of a kernel: each is made once. */
const kinds = new WeakMap<RowKernel, Map<LaneWidth, string>>();

/** What kind of work a kernel is whose rows have so many lanes. */
function kindOf(kernel: RowKernel, width: LaneWidth): string {
  let own = kinds.get(kernel);
  if (own === undefined) kinds.set(kernel, own = new Map());
  let kind = own.get(width);
  if (kind === undefined) {
    const passes = ownPasses(kernel).map((pass) => printPass(kernel, pass, "all", true).code);
    own.set(width, kind = `${width} lanes\n${passes.join("\n")}`);
  }
  return kind;
}

/** Whether rows get so many lanes, as far as is known by now. */
export function areKnownToHaveLanes(
  { lanes }: WebGpuContext,
  kernel: RowKernel,
  width: LaneWidth | 1,
): boolean {
  return width !== 1 && isKnownToTakeFirst(lanes, kindOf(kernel, width));
}

/** The lanes that rows of some ranges get: as many, or one. */
export async function fasterLanes(
  context: WebGpuContext,
  run: KernelRun,
  width: LaneWidth | 1,
  ranges: readonly AlignedRange[],
): Promise<LaneWidth | 1> {
  const [range] = ranges;
  if (width === 1 || range === undefined) return 1;
  const { timedBytes } = context.lanes;
  const { kernel, inputs } = run;
  const bytes = inputs.reduce(
    (sum, { dataBytes, length }) => sum + dataBytes * range.length / Math.max(1, length),
    0,
  );
  const isFaster = await takesFirst(context, context.lanes, {
    kind: kindOf(kernel, width),
    canTell: bytes >= timedBytes,
    ways: () => bothWays(context, run, width, range),
  });
  return isFaster ? width : 1;
}

async function bothWays(
  context: WebGpuContext,
  run: KernelRun,
  width: LaneWidth,
  range: AlignedRange,
): Promise<BothWays | null> {
  const runs = { first: { ...run, lanes: width }, second: run };
  if (!hasOffsets(run.kernel.type)) {
    const way = (run: KernelRun) => async (scope: Scope, commands: Commands) => {
      const { window } = await encodeSingle(context, scope, commands, run, range);
      scope.own(window.buffer);
    };
    return { first: way(runs.first), second: way(runs.second) };
  }
  const size = await exactSize(context, run, range);
  if (size === null) return null;
  const way = (run: KernelRun) => async (scope: Scope, commands: Commands) => {
    const { buffer } = scope.own(await Totals.create(context, numTotals(run.kernel.type)));
    const total = { totals: buffer, slot: 0 };
    const counted = ownSized(scope, await encodeSizes(context, commands, run, range, total));
    scope.own((await encodeWrite(context, commands, counted, size)).buffer);
  };
  return { first: way(runs.first), second: way(runs.second) };
}

/** What the range makes; null where that does not fit a window. */
async function exactSize(
  context: WebGpuContext,
  run: KernelRun,
  range: AlignedRange,
): Promise<ResultSize | null> {
  using scope = new Scope();
  using commands = new Commands(context, "sizes");
  const totals = scope.own(await Totals.create(context, numTotals(run.kernel.type)));
  const total = { totals: totals.buffer, slot: 0 };
  const counted = ownSized(scope, await encodeSizes(context, commands, run, range, total));
  const size = resultSize(run.kernel.type, await totals.read(commands), 0);
  return rangesThatFit(counted, size, context.windowBytes).length === 1 ? size : null;
}
