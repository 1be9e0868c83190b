/** @module */

/** How a batch is computed: on this thread alone, or together with workers. */
type How = "alone" | "together";

/** Batches of a phase alone, at its shortest and at its longest. */
const FIRST_ALONE = 4;
const MAX_ALONE = 512;
/** Batches that are looked at together: in a trial, later, and alone. */
const NUM_TRIED = 4;
const NUM_WATCHED = 8;
const NUM_ALONE = 8;
/** Batches that are computed together before it is looked at again how it is alone, and for how long. */
const NUM_TOGETHER = 96;
const CHECK_ALONE = 2;
/** Batches of a trial that do not count: workers compile the kernel first. */
const MAX_COLD = 12;
/** Of the time alone: what it takes to be faster, to be slower, and to be given up at once. */
const FASTER = 0.92;
const SLOWER = 1;
const MUCH_SLOWER = 2.5;

/**
 * Decides for one kernel whether workers help, from how long its batches took so far: on a machine
 * with a free processor they do, on a busy one they may not.
 *
 * It begins alone, then tries workers for a few batches. Where they help it goes on with them, looks
 * again at every few batches, and now and then at how it is alone. Where they do not, it stays alone
 * for twice as many batches as the time before: what trials cost is a share that shrinks.
 *
 * A busy machine stops a thread now and then, which makes some batches much longer. It would be
 * chance whether a few batches alone look slow, so that their median counts: when in doubt, alone.
 */
export class Pace {
  #phase: "alone" | "trial" | "together" = "alone";
  /** Batches until the phase ends. */
  #left = FIRST_ALONE;
  #wait = FIRST_ALONE;
  /** Milliseconds of a row: of the latest batches alone, and of those together that are looked at. */
  readonly #alone: number[] = [];
  #together: number[] = [];
  #numCold = 0;

  /** How the next batch is to be computed. */
  get how(): How {
    return this.#phase === "alone" ? "alone" : "together";
  }

  /** Whether workers are known to help. */
  get isProven(): boolean {
    return this.#phase === "together";
  }

  /** What some rows take alone, in milliseconds; undefined as long as none was. */
  expectedMs(numRows: number): number | undefined {
    const sorted = this.#alone.toSorted((left, right) => left - right);
    const median = sorted[(sorted.length - 1) >> 1];
    return median === undefined ? undefined : median * numRows;
  }

  /** Notes a batch that was computed alone. */
  noteAlone(ms: number, numRows: number): void {
    this.#alone.push(ms / numRows);
    if (this.#alone.length > NUM_ALONE) this.#alone.shift();
    // There may have been no workers yet: a trial waits for them.
    if (this.#phase === "alone" && --this.#left <= 0) this.#enter("trial", NUM_TRIED);
  }

  /** Notes a batch that was computed together, with workers that know the kernel well or do not. */
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

/** The mean of all but the greatest, which may be a collection of garbage. */
function meanButWorst(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return (sum - Math.max(...values)) / (values.length - 1);
}
