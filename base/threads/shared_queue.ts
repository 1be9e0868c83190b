/**
 * Tasks that threads divide among themselves by a counter in shared memory.
 *
 * @module
 */

/** More than any queue has tasks, and far from what a word cannot count. */
const STOPPED = 2 ** 30;

/**
 * Tasks that threads share, numbered from 0: whoever is free takes the next one, so that no thread waits
 * for messages. Counts the bytes of what is done.
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

  /** Begins again with the first task and no bytes, while no thread takes any. */
  reset(): void {
    Atomics.store(this.#next, 0, 0);
    Atomics.store(this.#bytes, 0, 0n);
  }

  /** Takes the next of some tasks; undefined where none is left. */
  take(numTasks: number): number | undefined {
    const task = Atomics.add(this.#next, 0, 1);
    return task < numTasks ? task : undefined;
  }

  /** Leaves no task to be taken. */
  stop(): void {
    Atomics.store(this.#next, 0, STOPPED);
  }

  /** Adds bytes of a task that is done. */
  addBytes(numBytes: number): void {
    Atomics.add(this.#bytes, 0, BigInt(numBytes));
  }

  /** Bytes of all tasks that are done. */
  get bytes(): number {
    return Number(Atomics.load(this.#bytes, 0));
  }
}
