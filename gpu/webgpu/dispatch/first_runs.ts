/** @module */

import type { WebGpuDevice } from "../device/device.ts";
import type { Pipeline } from "./pipelines.ts";

/** Recorded work that can be sent at once. */
interface Flushable {
  flush(): void;
}

/**
 * Lets the event loop turn after each kernel that is new, so that many of them hold up no signal
 * and no timer for longer than one takes.
 *
 * A hardware driver compiles a kernel when its pipeline is made. A software adapter does so when it
 * first runs, for the values that its parameters have then, and calls of WebGPU block meanwhile:
 * left together, the kernels of sixty expressions block for half a minute in one call.
 */
export class FirstRuns {
  readonly #device: WebGpuDevice;
  readonly #runs = new WeakMap<Pipeline, Promise<void>>();

  constructor(device: WebGpuDevice) {
    this.#device = device;
  }

  /** Call it after each dispatch: waits for the first one of the pipeline, whoever asked for it. */
  async after(commands: Flushable, pipeline: Pipeline): Promise<void> {
    let run = this.#runs.get(pipeline);
    if (run === undefined) this.#runs.set(pipeline, run = this.#first(commands));
    await run;
  }

  async #first(commands: Flushable): Promise<void> {
    const { adapter, gpu } = this.#device;
    if (adapter.software) {
      commands.flush();
      await this.#device.settle(gpu.queue.onSubmittedWorkDone());
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
