/**
 * A worker of a run, seen from the main thread.
 *
 * @module
 */

import { AwaitedAnswers } from "../../../base/threads/awaited_answers.ts";
import { type Thread, threadStarter } from "../../../base/threads/thread.ts";
import type { LaneAnswer, LaneJob, LaneResult, LaneSetup } from "./lane_messages.ts";
import type { Phase } from "./phase.ts";

/** Where the program of a worker lies. */
export const laneProgram: URL = new URL("./lane_main.ts", import.meta.url);

/** Starts with its setup; it may take phases when it is ready. */
export class LaneWorker {
  /** Its number. */
  readonly lane: number;
  /** Fulfilled when it can take phases, or never will. */
  readonly settled: Promise<void>;
  readonly #thread: Thread<LaneJob>;
  readonly #answers = new AwaitedAnswers<LaneAnswer>();
  #numJobs = 0;
  #isReady = false;
  #isGone = false;

  constructor(setup: LaneSetup) {
    this.lane = setup.lane;
    this.#thread = threadStarter<LaneJob, LaneAnswer>(laneProgram)({
      onMessage: (answer) => {
        if (answer.kind === "failed") this.end();
        else this.#answers.answer(answer.job, answer);
      },
      // The work is done without it.
      onLost: () => this.end(),
    });
    this.settled = this.#ask(setup).then((answer) => {
      this.#isReady = answer?.kind === "ready";
    });
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  /** Whether it failed, or was ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Lets it move chunks of a phase until none is left. Returns null if it fails on the way. */
  async move(phase: Phase): Promise<LaneResult | null> {
    const answer = await this.#ask(phase);
    return answer?.kind === "done" ? answer : null;
  }

  /** Ends it. */
  end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#thread.end();
    this.#answers.lose();
  }

  #ask(work: LaneSetup | Phase): Promise<LaneAnswer | null> {
    const job = this.#numJobs++;
    const answer = this.#answers.wait(job);
    this.#thread.send({ job, work });
    return answer;
  }
}
