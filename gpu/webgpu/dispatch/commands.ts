/**
 * Work for the device, recorded and then submitted at once.
 *
 * Each dispatch has parameters of its own. They all travel in one uniform buffer, which is written
 * when the work is submitted and given back right after.
 *
 * @module
 */

import { type PooledBuffer, UNIFORM_BYTES } from "../memory/buffer_pool.ts";
import { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { Pipeline } from "./pipelines.ts";

/** The most workgroups in one dimension of a dispatch. */
const MAX_GRID_WIDTH = 65_535;

/** One run of a kernel. */
interface Dispatch {
  /** Contents of binding 0, 32 bits each, at most 1,024 of them; padded to whole vec4. */
  readonly params: readonly number[];
  /** Buffers of bindings 1, 2, ...; never one buffer for reading and for writing. */
  readonly storage: readonly PooledBuffer[];
  /**
   * Workgroups in all. More than 65,535 become rows of a grid that may be a little too large, so a
   * kernel computes its number as `workgroup_id.x + workgroup_id.y * num_workgroups.x` and checks
   * its bounds. None is allowed: nothing runs.
   */
  readonly workgroups: number;
}

/** Work that runs in order: `using commands = new Commands(...)`, `submit` at the end. */
export class Commands implements Disposable {
  readonly #context: WebGpuContext;
  #encoder: GPUCommandEncoder;
  #pass: GPUComputePassEncoder | null = null;
  readonly #label: string;
  readonly #uniforms: {
    readonly buffer: PooledBuffer;
    readonly data: Uint32Array<ArrayBuffer>;
  }[] = [];
  #uniformBytes = UNIFORM_BYTES;
  readonly #owned = new Scope();

  constructor(context: WebGpuContext, label: string) {
    context.device.check();
    this.#context = context;
    this.#label = label;
    this.#encoder = context.device.gpu.createCommandEncoder({ label });
  }

  /** Becomes the owner of a buffer until the work is submitted. */
  own(buffer: PooledBuffer): PooledBuffer {
    return this.#owned.own(buffer);
  }

  /** Runs a kernel. */
  dispatch(pipeline: Pipeline, { params, storage, workgroups }: Dispatch): void {
    if (workgroups === 0) return;
    const { gpu, counters, profile } = this.#context.device;
    counters.dispatches++;
    const entries: GPUBindGroupEntry[] = [{ binding: 0, resource: this.#uniform(params) }];
    storage.forEach(({ buffer }, k) => {
      const size = Math.min(buffer.size, this.#context.device.maxBindingBytes);
      entries.push({ binding: k + 1, resource: { buffer, offset: 0, size } });
    });
    const { label, layout } = pipeline;
    const bindGroup = gpu.createBindGroup({ label, layout, entries });
    const record = (pass: GPUComputePassEncoder) => {
      pass.setPipeline(pipeline.pipeline);
      pass.setBindGroup(0, bindGroup);
      const width = Math.min(workgroups, MAX_GRID_WIDTH);
      pass.dispatchWorkgroups(width, Math.ceil(workgroups / width));
    };
    if (profile !== null) profile.timePass(this.#encoder, label, record);
    else record(this.#pass ??= this.#encoder.beginComputePass({ label: this.#label }));
  }

  /** Sets words to zero. */
  clear(target: PooledBuffer, firstWord: number, words: number): void {
    if (words === 0) return;
    this.#betweenPasses("clear", () => {
      this.#encoder.clearBuffer(target.buffer, 4 * firstWord, 4 * words);
    });
  }

  /** Copies words from one buffer to another. */
  copy(
    source: PooledBuffer,
    sourceWord: number,
    target: PooledBuffer,
    targetWord: number,
    words: number,
  ): void {
    if (words === 0) return;
    const [from, to] = [source.buffer, target.buffer];
    this.#betweenPasses("copy", () => {
      this.#encoder.copyBufferToBuffer(from, 4 * sourceWord, to, 4 * targetWord, 4 * words);
    });
  }

  /** Sends the work to the device. Buffers that it uses may be released from now on. */
  submit(): void {
    this.#endPass();
    const { device } = this.#context;
    for (const { buffer, data } of this.#uniforms) {
      device.gpu.queue.writeBuffer(buffer.buffer, 0, data);
    }
    device.gpu.queue.submit([this.#encoder.finish()]);
    for (const { buffer } of this.#uniforms) buffer.release();
    this.#uniforms.length = 0;
    this.#owned[Symbol.dispose]();
  }

  /** Sends what was recorded so far; what follows runs after it. */
  flush(): void {
    this.submit();
    this.#encoder = this.#context.device.gpu.createCommandEncoder({ label: this.#label });
    this.#uniformBytes = UNIFORM_BYTES;
  }

  /** Drops work that was not submitted. */
  [Symbol.dispose](): void {
    for (const { buffer } of this.#uniforms) buffer.release();
    this.#uniforms.length = 0;
    this.#owned[Symbol.dispose]();
  }

  #betweenPasses(label: string, record: () => void): void {
    this.#endPass();
    const { profile } = this.#context.device;
    if (profile === null) record();
    else profile.timeBetween(this.#encoder, label, record);
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = null;
  }

  /** Places parameters at the next aligned position of the uniform buffer. */
  #uniform(params: readonly number[]): GPUBufferBinding {
    const { gpu } = this.#context.device;
    const size = Math.max(16, Math.ceil(params.length / 4) * 16);
    const alignment = gpu.limits.minUniformBufferOffsetAlignment;
    let offset = Math.ceil(this.#uniformBytes / alignment) * alignment;
    if (offset + size > UNIFORM_BYTES) {
      const buffer = this.#context.pool.acquireUniform();
      this.#uniforms.push({ buffer, data: new Uint32Array(UNIFORM_BYTES / 4) });
      offset = 0;
    }
    const { buffer, data } = this.#uniforms.at(-1)!;
    data.set(params, offset / 4);
    this.#uniformBytes = offset + size;
    return { buffer: buffer.buffer, offset, size };
  }
}
