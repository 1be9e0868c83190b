/**
 * What a device of another thread makes: buffers, which are read from here, and encoders, which record.
 *
 * @module
 */

import type { EncoderCall, PassCall, PassTimestamps, Recording, Remote } from "./calls.ts";

/** The number of what a `RemoteGpu` has made. */
export function remoteOf(thing: object): Remote {
  return (thing as { readonly remote: Remote }).remote;
}

/** What a buffer lets its device do. */
interface BufferCalls {
  read(offset: number, size: number): Promise<ArrayBuffer>;
  destroy(): void;
}

/** A buffer of another thread's device. To map it for reading brings its bytes here. */
export class RemoteBuffer
  implements
    Pick<GPUBuffer, "label" | "size" | "mapAsync" | "getMappedRange" | "unmap" | "destroy"> {
  readonly remote: Remote;
  label: string;
  readonly size: number;
  readonly #calls: BufferCalls;
  #mapped: { readonly offset: number; readonly bytes: ArrayBuffer } | null = null;

  constructor(remote: Remote, { label = "", size }: GPUBufferDescriptor, calls: BufferCalls) {
    this.remote = remote;
    this.label = label;
    this.size = size;
    this.#calls = calls;
  }

  async mapAsync(
    _mode: GPUMapModeFlags,
    offset = 0,
    size = this.size - offset,
  ): Promise<undefined> {
    this.#mapped = { offset, bytes: await this.#calls.read(offset, size) };
  }

  /** A copy of the range; all of it, once, without a copy. */
  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer {
    const { offset: first, bytes } = this.#mapped!;
    return offset === first && size === bytes.byteLength
      ? bytes
      : bytes.slice(offset - first, offset - first + size);
  }

  unmap(): undefined {
    this.#mapped = null;
  }

  destroy(): undefined {
    this.#calls.destroy();
  }
}

/** An encoder that records. */
export class RemoteEncoder implements
  Pick<
    GPUCommandEncoder,
    "beginComputePass" | "copyBufferToBuffer" | "clearBuffer" | "resolveQuerySet"
  > {
  readonly #label: string;
  readonly #calls: EncoderCall[] = [];

  constructor(label: string) {
    this.#label = label;
  }

  beginComputePass(
    { label = "", timestampWrites }: GPUComputePassDescriptor = {},
  ): GPUComputePassEncoder {
    const calls: PassCall[] = [];
    this.#calls.push({
      call: "pass",
      label,
      calls,
      ...(timestampWrites === undefined ? {} : { timestamps: timestampsOf(timestampWrites) }),
    });
    return new RemotePass(calls) as unknown as GPUComputePassEncoder;
  }

  copyBufferToBuffer(
    source: GPUBuffer,
    sourceOffset: number,
    target: GPUBuffer,
    targetOffset: number,
    size: number,
  ): undefined {
    const [from, to] = [remoteOf(source), remoteOf(target)];
    this.#calls.push({ call: "copy", source: from, sourceOffset, target: to, targetOffset, size });
  }

  clearBuffer(buffer: GPUBuffer, offset = 0, size = buffer.size - offset): undefined {
    this.#calls.push({ call: "clear", buffer: remoteOf(buffer), offset, size });
  }

  resolveQuerySet(
    querySet: GPUQuerySet,
    first: number,
    count: number,
    target: GPUBuffer,
    offset: number,
  ): undefined {
    const [set, to] = [remoteOf(querySet), remoteOf(target)];
    this.#calls.push({ call: "resolve", querySet: set, first, count, target: to, offset });
  }

  finish(): GPUCommandBuffer {
    const recording: Recording = { label: this.#label, calls: this.#calls };
    return recording as unknown as GPUCommandBuffer;
  }
}

function timestampsOf({ querySet, ...ends }: GPUComputePassTimestampWrites): PassTimestamps {
  return { querySet: remoteOf(querySet), ...ends };
}

/** A pass that records. */
class RemotePass
  implements Pick<GPUComputePassEncoder, "setPipeline" | "dispatchWorkgroups" | "end"> {
  readonly #calls: PassCall[];

  constructor(calls: PassCall[]) {
    this.#calls = calls;
  }

  setPipeline(pipeline: GPUComputePipeline): undefined {
    this.#calls.push({ call: "setPipeline", pipeline: remoteOf(pipeline) });
  }

  setBindGroup(_index: 0, group: GPUBindGroup): undefined {
    const { label = "", layout, entries } = group as unknown as GPUBindGroupDescriptor;
    const bindings = entries.map(({ binding, resource }) => {
      const { buffer, offset = 0, size } = resource as Required<GPUBufferBinding>;
      return { binding, buffer: remoteOf(buffer), offset, size };
    });
    this.#calls.push({ call: "setBindings", label, layout: remoteOf(layout), bindings });
  }

  dispatchWorkgroups(x: number, y = 1): undefined {
    this.#calls.push({ call: "dispatch", x, y });
  }

  end(): undefined {}
}
