/**
 * A thread that probes, as the main thread sees it.
 *
 * @module
 */

import { AwaitedAnswers } from "../../../../base/threads/awaited_answers.ts";
import { ThreadLife } from "../../../../base/threads/life.ts";
import { type StartThread, type Thread, threadStarter } from "../../../../base/threads/thread.ts";
import { Crate } from "../../parts/part_batch.ts";
import type { ProbeBatch } from "../probe_batch.ts";
import type { ProbeAnswer } from "../probe_answer.ts";
import type { TablePlaces } from "../table_places.ts";
import {
  CONTROL_WORDS,
  type FromJoinWorker,
  NUM_TURNS,
  SKIPPED_AT,
  type ToJoinWorker,
} from "./join_messages.ts";
import { joinProgram } from "./join_program.ts";

/** Starts a thread that probes. */
export type StartJoinWorker = StartThread<ToJoinWorker, FromJoinWorker>;

/** A part of a join: a probe batch. */
export interface JoinPart {
  /** The number and the form of the table. */
  readonly of: number;
  readonly table: TablePlaces;
  readonly batch: ProbeBatch;
  /** How long to wait for the answer, in milliseconds; for that of a second part, twice as long. */
  readonly patienceMs: number;
}

/** A worker that probes, seen from the main thread. */
export class JoinWorker {
  readonly #life = new ThreadLife(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  readonly #thread: Thread<ToJoinWorker>;
  /** What parts go in, in turn. */
  readonly #crates = Array.from({ length: NUM_TURNS }, () => new Crate());
  readonly #answers = new AwaitedAnswers<ProbeAnswer>();
  /** When parts were sent that it may still be doing, by their turns. */
  readonly #sentMs: number[] = [];
  /** The tables that it has. */
  readonly #tables = new WeakSet<TablePlaces>();
  #numParts = 0;
  #isClosed = false;
  #isBroken = false;
  /** Parts that failed in it, and whether an error ended it; parts that it was late with. */
  numFailed = 0;
  numLate = 0;

  /** Starts it; throws where there can be none. */
  constructor(start: StartJoinWorker = threadStarter(joinProgram)) {
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

  /** Whether it is running. */
  get isHere(): boolean {
    return !this.#isClosed && this.#life.isHere;
  }

  /** Whether an error ended it, or it was closed while it was there. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether it has left, as it does when there is nothing to do, or was closed. */
  get isGone(): boolean {
    return this.#isClosed || this.#life.isGone;
  }

  /** Whether it takes another part: it keeps the memory of one that it is late with. */
  get hasRoom(): boolean {
    return this.isHere && this.#life.numJobs < NUM_TURNS;
  }

  /** Milliseconds since the oldest part was sent that is not done; 0 where all are. */
  get busyMs(): number {
    const oldest = this.#numDone;
    return oldest < this.#numParts ? performance.now() - this.#sentMs[oldest % NUM_TURNS]! : 0;
  }

  /**
   * Sends it a part and returns its answer; null where it failed, was lost, or did not answer in time.
   * Call it only where there is room.
   */
  probe({ of, table, batch, patienceMs }: JoinPart): Promise<ProbeAnswer | null> {
    if (!this.#life.claim()) {
      this.close();
      return Promise.resolve(null);
    }
    const part = this.#numParts++;
    const turn = part % NUM_TURNS;
    if (!this.#tables.has(table)) {
      this.#tables.add(table);
      this.#thread.send({ table: of, places: table });
    }
    this.#sentMs[turn] = performance.now();
    const answer = this.#answers.wait(part, {
      ms: (part + 1 - this.#numDone) * patienceMs,
      isOnItsWay: () => this.#numDone > part,
      onLate: () => {
        this.numLate++;
        // If it has not begun, it need not.
        Atomics.store(this.#life.words, SKIPPED_AT + turn, part + 1);
      },
    });
    this.#thread.send({ part, turn, of, batch: this.#crates[turn]!.fill(batch) });
    return answer;
  }

  /** Lets it forget a table. */
  forget(table: number): void {
    if (!this.isGone) this.#thread.send({ table, places: null });
  }

  /** Ends it. What it was sent and has not answered is for the main thread. */
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
