/**
 * The life of a thread, in memory that it shares with its owner, the thread that started it: whether it
 * runs, and its number of jobs. An idle thread leaves after a while. Neither side ever waits for the
 * other:
 *
 *     jobs = 0 --claim, by the owner--> 1 --claim--> 2 ...      each job: --finish, by the thread--> one less
 *     jobs = 0 --leave, by the thread--> GONE                    claim fails from then on
 *
 * Each arrow is one atomic operation, so a thread never leaves with a claimed job.
 *
 * @module
 */

/** The number of words that a life takes. */
export const LIFE_WORDS = 2;

const STARTED = 0;
const JOBS = 1;
const GONE = -1;

/** The life of a thread. Each side has one, over the same memory. */
export class ThreadLife {
  /** The shared memory, as it is sent to the thread. */
  readonly words: Int32Array;
  readonly #at: number;

  /** Uses the words from `at` on, which must be 0 before the thread starts. */
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

  /** The number of claimed jobs that are not finished. */
  get numJobs(): number {
    return Math.max(0, Atomics.load(this.words, this.#at + JOBS));
  }

  /** For the owner, before it sends a job: keeps the thread from leaving. Returns false if it has left. */
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

  /** For the thread: leaves, unless it has a claimed job. Returns whether it left. */
  leave(): boolean {
    return Atomics.compareExchange(this.words, this.#at + JOBS, 0, GONE) === 0;
  }
}

/** A limit on the wait for a word to change. */
interface WordWait {
  readonly ms: number;
  /** Milliseconds of spinning before the thread sleeps: short waits are cheaper awake. */
  readonly awakeMs: number;
}

/** Waits until a word of shared memory differs from `value`. Returns false if it does not within `ms`. */
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
