/**
 * The threads of one kind of work. They start once there was enough work for them, and no more start once
 * three have failed.
 *
 * @module
 */

/** The number of lost threads after which no more are started. */
const MAX_BROKEN = 3;

/** A thread of a crew. */
export interface CrewMember {
  /** Whether it has left, was closed or was lost. */
  readonly isGone: boolean;
  /** Whether it was lost. */
  readonly isBroken: boolean;
  close(): void;
}

/** The options of a crew: how to start threads, and when. */
export interface CrewOptions<Member> {
  /** Starts a thread; throws if there can be none. */
  readonly start: () => Member;
  /** The most threads, not counting this one. */
  readonly most: number;
  /** Returns the number of these that are busy elsewhere, such as decoding a file. Default: none. */
  readonly numElsewhere?: (() => number) | undefined;
  /**
   * Milliseconds of shareable work before a thread is started. They double with each start, up to
   * `maxStartMs`.
   */
  readonly startMs: number;
  readonly maxStartMs: number;
  /** For tests: whether threads start before any work. */
  readonly always?: boolean | undefined;
  /** Called with each thread that is gone, after it was closed. */
  readonly onGone?: (member: Member) => void;
}

/** Threads that come and go. They only save time: if there are none, the caller does the work. */
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

  /** All threads, including those that are gone but not yet dropped. */
  get members(): readonly Member[] {
    return this.#members;
  }

  /** Notes work that a thread could have shared. */
  noteWork(ms: number): void {
    this.#workMs += ms;
  }

  /** Notes that threads are useful: the next one starts after as little work as the first. */
  noteUse(): void {
    this.#startMs = this.#options.startMs;
  }

  /** Returns the threads that may work; first starts one more if there was enough work, or if `isDue`. */
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

  /** Closes the threads, and starts no more. */
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
