/**
 * Turns the automaton of a regular expression into a deterministic one that keeps captures.
 *
 * @module
 */

import { type Alphabet, alphabetOf, hasChar } from "./char_set.ts";
import { type Closure, closureOf, looksOf, Side } from "./closure.ts";
import type { Nfa } from "./nfa.ts";
import { LINE_ENDS } from "./regex_sets.ts";
import { type ParsedRegex, regexError } from "./regex_term.ts";

/** The transition from one state by one class of characters, or by the end of the text. */
export interface Transition {
  /** The next state; -1 if no further match is possible. */
  target: number;
  /** The tags of a match that ends before the character, as in `Closure.match`. */
  readonly match: readonly number[] | null;
  /** The tags that each thread of the next state takes over, as in `ClosedThread.tags`. */
  readonly threads: readonly (readonly number[])[];
}

/** A state: its threads before their closure, in order of preference. */
export interface State {
  readonly threads: readonly number[];
  /** One transition for each class, then one for the end of the text. */
  readonly transitions: Transition[];
}

/** A deterministic automaton with tags. */
export interface Dfa {
  readonly alphabet: Alphabet;
  readonly states: readonly State[];
  /** The bits of `Side` of each class that matter before a position. */
  readonly sides: readonly number[];
  /** The first state, by the bits of the side before the search. */
  readonly initial: ReadonlyMap<number, number>;
}

/** The greatest number of states. Everyday patterns need fewer than 100. */
const MAX_STATES = 2_000;
/** The greatest number of entries of 4 bytes: 1 MB of tables. */
export const MAX_ENTRIES = 1 << 18;
const MAX_STEPS = 5_000_000;

/**
 * Builds a deterministic automaton (V. Laurikari, "NFAs with tagged transitions", 2000; priorities
 * as in RE2). A state is an ordered list of threads, so that the preferred one is known, and threads
 * less preferred than a match are dropped. The transition decides whether `^`, `$` and `\b` hold,
 * since it knows the characters on both sides. The end of a match is thus found one character later.
 *
 * With `onlyWhether`, any match ends the search.
 */
export function determinize(nfa: Nfa, regex: ParsedRegex, onlyWhether: boolean): Dfa {
  return new Determinizer(nfa, regex, onlyWhether).run();
}

class Determinizer {
  readonly #states: State[] = [];
  readonly #befores: number[] = [];
  readonly #known = new Map<string, number>();
  readonly #alphabet: Alphabet;
  /** The index in the alphabet of each set node's set. */
  readonly #setOf = new Map<number, number>();
  readonly #looks: { before: number; after: number };
  readonly #sides: readonly number[];
  #steps = 0;

  constructor(
    readonly nfa: Nfa,
    readonly regex: ParsedRegex,
    readonly onlyWhether: boolean,
  ) {
    this.#looks = looksOf(nfa);
    const seen = this.#looks.before | this.#looks.after;
    const sets = new Map<string, readonly number[]>();
    const numberOf = (set: readonly number[]): number => {
      const key = set.join();
      if (!sets.has(key)) sets.set(key, set);
      return [...sets.keys()].indexOf(key);
    };
    const numbers = new Map<readonly number[], number>();
    for (const [index, node] of nfa.nodes.entries()) {
      if (node.op !== "set") continue;
      let number = numbers.get(node.set);
      if (number === undefined) numbers.set(node.set, number = numberOf(node.set));
      this.#setOf.set(index, number);
    }
    if (seen & Side.LineEnd) numberOf(LINE_ENDS);
    if (seen & Side.Word) numberOf(regex.words);
    this.#alphabet = alphabetOf([...sets.values()]);
    this.#sides = this.#classSides();
  }

  run(): Dfa {
    const initial = new Map<number, number>();
    const { before } = this.#looks;
    for (const side of [Side.Edge, ...this.#sides]) {
      const bits = side & before;
      if (!initial.has(bits)) initial.set(bits, this.#stateOf([this.nfa.entry], bits));
    }
    for (let index = 0; index < this.#states.length; index++) this.#fill(index);
    return {
      alphabet: this.#alphabet,
      states: this.#states,
      sides: this.#sides.map((side) => side & before),
      initial,
    };
  }

  /** Returns the bits of `Side` of each class. */
  #classSides(): number[] {
    const { starts, classes, numClasses } = this.#alphabet;
    return Array.from({ length: numClasses }, (_, kind) => {
      const char = starts[classes.indexOf(kind)] ?? 0;
      return (hasChar(LINE_ENDS, char) ? Side.LineEnd : 0) |
        (hasChar(this.regex.words, char) ? Side.Word : 0);
    });
  }

  #fill(index: number): void {
    const state = this.#states[index];
    if (state === undefined) return;
    const closures = new Map<number, Closure>();
    for (const [kind, side] of [...this.#sides, Side.Edge].entries()) {
      const after = side & this.#looks.after;
      let closure = closures.get(after);
      if (closure === undefined) {
        closure = closureOf(this.nfa, state.threads, this.#befores[index] ?? 0, after);
        closures.set(after, closure);
        this.#count(closure.steps);
      }
      state.transitions.push(this.#transition(closure, kind));
    }
  }

  #transition({ threads, match }: Closure, kind: number): Transition {
    const isEnd = kind === this.#alphabet.numClasses;
    if (isEnd || (match !== null && this.onlyWhether)) return { target: -1, match, threads: [] };
    const nexts: number[] = [];
    const tags: (readonly number[])[] = [];
    const members = this.#alphabet.members[kind];
    const taken = new Set<number>();
    for (const thread of threads) {
      const node = this.nfa.nodes[thread.node];
      if (node?.op !== "set" || !members?.[this.#setOf.get(thread.node) ?? 0]) continue;
      if (taken.has(node.next)) continue;
      taken.add(node.next);
      nexts.push(node.next);
      tags.push(thread.tags);
    }
    this.#count(nexts.length);
    if (nexts.length === 0) return { target: -1, match, threads: [] };
    const before = (this.#sides[kind] ?? 0) & this.#looks.before;
    // Where any match will do, the order of threads does not matter; sorted threads make fewer states.
    if (this.onlyWhether) nexts.sort((a, b) => a - b);
    return { target: this.#stateOf(nexts, before), match, threads: tags };
  }

  #stateOf(threads: readonly number[], before: number): number {
    const key = `${before}:${threads.join()}`;
    let state = this.#known.get(key);
    if (state === undefined) {
      state = this.#states.push({ threads, transitions: [] }) - 1;
      this.#befores.push(before);
      this.#known.set(key, state);
      this.#checkSize();
    }
    return state;
  }

  #checkSize(): void {
    const entries = this.#states.length * (this.#alphabet.numClasses + 1);
    if (this.#states.length > MAX_STATES) this.#refuse(`it needs more than ${MAX_STATES} states`);
    if (entries > MAX_ENTRIES) this.#refuse("its tables need more than 1 MB");
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) this.#refuse("its states take too long to find");
  }

  #refuse(reason: string): never {
    throw regexError(
      this.regex.pattern,
      0,
      `${reason}; shorten its repetitions, or anchor it with ^`,
    );
  }
}
