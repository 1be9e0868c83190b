/**
 * Makes the calls that another thread wants to be made of a device, in their order.
 *
 * @module
 */

import type {
  Answers,
  Ask,
  DeviceCall,
  EncoderCall,
  FromDevice,
  Make,
  PassCall,
  Recording,
  Remote,
} from "./calls.ts";

const MAP_READ = 1;

/** Sends an answer, of which some buffers go over to the other thread. */
type Send = (message: FromDevice, transfer?: ArrayBuffer[]) => void;

/** Makes calls of one device. */
export class Player {
  readonly #gpu: GPUDevice;
  readonly #send: Send;
  /** What was made, by its number. Only what takes memory of the device is ever destroyed. */
  readonly #things = new Map<Remote, object>();

  constructor(gpu: GPUDevice, send: Send) {
    this.#gpu = gpu;
    this.#send = send;
  }

  /** Makes a call. One that cannot be made is an error of the device. */
  play(call: DeviceCall): void {
    try {
      this.#play(call);
    } catch (error) {
      this.#send({ kind: "error", message: String(error) });
    }
  }

  /** Gives the device back, when all that was submitted is done. */
  async close(): Promise<void> {
    const workDone = this.#gpu.queue.onSubmittedWorkDone().catch(() => {});
    await Promise.race([workDone, this.#gpu.lost]);
    this.#things.clear();
    this.#gpu.destroy();
  }

  #play(call: DeviceCall): void {
    switch (call.call) {
      case "make":
        this.#things.set(call.made, this.#make(call.make));
        break;
      case "ask":
        void this.#answer(call.question, call.ask);
        break;
      case "pushErrorScope":
        this.#gpu.pushErrorScope(call.filter);
        break;
      case "write":
        this.#gpu.queue.writeBuffer(this.#thing(call.buffer), call.offset, call.bytes);
        // Frees the bytes now; garbage is collected later.
        call.bytes.transfer(0);
        break;
      case "submit":
        this.#gpu.queue.submit(call.works.map((work) => this.#encode(work)));
        break;
      case "destroy":
        this.#thing<GPUBuffer | GPUQuerySet>(call.thing).destroy();
        this.#things.delete(call.thing);
        break;
    }
  }

  #make(make: Make): object {
    switch (make.kind) {
      case "buffer":
        return this.#gpu.createBuffer(make.descriptor);
      case "querySet":
        return this.#gpu.createQuerySet(make.descriptor);
      case "module":
        return this.#gpu.createShaderModule(make.descriptor);
      case "layout":
        return this.#gpu.createBindGroupLayout(make.descriptor);
      case "pipelineLayout": {
        const bindGroupLayouts = make.layouts.map((k) => this.#thing<GPUBindGroupLayout>(k));
        return this.#gpu.createPipelineLayout({ label: make.label, bindGroupLayouts });
      }
    }
  }

  async #answer(question: number, ask: Ask): Promise<void> {
    try {
      const value = await this.#ask(ask);
      const transfer = value instanceof ArrayBuffer ? [value] : [];
      this.#send({ kind: "answer", question, value }, transfer);
    } catch (error) {
      this.#send({ kind: "failure", question, message: String(error) });
    }
  }

  async #ask(ask: Ask): Promise<Answers[Ask["kind"]]> {
    switch (ask.kind) {
      case "error": {
        const error = await this.#gpu.popErrorScope();
        return error && { message: error.message };
      }
      case "workDone":
        return await this.#gpu.queue.onSubmittedWorkDone();
      case "pipeline":
        return await this.#compile(ask);
      case "bytes": {
        const buffer = this.#thing<GPUBuffer>(ask.buffer);
        await buffer.mapAsync(MAP_READ, ask.offset, ask.size);
        // A mapped range is already a copy; transfer lets it outlive the mapping.
        const bytes = buffer.getMappedRange(ask.offset, ask.size).transfer();
        buffer.unmap();
        return bytes;
      }
    }
  }

  async #compile(ask: Extract<Ask, { kind: "pipeline" }>): Promise<string | null> {
    try {
      const pipeline = await this.#gpu.createComputePipelineAsync({
        label: ask.label,
        layout: this.#thing<GPUPipelineLayout>(ask.layout),
        compute: { module: this.#thing<GPUShaderModule>(ask.module), entryPoint: ask.entry },
      });
      this.#things.set(ask.made, pipeline);
      return null;
    } catch (error) {
      if (error instanceof GPUPipelineError) return error.message;
      throw error;
    }
  }

  #encode({ label, calls }: Recording): GPUCommandBuffer {
    const encoder = this.#gpu.createCommandEncoder({ label });
    for (const call of calls) this.#record(encoder, call);
    return encoder.finish();
  }

  #record(encoder: GPUCommandEncoder, call: EncoderCall): void {
    switch (call.call) {
      case "copy": {
        const [source, target] = [call.source, call.target].map((k) => this.#thing<GPUBuffer>(k));
        const { sourceOffset, targetOffset, size } = call;
        encoder.copyBufferToBuffer(source!, sourceOffset, target!, targetOffset, size);
        break;
      }
      case "clear":
        encoder.clearBuffer(this.#thing(call.buffer), call.offset, call.size);
        break;
      case "resolve": {
        const [querySet, target] = [this.#thing<GPUQuerySet>(call.querySet), call.target];
        const { first, count, offset } = call;
        encoder.resolveQuerySet(querySet, first, count, this.#thing(target), offset);
        break;
      }
      case "pass": {
        const { label, timestamps, calls } = call;
        const timestampWrites = timestamps &&
          { ...timestamps, querySet: this.#thing<GPUQuerySet>(timestamps.querySet) };
        const pass = encoder.beginComputePass(
          timestampWrites === undefined ? { label } : { label, timestampWrites },
        );
        for (const call of calls) this.#recordInPass(pass, call);
        pass.end();
        break;
      }
    }
  }

  #recordInPass(pass: GPUComputePassEncoder, call: PassCall): void {
    switch (call.call) {
      case "setPipeline":
        pass.setPipeline(this.#thing(call.pipeline));
        break;
      case "setBindings": {
        const entries = call.bindings.map(({ binding, buffer, offset, size }) => ({
          binding,
          resource: { buffer: this.#thing<GPUBuffer>(buffer), offset, size },
        }));
        const { label, layout } = call;
        pass.setBindGroup(
          0,
          this.#gpu.createBindGroup({ label, layout: this.#thing(layout), entries }),
        );
        break;
      }
      case "dispatch":
        pass.dispatchWorkgroups(call.x, call.y);
        break;
    }
  }

  #thing<T extends object>(number: Remote): T {
    const thing = this.#things.get(number);
    if (thing === undefined) throw new TypeError(`The device has no thing with number ${number}`);
    return thing as T;
  }
}
