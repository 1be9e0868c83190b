/**
 * Compiles kernels, each once: the first dispatch of a new one takes tens to hundreds of
 * milliseconds. WebGPU does not throw for a kernel that does not compile; the kernel just never
 * runs. So each module and pipeline is created inside error scopes.
 *
 * All kernels have bindings of the same shape: group 0, binding 0 is a uniform
 * `array<vec4<u32>, N>` of parameters, and bindings 1, 2, ... are storage buffers.
 *
 * @module
 */

import { turnOfEventLoop } from "../../../base/event_loop.ts";
import type { WebGpuDevice } from "../device/device.ts";

/** The access of a kernel to a storage buffer. */
export type Access = "read" | "write";

/** A kernel in WGSL. */
export interface PipelineSpec {
  /** For people: "upper(name) sizes". Not part of the kernel's identity. */
  readonly label: string;
  readonly code: string;
  readonly entry: string;
  /** The storage buffers from binding 1 on; "write" is `read_write`. */
  readonly storage: readonly Access[];
}

/** A compiled kernel, ready to be dispatched. */
export interface Pipeline {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly storage: readonly Access[];
}

const COMPUTE_STAGE = 0x4;

/** The compiled kernels of one device. */
export class Pipelines {
  readonly #device: WebGpuDevice;
  readonly #modules = new Map<string, Promise<GPUShaderModule>>();
  readonly #pipelines = new Map<string, Promise<Pipeline>>();
  /** The same pipelines by their specs: a lookup by `#pipelines` hashes all of the code. */
  readonly #known = new WeakMap<PipelineSpec, Promise<Pipeline>>();

  constructor(device: WebGpuDevice) {
    this.#device = device;
  }

  /**
   * Returns the compiled kernel; the first request compiles it. A lookup is fastest with the same
   * spec object. Rejects with a `DeviceError`.
   */
  get(spec: PipelineSpec): Promise<Pipeline> {
    let known = this.#known.get(spec);
    if (known === undefined) this.#known.set(spec, known = this.#find(spec));
    return known;
  }

  #find(spec: PipelineSpec): Promise<Pipeline> {
    const key = `${spec.entry} ${spec.storage.join(" ")}\n${spec.code}`;
    let compiled = this.#pipelines.get(key);
    if (compiled === undefined) {
      compiled = this.#compile(spec);
      this.#pipelines.set(key, compiled);
    }
    return compiled;
  }

  /**
   * Compiles kernels side by side, where the driver can. Some runtimes compile within the call; so
   * the event loop turns after each new kernel, and an abort ends the loop.
   */
  async getAll(specs: readonly PipelineSpec[], signal?: AbortSignal): Promise<Pipeline[]> {
    const compiling: Promise<Pipeline>[] = [];
    for (const spec of specs) {
      signal?.throwIfAborted();
      const numKnown = this.#pipelines.size;
      const compiled = this.get(spec);
      // A later call of `getAll` awaits it; a rejection before that is not unhandled.
      compiled.catch(() => {});
      compiling.push(compiled);
      if (this.#pipelines.size > numKnown) await turnOfEventLoop();
    }
    return await Promise.all(compiling);
  }

  #module(spec: PipelineSpec): Promise<GPUShaderModule> {
    let module = this.#modules.get(spec.code);
    if (module === undefined) {
      module = this.#device.scoped(
        spec.label,
        () => this.#device.gpu.createShaderModule({ label: spec.label, code: spec.code }),
      );
      this.#modules.set(spec.code, module);
    }
    return module;
  }

  async #compile(spec: PipelineSpec): Promise<Pipeline> {
    const module = await this.#module(spec);
    const { gpu, counters } = this.#device;
    counters.compilations++;
    // An automatic layout would drop the bindings that a kernel does not use.
    const layout = await this.#device.scoped(spec.label, () =>
      gpu.createBindGroupLayout({
        label: spec.label,
        entries: [
          { binding: 0, visibility: COMPUTE_STAGE, buffer: { type: "uniform" } },
          ...spec.storage.map((access, k) => ({
            binding: k + 1,
            visibility: COMPUTE_STAGE,
            buffer: { type: access === "read" ? "read-only-storage" : "storage" } as const,
          })),
        ],
      }));
    const pipeline = await this.#device.compile({
      label: spec.label,
      layout: gpu.createPipelineLayout({ label: spec.label, bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: spec.entry },
    });
    return { label: spec.label, pipeline, layout, storage: spec.storage };
  }
}

/** Recorded work that can be submitted. */
interface Flushable {
  flush(): void;
}

/**
 * Lets the event loop turn after the first run of each kernel, so that many new kernels delay a
 * signal or a timer no longer than one does.
 *
 * A hardware driver compiles a kernel when its pipeline is created. A software adapter compiles it
 * at its first run, for the parameters of that run, and WebGPU calls block meanwhile: the kernels
 * of sixty expressions, run together, would block one call for half a minute.
 */
export class FirstRuns {
  readonly #device: WebGpuDevice;
  readonly #runs = new WeakMap<Pipeline, Promise<void>>();

  constructor(device: WebGpuDevice) {
    this.#device = device;
  }

  /**
   * Waits for the first run of a pipeline, whichever caller began it. To be called after each
   * dispatch.
   */
  async after(commands: Flushable, pipeline: Pipeline): Promise<void> {
    let run = this.#runs.get(pipeline);
    if (run === undefined) this.#runs.set(pipeline, run = this.#first(commands));
    await run;
  }

  async #first(commands: Flushable): Promise<void> {
    const { adapter, reads } = this.#device;
    if (adapter.software) {
      commands.flush();
      await reads.idle();
    }
    await turnOfEventLoop();
  }
}
