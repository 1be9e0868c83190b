/**
 * Tasks that threads divide among themselves by a counter in shared memory.
 *
 * @module
 */

/** A number above that of the tasks of any queue, which a word can still count beyond. */
const STOPPED = 2 ** 30;

/**
 * Tasks that threads share, numbered from 0. A free thread takes the next one, so that no thread waits for
 * messages. Also counts the bytes of finished tasks.
 */
export class SharedQueue {
  /** The shared memory, as it is sent to the threads. */
  readonly buffer: SharedArrayBuffer;
  readonly #next: Int32Array<SharedArrayBuffer>;
  readonly #bytes: BigInt64Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer;
    this.#next = new Int32Array(buffer, 0, 1);
    this.#bytes = new BigInt64Array(buffer, 8, 1);
  }

  /** Begins again with the first task and no bytes. Call it only while no thread takes tasks. */
  reset(): void {
    Atomics.store(this.#next, 0, 0);
    Atomics.store(this.#bytes, 0, 0n);
  }

  /** Takes the next of `numTasks` tasks; undefined if none is left. */
  take(numTasks: number): number | undefined {
    const task = Atomics.add(this.#next, 0, 1);
    return task < numTasks ? task : undefined;
  }

  /** Makes `take` return no more tasks. */
  stop(): void {
    Atomics.store(this.#next, 0, STOPPED);
  }

  /** Adds the bytes of a finished task. */
  addBytes(numBytes: number): void {
    Atomics.add(this.#bytes, 0, BigInt(numBytes));
  }

  /** The bytes of all finished tasks. */
  get bytes(): number {
    return Number(Atomics.load(this.#bytes, 0));
  }
}
