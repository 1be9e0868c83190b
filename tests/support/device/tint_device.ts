/** Tint, the compiler of Chrome, as a judge of WGSL. */

import { loadPeer } from "../judges/peers.ts";

/** A device of Dawn that computes nothing. Not for a process that uses Deno's WebGPU: they collide. */
export class TintDevice implements AsyncDisposable {
  /** What is dropped is freed, and breaks what came from it. */
  #held: readonly unknown[];
  // deno-lint-ignore no-explicit-any -- the types of Dawn would replace those of Deno
  readonly #device: any;

  private constructor(device: unknown, ...held: unknown[]) {
    this.#device = device;
    this.#held = [device, ...held];
  }

  static async open(): Promise<TintDevice> {
    const { create } = await loadPeer("webgpu");
    const gpu = create(["backend=null"]);
    const adapter = await gpu.requestAdapter();
    return new TintDevice(await adapter.requestDevice(), gpu, adapter);
  }

  /** What is wrong with a kernel: with the module, or with the pipeline of one of its entry points. */
  async problemOf(code: string): Promise<string | null> {
    this.#device.pushErrorScope("validation");
    const module = this.#device.createShaderModule({ code });
    for (const [, entryPoint] of code.matchAll(/^@compute\b[^{]*?\bfn (\w+)/gm)) {
      this.#device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
    }
    return (await this.#device.popErrorScope())?.message ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#device.destroy();
    await this.#device.lost;
    this.#held = [];
  }
}
