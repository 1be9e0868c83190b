/**
 * The life of a thread, in memory that it shares with the one that started it: whether it is there, and
 * how many jobs it has. A thread leaves when it has had none for a while, and neither side ever
 * waits for the other:
 *
 *     jobs = 0 --claim, by the owner--> 1 --claim--> 2 ...      each job: --finish, by the thread--> one less
 *     jobs = 0 --leave, by the thread--> GONE                    claim fails from then on
 *
 * Each arrow is one atomic operation, so a job that was claimed is never lost to a thread that leaves.
 *
 * @module
 */

/** Words of memory that a life takes. */
export const LIFE_WORDS = 2;

const STARTED = 0;
const JOBS = 1;
const GONE = -1;

/** The life of a thread. Both sides have one, over the same memory. */
export class ThreadLife {
  /** The shared memory, as it is sent to the thread. */
  readonly words: Int32Array;
  readonly #at: number;

  /** Uses the words from `at` on, which are 0 before the thread starts. */
  constructor(
    words: Int32Array = new Int32Array(new SharedArrayBuffer(4 * LIFE_WORDS)),
    at = 0,
  ) {
    this.words = words;
    this.#at = at;
  }

  /** Whether the thread has ever run. */
  get hasStarted(): boolean {
    return Atomics.load(this.words, this.#at + STARTED) !== 0;
  }

  /** Whether the thread runs. */
  get isHere(): boolean {
    return this.hasStarted && !this.isGone;
  }

  /** Whether the thread has left. */
  get isGone(): boolean {
    return Atomics.load(this.words, this.#at + JOBS) === GONE;
  }

  /** The number of jobs that were claimed and are not finished. */
  get numJobs(): number {
    return Math.max(0, Atomics.load(this.words, this.#at + JOBS));
  }

  /** For the owner, before it sends a job: keeps the thread there. False where it has left. */
  claim(): boolean {
    for (;;) {
      const jobs = Atomics.load(this.words, this.#at + JOBS);
      if (jobs === GONE) return false;
      if (Atomics.compareExchange(this.words, this.#at + JOBS, jobs, jobs + 1) === jobs) {
        return true;
      }
    }
  }

  /** For the thread: notes that it runs. */
  start(): void {
    Atomics.store(this.words, this.#at + STARTED, 1);
  }

  /** For the thread: notes that a job is finished. */
  finish(): void {
    Atomics.sub(this.words, this.#at + JOBS, 1);
  }

  /** For the thread: leaves, unless it has a job or one is on its way. */
  leave(): boolean {
    return Atomics.compareExchange(this.words, this.#at + JOBS, 0, GONE) === 0;
  }
}

/** How long to wait for a word to change. */
export interface WordWait {
  readonly ms: number;
  /** Milliseconds to look again and again before the thread sleeps: short waits are cheaper awake. */
  readonly awakeMs: number;
}

/** Waits until a word of shared memory has another value than `value`; false if it still has it. */
export function waitForChange(
  words: Int32Array,
  at: number,
  value: number,
  { ms, awakeMs }: WordWait,
): boolean {
  const start = performance.now();
  while (Atomics.load(words, at) === value) {
    const elapsed = performance.now() - start;
    if (elapsed >= ms) return false;
    if (elapsed < awakeMs) continue;
    Atomics.wait(words, at, value, ms - elapsed);
  }
  return true;
}
