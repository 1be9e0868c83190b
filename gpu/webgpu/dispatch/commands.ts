/**
 * Records work for the device and submits it as one command buffer.
 *
 * Each dispatch has its own parameters. They share uniform buffers, which are written at
 * submission, only as far as they are filled, and released right after.
 *
 * @module
 */

import { type PooledBuffer, UNIFORM_BYTES } from "../memory/buffer_pool.ts";
import { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "./webgpu_context.ts";
import type { Pipeline } from "./pipelines.ts";

/** The most workgroups in one dimension of a dispatch. */
const MAX_GRID_WIDTH = 65_535;

/** A dispatch of a kernel. */
interface Dispatch {
  /** The contents of binding 0, 32 bits each, at most 1,024 of them; padded to whole vec4. */
  readonly params: readonly number[];
  /** The buffers of bindings 1, 2, ...; no buffer is both read and written. */
  readonly storage: readonly PooledBuffer[];
  /**
   * The number of workgroups. More than 65,535 become a grid that may be a little too large, so a
   * kernel computes its number as `workgroup_id.x + workgroup_id.y * num_workgroups.x` and checks
   * its bounds. With 0, nothing runs.
   */
  readonly workgroups: number;
}

/** A uniform buffer and the parameters for it. */
interface Uniforms {
  readonly buffer: PooledBuffer;
  /** The parameters, each with its first word. */
  readonly parts: { readonly word: number; readonly params: readonly number[] }[];
  /** The bytes up to the end of the last parameters. */
  bytes: number;
}

/** Work that runs in order: `using commands = new Commands(...)`, then `submit` at the end. */
export class Commands implements Disposable {
  readonly #context: WebGpuContext;
  #encoder: GPUCommandEncoder;
  #pass: GPUComputePassEncoder | null = null;
  readonly #label: string;
  readonly #uniforms: Uniforms[] = [];
  /** Whether nothing was recorded since the last submit. */
  #isEmpty = true;
  readonly #owned = new Scope();

  constructor(context: WebGpuContext, label: string) {
    context.device.check();
    this.#context = context;
    this.#label = label;
    this.#encoder = context.device.gpu.createCommandEncoder({ label });
  }

  /** Owns a buffer until the work is submitted. */
  own(buffer: PooledBuffer): PooledBuffer {
    return this.#owned.own(buffer);
  }

  /** Records a dispatch. */
  dispatch(pipeline: Pipeline, { params, storage, workgroups }: Dispatch): void {
    if (workgroups === 0) return;
    const { gpu, counters, profile } = this.#context.device;
    counters.dispatches++;
    this.#isEmpty = false;
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

  /** Records that words become zero. */
  clear(target: PooledBuffer, firstWord: number, words: number): void {
    if (words === 0) return;
    this.#betweenPasses("clear", () => {
      this.#encoder.clearBuffer(target.buffer, 4 * firstWord, 4 * words);
    });
  }

  /** Records a copy of words from one buffer to another. */
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

  /** Submits the recorded work, if there is any. Its buffers may be released from now on. */
  submit(): void {
    this.#endPass();
    const { queue } = this.#context.device.gpu;
    for (const { buffer, parts, bytes } of this.#uniforms) {
      const data = new Uint32Array(bytes / 4);
      for (const { word, params } of parts) data.set(params, word);
      queue.writeBuffer(buffer.buffer, 0, data);
    }
    if (!this.#isEmpty) queue.submit([this.#encoder.finish()]);
    for (const { buffer } of this.#uniforms) buffer.release();
    this.#uniforms.length = 0;
    this.#owned[Symbol.dispose]();
  }

  /** Submits what was recorded so far; later work runs after it. */
  flush(): void {
    this.submit();
    this.#encoder = this.#context.device.gpu.createCommandEncoder({ label: this.#label });
    this.#isEmpty = true;
  }

  /** Drops the work that was not submitted. */
  [Symbol.dispose](): void {
    for (const { buffer } of this.#uniforms) buffer.release();
    this.#uniforms.length = 0;
    this.#owned[Symbol.dispose]();
  }

  #betweenPasses(label: string, record: () => void): void {
    this.#endPass();
    this.#isEmpty = false;
    const { profile } = this.#context.device;
    if (profile === null) record();
    else profile.timeBetween(this.#encoder, label, record);
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = null;
  }

  /** Reserves the next aligned place in a uniform buffer for parameters. */
  #uniform(params: readonly number[]): GPUBufferBinding {
    const size = Math.max(16, Math.ceil(params.length / 4) * 16);
    const alignment = this.#context.device.gpu.limits.minUniformBufferOffsetAlignment;
    let last = this.#uniforms.at(-1);
    let offset = Math.ceil((last?.bytes ?? 0) / alignment) * alignment;
    if (last === undefined || offset + size > UNIFORM_BYTES) {
      last = { buffer: this.#context.pool.acquireUniform(), parts: [], bytes: 0 };
      this.#uniforms.push(last);
      offset = 0;
    }
    last.parts.push({ word: offset / 4, params });
    last.bytes = offset + size;
    return { buffer: last.buffer.buffer, offset, size };
  }
}
