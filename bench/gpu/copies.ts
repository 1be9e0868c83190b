/**
 * Measures copies on the device, by the copy command and by a kernel. Every kernel is compared with them.
 *
 * @module
 */

import copyWgsl from "./copy.wgsl" with { type: "text" };
import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import { Totals } from "../../gpu/webgpu/transfer/readback.ts";
import { median } from "../support/measure.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";
import { type CopySpeed, gbPerSecond, rounded } from "./gpu_results.ts";

const MB = 1e6;
const SIZES = [1 * MB, 16 * MB, 64 * MB, 256 * MB, 1000 * MB, 2000 * MB];
const RUNS = 9;
/** The bytes that one workgroup of the kernel copies. */
const GROUP_BYTES = 256 * 4 * 16;

/** Yields the speeds of copies of all sizes that fit. */
export async function* measureCopies(gpu: MeasuredGpu): AsyncGenerator<CopySpeed, void, void> {
  const { maxBindingBytes } = gpu.context.device;
  const most = Math.min(maxBindingBytes, gpu.budgetBytes / 4, gpu.maxBytes);
  const sizes = SIZES.filter((bytes) => bytes <= most);
  if (sizes.length < SIZES.length) {
    gpu.note(`copies end at ${sizes.at(-1)! / MB} MB: ${gpu.reasonFor(most)}`);
  }
  for (const bytes of sizes) {
    for (const way of ["copyBufferToBuffer", "vec4 kernel"] as const) {
      const ms = await timeCopy(gpu, way, bytes);
      yield { way, bytes, ms: rounded(ms), gbPerSecond: gbPerSecond(2 * bytes, ms) };
    }
  }
}

async function timeCopy(
  { context, profile }: MeasuredGpu,
  way: CopySpeed["way"],
  bytes: number,
): Promise<number> {
  const kernel = {
    label: way,
    code: copyWgsl,
    entry: "copy",
    storage: ["read", "write"],
  } as const;
  const pipeline = await context.pipelines.get(kernel);
  using scope = new Scope();
  const source = scope.own(await context.pool.acquire("storage", bytes, "copy source"));
  const target = scope.own(await context.pool.acquire("storage", bytes, "copy target"));
  const times: number[] = [];
  for (let run = -2; run < RUNS; run++) {
    using commands = new Commands(context, way);
    if (way === "copyBufferToBuffer") commands.copy(source, 0, target, 0, bytes / 4);
    else {
      const workgroups = Math.ceil(bytes / GROUP_BYTES);
      commands.dispatch(pipeline, { params: [bytes / 16], storage: [source, target], workgroups });
    }
    const start = performance.now();
    const totals = await Totals.create(context, 1);
    await totals.read(commands);
    totals.release();
    const works = profile === null ? [] : (await profile.take()).works;
    // The first work is the copy, the second the copy of the total.
    if (run >= 0) times.push(works[0]?.elapsedMs ?? performance.now() - start);
  }
  return median(times);
}
