/**
 * Answers of a thread that the caller waits for, each for a limited time.
 *
 * @module
 */

// Captured, so that fake timers of a program do not replace them.
const { setTimeout, clearTimeout } = globalThis;

/** The wait for an answer that is on its way, and the largest number of such waits. */
const ON_ITS_WAY_MS = 5;
const MAX_WAITS = 20;

/** A limit on the wait for an answer. */
interface Patience {
  readonly ms: number;
  /** Whether the thread is done, so that its answer should arrive at any moment. */
  isOnItsWay(): boolean;
  /** Called once if the answer does not arrive in time. */
  onLate(): void;
}

interface Awaited<Answer> {
  readonly resolve: (answer: Answer | null) => void;
  timer?: ReturnType<typeof setTimeout>;
}

/** Answers by the numbers of their jobs. Each job is answered once: a later answer is ignored. */
export class AwaitedAnswers<Answer> {
  readonly #awaited = new Map<number, Awaited<Answer>>();

  /** Waits for the answer to a job: null if it is lost or late. Without patience, no answer is late. */
  wait(job: number, patience?: Patience): Promise<Answer | null> {
    return new Promise((resolve) => {
      const awaited: Awaited<Answer> = { resolve };
      this.#awaited.set(job, awaited);
      if (patience === undefined) return;
      let numWaits = 0;
      const check = () => {
        if (patience.isOnItsWay() && numWaits++ < MAX_WAITS) {
          awaited.timer = setTimeout(check, ON_ITS_WAY_MS);
          return;
        }
        patience.onLate();
        this.answer(job, null);
      };
      awaited.timer = setTimeout(check, patience.ms);
    });
  }

  /** Passes an answer on to the caller that waits for it. */
  answer(job: number, answer: Answer | null): void {
    const awaited = this.#awaited.get(job);
    if (awaited === undefined) return;
    this.#awaited.delete(job);
    clearTimeout(awaited.timer);
    awaited.resolve(answer);
  }

  /** Answers all awaited jobs with null. */
  lose(): void {
    for (const job of [...this.#awaited.keys()]) this.answer(job, null);
  }
}
