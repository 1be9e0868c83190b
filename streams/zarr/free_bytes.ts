/**
 * Memory that is given back before the garbage collector would.
 *
 * @module
 */

/** Buffers of fewer bytes are left to the collector: some are parts of a pool of the runtime. */
const leastBytes = 64 << 10;

/**
 * Frees the whole buffer in which bytes lie. No one else may use any of it. The collector learns late
 * of buffers, and a loop over chunks would leave it 100 MiB of them.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= leastBytes) buffer.transfer(0);
}
