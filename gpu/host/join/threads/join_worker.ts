/** @module */

import { Crate, type ProbeBatch } from "../probe_batch.ts";
import type { ProbeAnswer } from "../probe_answer.ts";
import type { TablePlaces } from "../table_places.ts";
import type { FromJoinWorker, ToJoinWorker } from "./join_worker_main.ts";
import { joinControl, joinWorkerSource } from "./join_worker_source.ts";

/** A worker that was started: how to send it something, and how to end it. */
export interface StartedWorker {
  send(message: ToJoinWorker): void;
  end(): void;
}

/** Starts a worker. Tests pass workers that misbehave. */
export type StartJoinWorker = (
  onMessage: (message: FromJoinWorker) => void,
  onError: () => void,
) => StartedWorker;

// Captured, so that fake timers of a program do not replace them.
const { setTimeout, clearTimeout } = globalThis;

/** Parts that a worker has at once: one that it does, and one so that it does not wait. */
const AHEAD = 3;
const CONTROL_WORDS = 16;
/** Milliseconds to wait again for an answer that should be on its way, and how often. */
const MS_ON_ITS_WAY = 5;
const MAX_WAITS = 20;

/** A part of a join: a probe batch. */
export interface JoinPart {
  /** The number and the form of the table. */
  readonly of: number;
  readonly table: TablePlaces;
  readonly batch: ProbeBatch;
  /** How long to wait for the answer, in milliseconds; for that of a second part, twice as long. */
  readonly patienceMs: number;
}

/** A part that was sent. */
interface Sent {
  readonly answer: (answer: ProbeAnswer | null) => void;
  timer: ReturnType<typeof setTimeout>;
  numWaits: number;
}

/** A worker that probes, seen from the main thread. */
export class JoinWorker {
  readonly #control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS));
  readonly #worker: StartedWorker;
  /** What parts go in, in turn. */
  readonly #crates = Array.from({ length: AHEAD }, () => new Crate());
  /** Parts whose answer is awaited, and when those were sent that it may still be doing. */
  readonly #sent = new Map<number, Sent>();
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
  constructor(start: StartJoinWorker = startJoinProgram(joinWorkerSource())) {
    this.#worker = start(
      (message) => {
        if (message.answer === null) this.numFailed++;
        this.#receive(message);
      },
      () => {
        if (this.isHere) this.numFailed++;
        this.close();
      },
    );
    this.#worker.send({ control: this.#control });
  }

  /** Whether it is running. */
  get isHere(): boolean {
    return !this.#isClosed && this.#life === joinControl.here;
  }

  /** Whether an error ended it, or it was closed while it was there. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether it has left, as it does when there is nothing to do, or was closed. */
  get isGone(): boolean {
    return this.#isClosed || this.#life === joinControl.gone;
  }

  /** Whether it takes another part: it keeps the memory of one that it is late with. */
  get hasRoom(): boolean {
    return this.isHere && this.#numParts - this.#numDone < AHEAD;
  }

  /** Milliseconds since the oldest part was sent that is not done; 0 where all are. */
  get busyMs(): number {
    const sentMs = this.#numDone < this.#numParts ? this.#sentMs[this.#numDone % AHEAD] : undefined;
    return sentMs === undefined ? 0 : performance.now() - sentMs;
  }

  /**
   * Sends it a part and gives its answer; null where it failed, or did not answer in time. Call it
   * only where there is room.
   */
  probe({ of, table, batch, patienceMs }: JoinPart): Promise<ProbeAnswer | null> {
    const numWaiting = this.#numParts - this.#numDone + 1;
    const part = this.#numParts++;
    const turn = part % AHEAD;
    if (!this.#tables.has(table)) {
      this.#tables.add(table);
      this.#worker.send({ table: of, places: table });
    }
    return new Promise((answer) => {
      this.#sentMs[turn] = performance.now();
      const timer = setTimeout(() => this.#lose(part), numWaiting * patienceMs);
      this.#sent.set(part, { answer, timer, numWaits: 0 });
      Atomics.add(this.#control, joinControl.numSent, 1);
      this.#worker.send({ part, turn, of, batch: this.#crates[turn]!.fill(batch) });
      // It may have left while the batch was prepared.
      if (this.isGone) this.close();
    });
  }

  /** Lets it forget a table. */
  forget(table: number): void {
    if (!this.isGone) this.#worker.send({ table, places: null });
  }

  /** Ends it. What it was sent and has not answered is for the main thread. */
  close(): void {
    if (this.#isClosed) return;
    this.#isBroken = this.#life !== joinControl.gone;
    this.#isClosed = true;
    this.#worker.end();
    for (const part of [...this.#sent.keys()]) this.#receive({ part, answer: null });
  }

  get #life(): number {
    return Atomics.load(this.#control, joinControl.life);
  }

  get #numDone(): number {
    return Atomics.load(this.#control, joinControl.numDone);
  }

  /** Leaves a part to the main thread, which waits for it in vain. */
  #lose(part: number): void {
    const sent = this.#sent.get(part)!;
    if (this.#numDone > part && sent.numWaits++ < MAX_WAITS) {
      sent.timer = setTimeout(() => this.#lose(part), MS_ON_ITS_WAY);
      return;
    }
    this.numLate++;
    // If it has not begun, it need not.
    Atomics.store(this.#control, joinControl.skipped + part % AHEAD, part + 1);
    this.#receive({ part, answer: null });
  }

  #receive({ part, answer }: FromJoinWorker): void {
    const sent = this.#sent.get(part);
    if (sent === undefined) return;
    this.#sent.delete(part);
    clearTimeout(sent.timer);
    sent.answer(answer);
  }
}

/** Starts workers with a program. */
export function startJoinProgram(source: string): StartJoinWorker {
  return (onMessage, onError) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    worker.addEventListener("message", ({ data }) => onMessage(data));
    worker.addEventListener("error", (event) => {
      // The work is done without it.
      event.preventDefault();
      onError();
    });
    worker.addEventListener("messageerror", onError);
    return {
      send: (message) => worker.postMessage(message),
      end() {
        worker.terminate();
        URL.revokeObjectURL(url);
      },
    };
  };
}
