/**
 * Measures the compilation of kernels, one by one and requested together.
 *
 * @module
 */

import { Utf8 } from "apache-arrow";
import { lowerKernel } from "../../gpu/kernel/lower/lower.ts";
import { ownPasses } from "../../gpu/kernel/emit/wgsl/print/pass.ts";
import { mustCountSteps, pipelineSpecs } from "../../gpu/webgpu/strategies/kernel_run.ts";
import { Pipelines, type PipelineSpec } from "../../gpu/webgpu/dispatch/pipelines.ts";
import { uploadColumn } from "../../gpu/webgpu/transfer/upload.ts";
import { compileProgram } from "../../tests/support/kernels/programs.ts";
import { median } from "../support/measure.ts";
import { namesColumn } from "./made_columns.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";

/** Kernels of all sizes; each has a sizes pass and a write pass. */
const EXPRESSIONS = [
  ...["name.slice(3, 9)", 'name.replace("a", "bbb")', "name.pad(20)", 'name.title() + "!"'],
  ...["name.reverse()", 'name.splitPart(" ", 1)', "name.repeat(3)", 'name.strip("AB")'],
  ...["name.zfill(20)", 'name.replaceRe("[aeiou]+", "-")', 'name + " " + name.left(3)'],
];

/**
 * Returns the milliseconds of kernels: half of them one by one, the other half together. None is compiled twice,
 * since drivers cache kernels.
 */
export async function measureCompiles(gpu: MeasuredGpu): Promise<string[][]> {
  const { device } = gpu.context;
  const specs = await specsOf(gpu);
  const pipelines = new Pipelines(device);
  const times: number[] = [];
  for (const spec of specs.filter((_, k) => k % 2 === 0)) {
    const start = performance.now();
    await pipelines.get(spec);
    times.push(performance.now() - start);
  }
  const others = specs.filter((_, k) => k % 2 === 1);
  const start = performance.now();
  await pipelines.getAll(others);
  const togetherMs = performance.now() - start;
  if (device.adapter.software) {
    gpu.note("a software adapter compiles kernels when they first run, not when they are made");
  }
  const sum = times.reduce((sum, ms) => sum + ms, 0);
  const each = [median(times), Math.max(...times), sum / times.length, togetherMs / others.length];
  return [
    ["Compiling, ms a kernel", "Median", "Longest", "Mean, one by one", "Mean, together"],
    ["---", "---:", "---:", "---:", "---:"],
    [`${times.length} kernels, and ${others.length}`, ...each.map((ms) => ms.toFixed(2))],
  ];
}

async function specsOf({ context }: MeasuredGpu): Promise<PipelineSpec[]> {
  const column = namesColumn(64);
  const uploaded = (await uploadColumn(context, column, { label: "name", ascii: true }))!;
  try {
    return EXPRESSIONS.flatMap((text) => {
      const { program } = compileProgram([text], { name: new Utf8() });
      const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
      const nullable = types.map(() => false);
      return program.kernels.flatMap((kernel) => {
        const lowered = lowerKernel(kernel, types, { ascii: true, nullable });
        if (lowered.kernel !== "row") return [];
        const inputs = lowered.columns.map(() => uploaded);
        return pipelineSpecs(context, {
          kernel: lowered,
          inputs,
          passes: ownPasses(lowered),
          lanes: 1,
          countsSteps: mustCountSteps(context, lowered, inputs),
        });
      });
    });
  } finally {
    uploaded.release();
  }
}
