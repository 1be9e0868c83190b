/**
 * Records the calls of WebGPU on a device, by wrapped prototypes. The
 * counters of a backend state its intentions; these state what arrived.
 */

/** The work of some calls. */
interface DeviceWork {
  /** The labels of the dispatches, in order. */
  readonly dispatches: string[];
  /** Bytes of the storage buffers that each of them reaches, each buffer once. */
  readonly boundBytes: number[];
  submits: number;
  /** Submits without any command. */
  emptySubmits: number;
  /** Bytes that the host writes, in how many calls. */
  writes: number;
  writtenBytes: number;
  clears: number;
  copies: number;
  maps: number;
}

// deno-lint-ignore no-explicit-any
type Method = (this: any, ...args: any[]) => any;

/** Runs something, and tells what it asked of the devices of this thread meanwhile. */
export async function deviceWork(run: () => Promise<void>): Promise<DeviceWork> {
  const work: DeviceWork = {
    ...{ dispatches: [], boundBytes: [], submits: 0, emptySubmits: 0 },
    ...{ writes: 0, writtenBytes: 0, clears: 0, copies: 0, maps: 0 },
  };
  const bound = new WeakMap<object, { label: string; bytes: number }>();
  const current = new WeakMap<object, object>();
  const full = new WeakSet<object>();
  const encoders = new WeakSet<object>();
  const restore: (() => void)[] = [];
  /** Calls `after` with the result and the arguments of each call. */
  const watch = (
    type: { readonly prototype: object },
    name: string,
    after: (self: object, result: unknown, args: readonly unknown[]) => void,
  ) => {
    const prototype = type.prototype as Record<string, Method>;
    const method = prototype[name]!;
    prototype[name] = function (...args) {
      const result = method.apply(this, args);
      after(this, result, args);
      return result;
    };
    restore.push(() => prototype[name] = method);
  };
  watch(GPUDevice, "createBindGroup", (_, group, [descriptor]) => {
    const { label = "", entries } = descriptor as GPUBindGroupDescriptor;
    const sizes = new Map<GPUBuffer, number>();
    for (const { binding, resource } of entries) {
      const { buffer, size } = resource as GPUBufferBinding;
      if (binding > 0) sizes.set(buffer, size ?? buffer.size);
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    bound.set(group as object, { label, bytes });
  });
  watch(
    GPUComputePassEncoder,
    "setBindGroup",
    (pass, _, [, group]) => void current.set(pass, group as object),
  );
  watch(GPUComputePassEncoder, "dispatchWorkgroups", (pass) => {
    const { label, bytes } = bound.get(current.get(pass)!)!;
    work.dispatches.push(label);
    work.boundBytes.push(bytes);
  });
  watch(GPUCommandEncoder, "beginComputePass", (encoder) => void encoders.add(encoder));
  watch(GPUCommandEncoder, "clearBuffer", (encoder) => {
    encoders.add(encoder);
    work.clears++;
  });
  watch(GPUCommandEncoder, "copyBufferToBuffer", (encoder) => {
    encoders.add(encoder);
    work.copies++;
  });
  watch(GPUCommandEncoder, "finish", (encoder, commands) => {
    if (encoders.has(encoder)) full.add(commands as object);
  });
  watch(GPUQueue, "submit", (_, __, [commands]) => {
    work.submits++;
    if (![...commands as Iterable<object>].some((each) => full.has(each))) work.emptySubmits++;
  });
  watch(GPUQueue, "writeBuffer", (_, __, [, , data, start, size]) => {
    const view = data as ArrayBufferView;
    const each = (view as Uint8Array).BYTES_PER_ELEMENT ?? 1;
    work.writes++;
    work.writtenBytes += size === undefined
      ? view.byteLength - each * ((start as number | undefined) ?? 0)
      : each * (size as number);
  });
  watch(GPUBuffer, "mapAsync", () => void work.maps++);
  try {
    await run();
  } finally {
    restore.forEach((undo) => undo());
  }
  return work;
}
