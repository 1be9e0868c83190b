/**
 * Waits that nobody awaited: Deno fulfills the promise of `mapAsync` 10 ms after the buffer was mapped,
 * and Sluice awaits it only when it closes the device. A test that leaves its device open would leave it.
 */

const left = new Set<Promise<unknown>>();

/** Notes the promises of `mapAsync` from now on. */
export function noteMaps(): void {
  if (typeof GPUBuffer === "undefined") return;
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = function (...args) {
    const promise = mapAsync.apply(this, args);
    left.add(promise);
    const forget = () => left.delete(promise);
    promise.then(forget, forget);
    return promise;
  };
}

/** Fulfilled when no promise is left. */
export async function leftMaps(): Promise<void> {
  await Promise.allSettled(left);
}
