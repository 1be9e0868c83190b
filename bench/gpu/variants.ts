/**
 * Measures kernels of redact with hand-made changes of their code: the cost of a part of a kernel, and the effect of
 * other code for it. On software adapters most of this is noise; on a card it decides which code to print.
 *
 * @module
 */

import { Utf8 } from "apache-arrow";
import { type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import type { RowKernel } from "../../gpu/kernel/ir/ir.ts";
import { lowerKernel } from "../../gpu/kernel/lower/lower.ts";
import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import { Pipelines, type PipelineSpec } from "../../gpu/webgpu/dispatch/pipelines.ts";
import type { WebGpuContext } from "../../gpu/webgpu/dispatch/webgpu_context.ts";
import { alignWindows, type WebGpuColumn } from "../../gpu/webgpu/memory/device_column.ts";
import type { PooledBuffer } from "../../gpu/webgpu/memory/buffer_pool.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import { type KernelRun, prepareRun } from "../../gpu/webgpu/strategies/kernel_run.ts";
import {
  encodeSizes,
  encodeWrite,
  numTotals,
  ownSized,
  resultSize,
} from "../../gpu/webgpu/strategies/two_pass.ts";
import { Staging, Totals } from "../../gpu/webgpu/transfer/readback.ts";
import { compileProgram } from "../../tests/support/kernels/programs.ts";
import { median } from "../support/measure.ts";
import type { Card } from "./card.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";
import { REDACTED } from "./works.ts";

/** A change of the code of a pass. */
interface KernelVariant {
  readonly pass: "sizes" | "write";
  /** Whether loops count their rounds; this is an option, not a change of code. */
  readonly countsSteps?: boolean;
  /** Whether the results are wrong: the change omits a part, to measure the cost of that part. */
  readonly isWrong?: boolean;
  change(code: string): string;
}

const RUNS = 15;
/** The words of a result that are compared. */
const COMPARED_WORDS = 100_000;

/** The variants of each pass by name; the first is the unchanged code. */
export const KERNEL_VARIANTS: Readonly<Record<string, KernelVariant>> = {
  "sizes, as printed": { pass: "sizes", change: (code) => code },
  "sizes, rounds counted": { pass: "sizes", countsSteps: true, change: (code) => code },
  "sizes, all of a search in a loop": {
    pass: "sizes",
    change: (code) =>
      code.replaceAll(
        / {2}let place = bitcast<u32>\(first\) >> 2u;\n[^]*?\n {2}for \(var at = .*\n/g,
        FIRST,
      )
        .replaceAll(
          "+ 0x7f7f7f7fu) | differs | 0x7f7f7f7fu);",
          "+ 0x7f7f7f7fu) | differs | 0x7f7f7f7fu) & mask;\n    mask = 0xffffffffu;",
        ),
  },
  "sizes, long texts not counted": {
    pass: "sizes",
    change: (code) => code.replace(/ {2}if \(row_size > params\[1\]\.x\).*\n/, ""),
  },
  "sizes, blocks not scanned": {
    ...{ pass: "sizes", isWrong: true },
    change: (code) =>
      code.replace("block_exclusive_scan(row_size, lane);", "row_size;")
        .replace("= scan_total;", "= 0u;"),
  },
  "sizes, rows not computed": {
    ...{ pass: "sizes", isWrong: true },
    change: (code) => code.replace("{ compute_row(index); }", "{ row_size = index & 7u; }"),
  },
  "write, as printed": { pass: "write", change: (code) => code },
  "write, copies of four bytes a round": {
    pass: "write",
    change: (code) =>
      code.replaceAll(
        /( {2}let skip = \(start & 3u\) \* 8u;\n)[^]*?let near = vec4<u32>\((.*?\]), [^]*?\n {2}\}\n/g,
        (_, __, word: string) => fourBytes(word),
      ),
  },
  "write, shared words stored": {
    ...{ pass: "write", isWrong: true },
    change: (code) => code.replaceAll("atomicOr(&output", "atomicStore(&output"),
  },
};

const FIRST = `  var mask = 0xffffffffu << ((bitcast<u32>(first) & 3u) * 8u);
  for (var at = first & ~3; at <= last; at = at + 4) {
`;

function fourBytes(word: string): string {
  return `  for (var at = start; at < stop;) {
    let place = at >> 2u;
    let skip = at & 3u;
    let count = min(4u - skip, stop - at);
    push((${word} >> (skip * 8u)) & (0xffffffffu >> (32u - count * 8u)), count);
    at += count;
  }
`;
}

/** Returns the kernel of redact for ASCII text without nulls. */
export function redactKernel(): { kernel: RowKernel; inputNames: readonly string[] } {
  const types = { name: new Utf8(), kind: new Utf8() };
  const { program, inputNames } = compileProgram([REDACTED], types);
  const all = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  const variant = { ascii: true, nullable: all.map(() => false) };
  const kernel = lowerKernel(program.kernels[0]!, all, variant);
  if (kernel.kernel !== "row") throw new Error("redact is no kernel of rows");
  return { kernel, inputNames };
}

/** Times the variants of redact over uploaded columns. `columns` has them by name. */
export async function measureVariants(
  card: Card,
  gpu: MeasuredGpu,
  columns: Readonly<Record<string, HostColumn>>,
  upload: (columns: readonly HostColumn[]) => Promise<WebGpuColumn[]>,
): Promise<void> {
  const { kernel, inputNames } = redactKernel();
  const uploaded = await upload(inputNames.map((name) => columns[name]!));
  const inputs = kernel.columns.map((column) => uploaded[column]!);
  const printed = new Map<string, Uint32Array>();
  for (const [name, variant] of Object.entries(KERNEL_VARIANTS)) {
    await card.step(name, async () => {
      const { ms, words } = await timeVariant(gpu, kernel, inputs, variant);
      const expected = printed.get(variant.pass) ?? words;
      printed.set(variant.pass, expected);
      const isSame = words.every((word, k) => word === expected[k]);
      if (!isSame && variant.isWrong !== true) throw new Error("the result is another one");
      return { ms };
    });
  }
  uploaded.forEach(releaseColumn);
}

async function timeVariant(
  { context, profile }: MeasuredGpu,
  kernel: RowKernel,
  inputs: readonly WebGpuColumn[],
  { pass, change, countsSteps = false }: KernelVariant,
): Promise<{ ms: number | null; words: Uint32Array }> {
  const pipelines = new ChangedPipelines(context, pass, change);
  const changed = { ...context, pipelines };
  using scope = new Scope();
  const plan = { kernel, inputs, lanes: 1, countsSteps } as const;
  const run = await prepareRun(context, scope, { ...plan, passes: ["sizes", "write"] });
  const times: number[] = [];
  let words: Uint32Array = new Uint32Array(0);
  for (let k = -2; k < RUNS; k++) {
    words = await runOnce(context, run, pass === "sizes" ? changed : context, changed, pass);
    const works = (await profile?.take())?.works ?? [];
    const own = works.find(({ label }) => label.endsWith(` ${pass}`));
    if (k >= 0 && own !== undefined) times.push(own.elapsedMs);
  }
  return { ms: times.length === 0 ? null : median(times), words };
}

/** Computes the sizes, and also the text if `pass` is "write". Returns the first words of the result. */
async function runOnce(
  context: WebGpuContext,
  run: KernelRun,
  forSizes: WebGpuContext,
  forWrite: WebGpuContext,
  pass: "sizes" | "write",
): Promise<Uint32Array> {
  const { type } = run.kernel;
  using scope = new Scope();
  const range = alignWindows(run.inputs, run.inputs[0]!.length, Infinity)[0]!;
  const totals = scope.own(await Totals.create(context, numTotals(type)));
  using commands = new Commands(context, "variant");
  const total = { totals: totals.buffer, slot: 0, isAsked: false };
  const counted = ownSized(scope, await encodeSizes(forSizes, commands, run, range, total));
  if (pass === "sizes") return await firstWords(context, commands, counted.sizes, range.length);
  const size = resultSize(type, await totals.read(commands), 0);
  using more = new Commands(context, "variant");
  const window = await encodeWrite(forWrite, more, counted, size);
  scope.own(window.buffer);
  return await firstWords(context, more, window.buffer, window.layout.words);
}

async function firstWords(
  context: WebGpuContext,
  commands: Commands,
  buffer: PooledBuffer,
  numWords: number,
): Promise<Uint32Array> {
  const staging = new Staging(context);
  staging.add(buffer, 0, Math.min(numWords, COMPARED_WORDS));
  return new Uint32Array((await staging.read(commands))[0]!);
}

/** Compiles one pass with changed code. */
class ChangedPipelines extends Pipelines {
  readonly #pass: string;
  readonly #change: (code: string) => string;

  constructor({ device }: WebGpuContext, pass: string, change: (code: string) => string) {
    super(device);
    this.#pass = pass;
    this.#change = change;
  }

  override get(spec: PipelineSpec) {
    const isChanged = spec.label.endsWith(` ${this.#pass}`);
    return super.get(isChanged ? { ...spec, code: this.#change(spec.code) } : spec);
  }
}
