/**
 * A device that another thread has, with the methods of a `GPUDevice` that are used. Calls are posted
 * together when this thread comes to its next wait, and only results are waited for.
 *
 * @module
 */

import type { Gpu, GpuData, GpuQueue } from "../device/open_gpu.ts";
import type {
  Answers,
  Ask,
  DeviceCall,
  FromDevice,
  Make,
  OpenedAnswer,
  Recording,
  Remote,
} from "./calls.ts";
import { RemoteBuffer, RemoteEncoder, remoteOf } from "./remote_things.ts";

/** The thread that has the device, seen from the one that uses it. */
export interface DeviceThread {
  /** Sends calls; the buffers go over to the other thread. */
  post(calls: readonly DeviceCall[], transfer: ArrayBuffer[]): void;
  /** Whether somebody waits for the thread, so that the process must go on. */
  keepAlive(isWaitedFor: boolean): void;
  /** Ends the thread after all that it was sent; fulfilled when it has ended. */
  end(): Promise<void>;
}

/** Who waits for an answer. */
interface Waiting {
  answer(value: Answers[Ask["kind"]]): void;
  fail(error: Error): void;
}

/** A device of another thread. */
export class RemoteGpu extends EventTarget implements Gpu {
  readonly features: GPUSupportedFeatures;
  readonly limits: Gpu["limits"];
  readonly queue: GpuQueue;
  readonly #thread: DeviceThread;
  readonly #lost = Promise.withResolvers<{ readonly message: string }>();
  #calls: DeviceCall[] = [];
  #transfer: ArrayBuffer[] = [];
  #numThings = 0;
  #numQuestions = 0;
  readonly #waiting = new Map<number, Waiting>();
  #isGone = false;

  constructor(thread: DeviceThread, { features, limits }: OpenedAnswer) {
    super();
    this.#thread = thread;
    this.features = new Set(features) as unknown as GPUSupportedFeatures;
    this.limits = limits;
    this.queue = {
      writeBuffer: (buffer, offset, data) => this.#write(buffer, offset, data),
      submit: (works) => this.#submit(works),
      onSubmittedWorkDone: () => this.#ask({ kind: "workDone" }),
    };
  }

  /** Settled when the device is gone. */
  get lost(): Gpu["lost"] {
    return this.#lost.promise;
  }

  /** How often something was asked of the device. */
  get numAsked(): number {
    return this.#numQuestions;
  }

  /** Takes what the thread says. */
  take(message: FromDevice): void {
    switch (message.kind) {
      case "error": {
        const event = new Event("uncapturederror", { cancelable: true });
        this.dispatchEvent(Object.assign(event, { error: { message: message.message } }));
        break;
      }
      case "answer":
        this.#take(message.question)?.answer(message.value);
        break;
      case "failure":
        this.#take(message.question)?.fail(new Error(message.message));
        break;
    }
  }

  /** Ends all use of the device, for that reason. */
  lose(message: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#lost.resolve({ message });
    for (const { fail } of this.#waiting.values()) fail(new Error(message));
    this.#waiting.clear();
    this.#thread.keepAlive(false);
  }

  destroy(): Promise<void> {
    this.lose("it was destroyed");
    return this.#thread.end();
  }

  pushErrorScope(filter: GPUErrorFilter): undefined {
    this.#call({ call: "pushErrorScope", filter });
  }

  async popErrorScope(): Promise<GPUError | null> {
    return await this.#ask({ kind: "error" }) as GPUError | null;
  }

  createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer {
    const remote = this.#make({ kind: "buffer", descriptor });
    const read = (offset: number, size: number) =>
      this.#ask({ kind: "bytes", buffer: remote, offset, size });
    const destroy = () => this.#destroy(remote);
    return new RemoteBuffer(remote, descriptor, { read, destroy }) as unknown as GPUBuffer;
  }

  createQuerySet(descriptor: GPUQuerySetDescriptor): GPUQuerySet {
    const remote = this.#make({ kind: "querySet", descriptor });
    return { remote, destroy: () => this.#destroy(remote) } as unknown as GPUQuerySet;
  }

  createShaderModule(descriptor: GPUShaderModuleDescriptor): GPUShaderModule {
    const remote = this.#make({ kind: "module", descriptor });
    return { remote } as unknown as GPUShaderModule;
  }

  createBindGroupLayout(descriptor: GPUBindGroupLayoutDescriptor): GPUBindGroupLayout {
    const remote = this.#make({ kind: "layout", descriptor });
    return { remote } as unknown as GPUBindGroupLayout;
  }

  createPipelineLayout(descriptor: GPUPipelineLayoutDescriptor): GPUPipelineLayout {
    const { label = "", bindGroupLayouts } = descriptor;
    const layouts = bindGroupLayouts.map(remoteOf);
    const remote = this.#make({ kind: "pipelineLayout", label, layouts });
    return { remote } as unknown as GPUPipelineLayout;
  }

  async createComputePipelineAsync(
    descriptor: GPUComputePipelineDescriptor,
  ): Promise<GPUComputePipeline> {
    const { label = "", layout, compute } = descriptor;
    const remote = ++this.#numThings;
    const problem = await this.#ask({
      kind: "pipeline",
      made: remote,
      label,
      layout: remoteOf(layout as GPUPipelineLayout),
      module: remoteOf(compute.module),
      entry: compute.entryPoint!,
    });
    if (problem !== null) throw new GPUPipelineError(problem, { reason: "validation" });
    return { remote } as unknown as GPUComputePipeline;
  }

  /** The group is made where it is used, and given back after that. */
  createBindGroup(descriptor: GPUBindGroupDescriptor): GPUBindGroup {
    return descriptor as unknown as GPUBindGroup;
  }

  createCommandEncoder({ label = "" }: GPUCommandEncoderDescriptor = {}): GPUCommandEncoder {
    return new RemoteEncoder(label) as unknown as GPUCommandEncoder;
  }

  #write(buffer: GPUBuffer, offset: number, data: GpuData): void {
    const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    this.#call({ call: "write", buffer: remoteOf(buffer), offset, bytes }, bytes);
  }

  #submit(works: readonly GPUCommandBuffer[]): undefined {
    this.#call({ call: "submit", works: works as unknown as Recording[] });
  }

  #make(make: Make): Remote {
    const made = ++this.#numThings;
    this.#call({ call: "make", made, make });
    return made;
  }

  #destroy(thing: Remote): undefined {
    this.#call({ call: "destroy", thing });
  }

  #ask<K extends Ask["kind"]>(ask: Extract<Ask, { kind: K }>): Promise<Answers[K]> {
    const question = ++this.#numQuestions;
    const { promise, resolve, reject } = Promise.withResolvers<Answers[K]>();
    if (this.#isGone) {
      reject(new Error("The device is gone"));
      return promise;
    }
    if (this.#waiting.size === 0) this.#thread.keepAlive(true);
    this.#waiting.set(question, { answer: resolve as Waiting["answer"], fail: reject });
    this.#call({ call: "ask", question, ask });
    return promise;
  }

  /** Who waits for an answer, and does so no longer; nobody, when the device is gone. */
  #take(question: number): Waiting | undefined {
    const waiting = this.#waiting.get(question);
    if (this.#waiting.delete(question) && this.#waiting.size === 0) this.#thread.keepAlive(false);
    return waiting;
  }

  #call(call: DeviceCall, bytes?: ArrayBuffer): void {
    if (this.#isGone) return;
    if (bytes !== undefined) this.#transfer.push(bytes);
    if (this.#calls.push(call) === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const [calls, transfer] = [this.#calls, this.#transfer];
    this.#calls = [];
    this.#transfer = [];
    if (this.#isGone) return;
    try {
      this.#thread.post(calls, transfer);
    } catch (error) {
      this.lose(`its thread cannot be told what to do: ${error}`);
    }
  }
}
