/**
 * A thread that computes parts, as the main thread sees it.
 *
 * @module
 */

import { AwaitedAnswers } from "../../../base/threads/awaited_answers.ts";
import { ThreadLife } from "../../../base/threads/life.ts";
import type { StartThread, Thread } from "../../../base/threads/thread.ts";
import { type PartBatch, PartBuffer } from "./part_batch.ts";
import {
  CONTROL_WORDS,
  type FromPartWorker,
  NUM_TURNS,
  SKIPPED_AT,
  type ToPartWorker,
} from "./part_messages.ts";

/** Starts a thread that computes parts. */
export type StartPartWorker<State, Batch, Answer> = StartThread<
  ToPartWorker<State, Batch>,
  FromPartWorker<Answer>
>;

/** A part for a worker. */
interface SentPart<State, Batch> {
  /** The number and the state of its owner. */
  readonly of: number;
  readonly state: State;
  readonly batch: Batch;
  /** The milliseconds to wait for the answer; a second part in flight gets twice as long. */
  readonly patienceMs: number;
}

/** A worker, seen from the main thread. */
export class PartWorker<State extends object, Batch extends PartBatch, Answer> {
  readonly #life = new ThreadLife(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  readonly #thread: Thread<ToPartWorker<State, Batch>>;
  /** The memory of the parts, by turn. */
  readonly #buffers = Array.from({ length: NUM_TURNS }, () => new PartBuffer());
  readonly #answers = new AwaitedAnswers<Answer>();
  /** The times at which unfinished parts were sent, by turn. */
  readonly #sentMs: number[] = [];
  /** The states that the worker has. */
  readonly #states = new WeakSet<State>();
  #numParts = 0;
  #isClosed = false;
  #isBroken = false;
  /** The number of parts that failed in the worker, plus 1 if an error ended it. */
  numFailed = 0;
  /** The number of parts that the worker was late with. */
  numLate = 0;

  /** Starts the worker; throws if none can start. */
  constructor(start: StartPartWorker<State, Batch, Answer>) {
    this.#thread = start({
      onMessage: ({ part, answer }) => {
        if (answer === null) this.numFailed++;
        this.#answers.answer(part, answer);
      },
      onLost: () => {
        if (this.isHere) this.numFailed++;
        this.close();
      },
    });
    this.#thread.send({ control: this.#life.words });
  }

  /** Whether the worker runs. */
  get isHere(): boolean {
    return !this.#isClosed && this.#life.isHere;
  }

  /** Whether an error ended the worker, or it was closed while it ran. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether the worker was closed, or has left because it had no work. */
  get isGone(): boolean {
    return this.#isClosed || this.#life.isGone;
  }

  /**
   * Whether the worker can take another part. A part that it is late with still occupies its
   * memory.
   */
  get isFree(): boolean {
    return this.isHere && this.#life.numJobs < NUM_TURNS;
  }

  /** The milliseconds since the oldest unfinished part was sent; 0 if there is none. */
  get busyMs(): number {
    const oldest = this.#numDone;
    return oldest < this.#numParts ? performance.now() - this.#sentMs[oldest % NUM_TURNS]! : 0;
  }

  /**
   * Sends a part and returns its answer; null if it failed, was lost, or did not come in time. To
   * be called only while `isFree`.
   */
  compute(
    { of, state, batch, patienceMs }: SentPart<State, Batch>,
  ): Promise<Answer | null> {
    if (!this.#life.claim()) {
      this.close();
      return Promise.resolve(null);
    }
    const part = this.#numParts++;
    const turn = part % NUM_TURNS;
    if (!this.#states.has(state)) {
      this.#states.add(state);
      this.#thread.send({ owner: of, state });
    }
    this.#sentMs[turn] = performance.now();
    const answer = this.#answers.wait(part, {
      ms: (part + 1 - this.#numDone) * patienceMs,
      isOnItsWay: () => this.#numDone > part,
      onLate: () => {
        this.numLate++;
        // A worker that has not begun the part skips it.
        Atomics.store(this.#life.words, SKIPPED_AT + turn, part + 1);
      },
    });
    this.#thread.send({ part, turn, of, batch: this.#buffers[turn]!.fill(batch) });
    return answer;
  }

  /** Lets the worker forget an owner. */
  forget(owner: number): void {
    if (!this.isGone) this.#thread.send({ owner, state: null });
  }

  /** Ends the worker. The main thread computes the parts that have no answer. */
  close(): void {
    if (this.#isClosed) return;
    this.#isBroken = !this.#life.isGone;
    this.#isClosed = true;
    this.#thread.end();
    this.#answers.lose();
  }

  get #numDone(): number {
    return this.#numParts - this.#life.numJobs;
  }
}
