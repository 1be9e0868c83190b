/**
 * The main thread's handle of a worker of a run.
 *
 * @module
 */

import { AwaitedAnswers } from "../../../base/threads/awaited_answers.ts";
import { type Thread, threadStarter } from "../../../base/threads/thread.ts";
import type { PhaseResult, ThreadAnswer, ThreadJob, ThreadSetup } from "./thread_messages.ts";
import type { Phase } from "./phase.ts";

/** The address of the worker's program. */
export const threadProgram: URL = new URL("./rechunk_main.ts", import.meta.url);

/** Starts a worker with its setup; the worker takes phases once it is ready. */
export class RunThread {
  /** The number of the thread. */
  readonly thread: number;
  /** Resolves when the worker is ready for phases, or has failed. */
  readonly settled: Promise<void>;
  readonly #thread: Thread<ThreadJob>;
  readonly #answers = new AwaitedAnswers<ThreadAnswer>();
  #numJobs = 0;
  #isReady = false;
  #isGone = false;

  constructor(setup: ThreadSetup) {
    this.thread = setup.thread;
    this.#thread = threadStarter<ThreadJob, ThreadAnswer>(threadProgram)({
      onMessage: (answer) => {
        if (answer.kind === "failed") this.end();
        else this.#answers.answer(answer.job, answer);
      },
      // The other threads do the work without it.
      onLost: () => this.end(),
    });
    this.settled = this.#ask(setup).then((answer) => {
      this.#isReady = answer?.kind === "ready";
    });
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  /** Whether the worker failed, or was ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Makes the worker move chunks of a phase until none is left. Returns null if it fails. */
  async move(phase: Phase): Promise<PhaseResult | null> {
    const answer = await this.#ask(phase);
    return answer?.kind === "done" ? answer : null;
  }

  /** Ends the worker. */
  end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#thread.end();
    this.#answers.lose();
  }

  #ask(work: ThreadSetup | Phase): Promise<ThreadAnswer | null> {
    const job = this.#numJobs++;
    const answer = this.#answers.wait(job);
    this.#thread.send({ job, work });
    return answer;
  }
}
