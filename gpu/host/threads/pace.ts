/**
 * Decides whether batches of a kernel are faster on this thread alone or on several threads.
 *
 * @module
 */

/** The ways to compute a batch: on this thread alone, or together with workers. */
type How = "alone" | "together";

/** The batches of the shortest and of the longest phase alone. */
const FIRST_ALONE = 4;
const MAX_ALONE = 512;
/** The batches whose times are compared: in a trial, later, and alone. */
const NUM_TRIED = 4;
const NUM_WATCHED = 8;
const NUM_ALONE = 8;
/** The batches together before the next check of the time alone, and the batches of that check. */
const NUM_TOGETHER = 96;
const CHECK_ALONE = 2;
/** The batches of a trial that do not count, since workers compile the kernel first. */
const MAX_COLD = 12;
/** The ratios to the time alone at which workers count as faster, as slower, and as hopeless. */
const FASTER = 0.92;
const SLOWER = 1;
const MUCH_SLOWER = 2.5;

/**
 * Decides for one kernel whether workers help, from the times of its batches so far. On a machine
 * with a free processor they do; on a busy one they may not.
 *
 *     alone --after some batches--> trial --faster--> together --now and then--> alone, to measure
 *       ^                             |                  |
 *       +---slower: twice as long-----+------slower------+
 *
 * A busy machine interrupts threads, which makes some batches much longer. So the time alone is a
 * median, which a few interruptions do not change: when in doubt, a batch runs alone.
 */
export class Pace {
  #phase: "alone" | "trial" | "together" = "alone";
  /** The batches until the phase ends. */
  #left = FIRST_ALONE;
  #wait = FIRST_ALONE;
  /** Milliseconds per row: of the latest batches alone, and of the compared batches together. */
  readonly #alone: number[] = [];
  #together: number[] = [];
  #numCold = 0;

  /** The way to compute the next batch. */
  get how(): How {
    return this.#phase === "alone" ? "alone" : "together";
  }

  /** Whether workers are known to help. */
  get isProven(): boolean {
    return this.#phase === "together";
  }

  /** Returns the milliseconds that some rows take alone; undefined before the first batch. */
  expectedMs(numRows: number): number | undefined {
    const sorted = this.#alone.toSorted((left, right) => left - right);
    const median = sorted[(sorted.length - 1) >> 1];
    return median === undefined ? undefined : median * numRows;
  }

  /** Records a batch that was computed alone. */
  noteAlone(ms: number, numRows: number): void {
    this.#alone.push(ms / numRows);
    if (this.#alone.length > NUM_ALONE) this.#alone.shift();
    // There may have been no workers yet, so a trial waits for them.
    if (this.#phase === "alone" && --this.#left <= 0) this.#enter("trial", NUM_TRIED);
  }

  /** Records a batch that was computed together; `isWarm` if the workers know the kernel well. */
  noteTogether(ms: number, numRows: number, isWarm: boolean): void {
    const alone = this.expectedMs(1) ?? 0;
    const isTrial = this.#phase === "trial";
    if (isTrial && ms / numRows > MUCH_SLOWER * alone) return this.#giveUp();
    if (!isWarm) {
      if (++this.#numCold > MAX_COLD) this.#giveUp();
      return;
    }
    this.#together.push(ms / numRows);
    this.#left--;
    if (this.#together.length >= (isTrial ? NUM_TRIED : NUM_WATCHED)) {
      const ratio = meanButWorst(this.#together) / alone;
      if (ratio > (isTrial ? FASTER : SLOWER)) return this.#giveUp();
      if (isTrial) {
        this.#wait = FIRST_ALONE;
        return this.#enter("together", NUM_TOGETHER);
      }
      this.#together = [];
    }
    if (this.#left <= 0) this.#enter("alone", CHECK_ALONE);
  }

  #giveUp(): void {
    this.#wait = Math.min(2 * this.#wait, MAX_ALONE);
    this.#enter("alone", this.#wait);
  }

  #enter(phase: "alone" | "trial" | "together", numBatches: number): void {
    this.#phase = phase;
    this.#left = numBatches;
    this.#together = [];
    this.#numCold = 0;
  }
}

/** Returns the mean of all but the greatest value, which may include a garbage collection. */
function meanButWorst(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return (sum - Math.max(...values)) / (values.length - 1);
}
