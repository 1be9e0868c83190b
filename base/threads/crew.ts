/**
 * The threads of one kind of work: started once there was enough work for them, and not any more once
 * some have failed.
 *
 * @module
 */

/** Threads that failed or did not start, after which no more are started. */
const MAX_BROKEN = 3;

/** A thread of a crew. */
export interface CrewMember {
  /** Whether it has left, was closed or was lost. */
  readonly isGone: boolean;
  /** Whether it was lost: it left without a word. */
  readonly isBroken: boolean;
  close(): void;
}

/** When threads are started. */
export interface CrewOptions<Member> {
  /** Starts a thread; throws where there can be none. */
  readonly start: () => Member;
  /** Threads at most, this one not included. */
  readonly most: number;
  /** How many of these have work elsewhere, such as a file to decode. Default: none. */
  readonly numElsewhere?: (() => number) | undefined;
  /**
   * Milliseconds of work that a thread could have shared before one is started. They double with each
   * start, up to a limit.
   */
  readonly startMs: number;
  readonly maxStartMs: number;
  /** For tests: whether threads are started without any work before. */
  readonly always?: boolean | undefined;
  /** Called with each thread that is gone, after it was closed. */
  readonly onGone?: (member: Member) => void;
}

/** Threads that come and go. Threads only save time: where there are none, the caller does the work. */
export class Crew<Member extends CrewMember> {
  readonly #options: CrewOptions<Member>;
  #members: Member[] = [];
  #workMs = 0;
  #startMs: number;
  #numBroken = 0;
  #mayStart = true;

  constructor(options: CrewOptions<Member>) {
    this.#options = options;
    this.#startMs = options.startMs;
  }

  /** All threads, also those that are gone and not yet noticed. */
  get members(): readonly Member[] {
    return this.#members;
  }

  /** Notes work that a thread could have shared. */
  noteWork(ms: number): void {
    this.#workMs += ms;
  }

  /** Notes that threads are useful: the next one starts as soon as the first. */
  noteUse(): void {
    this.#startMs = this.#options.startMs;
  }

  /** The threads that may work; starts one more where there was enough work for it, or is `due`. */
  ready(isDue = false): readonly Member[] {
    this.#dropGone();
    const { start, most, numElsewhere = () => 0, always = false, maxStartMs } = this.#options;
    const wanted = Math.max(0, most - numElsewhere());
    const isWorthIt = always || isDue || this.#workMs >= this.#startMs;
    if (this.#mayStart && isWorthIt && this.#members.length < wanted) {
      this.#workMs = 0;
      this.#startMs = Math.min(2 * this.#startMs, maxStartMs);
      try {
        this.#members.push(start());
      } catch {
        this.#mayStart = false;
      }
    }
    return this.#members.slice(0, wanted);
  }

  /** Ends the threads, and starts no more. */
  close(): void {
    this.#mayStart = false;
    for (const member of this.#members) this.#drop(member);
    this.#members = [];
  }

  #dropGone(): void {
    for (const member of this.#members) {
      if (!member.isGone) continue;
      if (member.isBroken && ++this.#numBroken >= MAX_BROKEN) this.#mayStart = false;
      this.#drop(member);
    }
    this.#members = this.#members.filter(({ isGone }) => !isGone);
  }

  #drop(member: Member): void {
    member.close();
    this.#options.onGone?.(member);
  }
}
