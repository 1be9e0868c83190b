/**
 * `deno task bench gpu [quick]`: measures a device by its own clock: kernels against a copy on the device,
 * transfers, waits, compilation, and batches in flight. It runs on a software adapter too, but says little about
 * speed there.
 *
 * `--rows=N` sets the rows of the largest work; after `--minutes=N`, no new part begins. Results so far are in
 * `gpu.json`, which is written again after each part, in the folder `--out=FOLDER`, with a chart
 * (`gpu-light.svg`, `gpu-dark.svg`) and `gpu.md`. `--only=TEXT` selects works by a part of their names.
 *
 * @module
 */

import { createWebGpuBackend } from "../gpu/webgpu/backend.ts";
import { quietDrivers } from "../scripts/quiet_drivers.ts";
import { drawGpuChart } from "./charts/gpu_chart.ts";
import { measureCompiles } from "./gpu/compiles.ts";
import { measureCopies } from "./gpu/copies.ts";
import { gpuMarkdown, type GpuResults, type KernelTime, shortLabel } from "./gpu/gpu_results.ts";
import { measureBusy, measureInFlight } from "./gpu/in_flight.ts";
import { MeasuredGpu } from "./gpu/measured_gpu.ts";
import { measureWork } from "./gpu/measure_work.ts";
import { measureScans } from "./gpu/scans.ts";
import { measureTransfers, measureWaits } from "./gpu/transfers.ts";
import { type WorkPlan, workPlans } from "./gpu/works.ts";
import { canBeOnePass } from "../tests/support/device/in_passes.ts";
import { thisMachine, versions } from "./support/machine.ts";

/** The options of the bench. */
interface GpuBenchOptions {
  /** Whether a tenth of the rows is enough. */
  readonly isQuick: boolean;
  /** The most rows of a work. Default: depends on the adapter and `isQuick`. */
  readonly numRows: number | undefined;
  readonly numMinutes: number | undefined;
  /** A part of the names of the works to measure. */
  readonly only: string;
  /** The folder for results. */
  readonly folder: string;
}

/** The most rows of a work, on hardware and on a software adapter. */
const HARDWARE_ROWS = 100_000_000;
const SOFTWARE_ROWS = 6_000_000;
/** Bytes of copies and transfers for each of those rows. */
const BYTES_OF_ROW = 20;
const QUICK_SHARE = 0.1;
const QUICK_MINUTES = 1.7;

/** Measures, writes and draws. Returns the failures. */
export async function benchGpu(options: GpuBenchOptions): Promise<readonly string[]> {
  quietDrivers();
  const backend = await createWebGpuBackend({ software: true });
  if (backend === null) return ["There is no WebGPU adapter"];
  const gpu = await openGpu(backend, options);
  const bench = new GpuBench(gpu, options);
  try {
    await bench.run();
  } finally {
    await backend.close();
  }
  return bench.failures;
}

async function openGpu(
  backend: MeasuredGpu["backend"],
  { isQuick, numRows, numMinutes }: GpuBenchOptions,
): Promise<MeasuredGpu> {
  const { device, pool } = backend.context;
  const { adapter } = device;
  const share = isQuick ? QUICK_SHARE : 1;
  const maxRows = numRows ?? share * (adapter.software ? SOFTWARE_ROWS : HARDWARE_ROWS);
  const minutes = numMinutes ?? (isQuick ? QUICK_MINUTES : Infinity);
  const profile = await device.startProfile();
  const limits = {
    maxRows,
    maxBytes: Math.max(2 ** 24, BYTES_OF_ROW * maxRows),
    deadlineMs: performance.now() + 60_000 * minutes,
  };
  const results: GpuResults = {
    date: new Date().toISOString(),
    machine: thisMachine(),
    versions: await versions(),
    adapter,
    driver: await driverText(),
    hasTimestamps: profile !== null,
    budgetBytes: pool.budgetBytes,
    ...{ notes: [], copies: [], kernels: [], tables: {} },
  };
  return new MeasuredGpu(backend, profile, limits, results);
}

/** Returns the driver of an NVIDIA card; others have theirs in the name of the adapter, or nowhere. */
async function driverText(): Promise<string | null> {
  const text = await Deno.readTextFile("/proc/driver/nvidia/version").catch(() => "");
  return text.split("\n")[0]!.replace(/\s+/g, " ").trim() || null;
}

class GpuBench {
  readonly failures: string[] = [];
  readonly #gpu: MeasuredGpu;
  readonly #options: GpuBenchOptions;
  readonly #startMs = performance.now();

  constructor(gpu: MeasuredGpu, options: GpuBenchOptions) {
    this.#gpu = gpu;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { results, profile } = this.#gpu;
    console.log(`${results.adapter.name}${results.driver === null ? "" : `; ${results.driver}`}`);
    if (profile === null) {
      this.#gpu.note(
        "The adapter has no timestamps: works are timed by the host, with their waits",
      );
    }
    await this.#part("copies", async () => {
      for await (const copy of measureCopies(this.#gpu)) {
        results.copies.push(copy);
        console.log(`  ${copy.way}, ${copy.bytes / 1e6} MB: ${copy.gbPerSecond} GB/s`);
      }
    });
    await this.#part("scan", async () => {
      for await (const line of measureScans(this.#gpu)) this.#add(line);
    });
    for (const plan of workPlans()) await this.#work(plan);
    this.#gpu.context.device.stopProfile();
    await this.#table("compiling", measureCompiles);
    await this.#table("waits", measureWaits);
    await this.#table("transfers", measureTransfers);
    await this.#table("in flight", measureInFlight);
    await this.#table("busy thread", measureBusy);
    await this.#write();
    console.log(`\n${gpuMarkdown(results)}`);
  }

  /** Measures a work, with as many rows as fit, by each strategy that it has. */
  async #work(plan: WorkPlan): Promise<void> {
    const { name, numRows, rowBytes, textBytes = 0 } = plan;
    if (!name.includes(this.#options.only)) return;
    const { limits, budgetBytes } = this.#gpu;
    const fitting = Math.floor(budgetBytes / rowBytes);
    const asked = Math.min(limits.maxRows, Math.floor(limits.maxBytes / Math.max(1, textBytes)));
    const rows = Math.min(numRows, fitting, asked);
    if (rows < numRows) {
      const reason = fitting < asked
        ? "the device has no memory for more"
        : "no more were asked for";
      const [few, many] = [rows.toLocaleString("en"), numRows.toLocaleString("en")];
      this.#gpu.note(`${name}, ${few} rows instead of ${many}: ${reason}`);
    }
    for (const { gpu, suffix } of this.#ways(plan)) {
      const title = `${name}${suffix}, ${rows.toLocaleString("en")} rows`;
      if (this.#gpu.results.kernels.some(({ work }) => work === title)) continue;
      await this.#part(title, async () => {
        const work = { ...plan.make(rows), name: `${name}${suffix}` };
        for (const line of await measureWork(gpu, work)) this.#add(line);
      });
    }
  }

  /** Returns the device with each strategy by which a work is measured. */
  #ways(
    { hasOnePass = false, hasLanes = false }: WorkPlan,
  ): { gpu: MeasuredGpu; suffix: string }[] {
    const gpu = this.#gpu;
    if (hasLanes) {
      return [
        { gpu: gpu.inLanes("never"), suffix: " with one lane" },
        { gpu: gpu.inLanes("always"), suffix: " with several lanes" },
      ];
    }
    if (!hasOnePass) return [{ gpu, suffix: "" }];
    const two = { gpu: gpu.inPasses("never"), suffix: " in two passes" };
    if (!canBeOnePass(gpu.backend)) return [two];
    return [two, { gpu: gpu.inPasses("always"), suffix: " in one pass" }];
  }

  #add(line: KernelTime): void {
    this.#gpu.results.kernels.push(line);
    const { kernel, ms, gbPerSecond, shareOfCopy, wallMs } = line;
    const cells = [
      `${ms} ms`,
      ...(gbPerSecond === null ? [] : [`${gbPerSecond} GB/s`]),
      ...(shareOfCopy === null ? [] : [`${shareOfCopy.toFixed(3)} of a copy`]),
      ...(wallMs === null ? [] : [`${wallMs} ms by the host's clock`]),
    ];
    console.log(`  ${shortLabel(kernel).padEnd(32)} ${cells.join(", ")}`);
  }

  #table(name: string, measure: (gpu: MeasuredGpu) => Promise<string[][]>): Promise<void> {
    return this.#part(name, async () => {
      this.#gpu.results.tables[name] = await measure(this.#gpu);
    });
  }

  /** Measures a part, if there is time for it, and writes the results so far. */
  async #part(name: string, measure: () => Promise<void>): Promise<void> {
    if (!name.includes(this.#options.only) && name !== "copies") return;
    if (this.#gpu.isLate()) return this.#gpu.note(`no time was left for ${name}`);
    const seconds = (performance.now() - this.#startMs) / 1000;
    console.log(`${seconds.toFixed(0).padStart(4)} s  ${name}`);
    try {
      await measure();
    } catch (error) {
      this.failures.push(`${name}: ${error}`);
      console.error(`  ${error}`);
    }
    await this.#write();
  }

  async #write(): Promise<void> {
    const { folder } = this.#options;
    const { results } = this.#gpu;
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${folder}/gpu.json`, `${JSON.stringify(results, null, 1)}\n`);
    await Deno.writeTextFile(`${folder}/gpu.md`, `${gpuMarkdown(results)}\n`);
    for (const [name, text] of Object.entries(await drawGpuChart(results))) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
  }
}
