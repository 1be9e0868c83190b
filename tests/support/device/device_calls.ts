/** What is asked of WebGPU on this thread, counted where it is asked. */

/** Calls since the counting began. */
interface DeviceCalls {
  dispatches: number;
  submits: number;
  maps: number;
}

/** Counts the calls that `run` makes. */
export async function deviceCalls(run: () => Promise<void>): Promise<DeviceCalls> {
  const calls = { dispatches: 0, submits: 0, maps: 0 };
  const restore = [
    counted(GPUComputePassEncoder.prototype, "dispatchWorkgroups", () => calls.dispatches++),
    counted(GPUQueue.prototype, "submit", () => calls.submits++),
    counted(GPUBuffer.prototype, "mapAsync", () => calls.maps++),
  ];
  try {
    await run();
  } finally {
    for (const each of restore) each();
  }
  return calls;
}

/** Wraps a method; returns what takes the wrapper away. */
function counted<K extends string, T extends Record<K, (...args: never[]) => unknown>>(
  prototype: T,
  name: K,
  count: () => void,
): () => void {
  const method = prototype[name];
  prototype[name] = function (this: T, ...args: never[]) {
    count();
    return method.apply(this, args);
  } as T[K];
  return () => {
    prototype[name] = method;
  };
}
