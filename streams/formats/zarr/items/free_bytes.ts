/**
 * Frees memory before the garbage collector does.
 *
 * @module
 */

/** The least size of a buffer to free; smaller ones may be parts of a pool of the runtime. */
const leastBytes = 64 << 10;

/**
 * Moves the output of a compiled codec for `input` to `target`, and frees its buffer if nothing else is in
 * it. Output that does not fit is returned as it is.
 */
export function movedTo(target: Uint8Array, made: Uint8Array, input: Uint8Array): Uint8Array {
  if (made.length > target.length) return made;
  const moved = target.subarray(0, made.length);
  moved.set(made);
  const { buffer } = made;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === made.length &&
    buffer !== input.buffer && buffer !== target.buffer;
  if (isAlone) buffer.transfer(0);
  return moved;
}

/**
 * Frees the whole buffer that contains bytes, which nothing else may use. The collector learns of buffers
 * late, and a loop over chunks would leave it 100 MiB of them.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= leastBytes) buffer.transfer(0);
}
