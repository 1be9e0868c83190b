/**
 * The tables of a pattern, which a loop over the characters of a text follows.
 *
 * The loop adds the class of each character to the state and reads `next`: the next state or, where
 * it is negative, an action. The compiler of the tables has decided whether `^` or `\b` holds, which
 * match is preferred and where groups lie. So a search costs one step for each character, whatever
 * the pattern. States are premultiplied by the number of classes plus one.
 *
 * @module
 */

import { determinize, type Dfa, MAX_ENTRIES } from "./determinize.ts";
import { buildNfa, type Nfa, type NfaOptions } from "./nfa.ts";
import { neededText } from "./needed_text.ts";
import { Outcome, readsOn, stopWhereCertain, stopWhereHopeless } from "./prune.ts";
import { canBeEmpty, type ParsedRegex, regexError } from "./regex_term.ts";

/** The mapping from characters to classes. */
export interface CharClasses {
  /** The class of each ASCII character. */
  readonly ascii: Int32Array;
  /** Pairs of a code point and the class from there on; ascending, the first is U+0080. */
  readonly ranges: Int32Array;
}

/** Tables that test for a match. */
export interface TestProgram extends CharClasses {
  /** By state + class: the next state, or an `Outcome`. */
  readonly next: Int32Array;
  /** The state at the start of the text; an `Outcome` where nothing needs to be read. */
  readonly start: number;
  /** The number that the end of the text adds to the state, in place of a class. */
  readonly end: number;
}

/** Tables that find the next match. */
export interface SearchProgram extends CharClasses {
  /** By state + class: the next state, or -1 minus the index of an action in `moves`. */
  readonly next: Int32Array;
  /**
   * Actions: the next state or -1, the number of moves, then pairs of a register and the source of its
   * value (another register, or a `From`).
   */
  readonly moves: Int32Array;
  /** The first state, by the bits of `sides`; that at the start of the text is at 1. */
  readonly initial: Int32Array;
  /** The index into `initial` after a character of each class; empty if it is always 0. */
  readonly sides: Int32Array;
  /** The number that the end of the text adds to the state. */
  readonly end: number;
  /** The number of registers. Register 0 is the end of the match, and register 1 + n is tag n. */
  readonly numRegisters: number;
  /**
   * Whether a search may read on after a match to the end of the text without another match. Repeated
   * after each match, such a search would read the text again and again.
   */
  readonly readsOn: boolean;
  /** Whether the empty text may be matched. */
  readonly canBeEmpty: boolean;
  /** Text that every match contains; empty where none is known. */
  readonly needed: string;
}

/** Returns the tables that test whether a text holds a match, or begins with one. */
export function testProgram(regex: ParsedRegex, anchored: boolean): TestProgram {
  const nfa = buildNfa(regex, { anchored, start: false, groups: [] });
  const dfa = determinize(nfa, regex, true);
  stopWhereHopeless(dfa.states);
  stopWhereCertain(dfa.states);
  const stride = dfa.alphabet.numClasses + 1;
  const next = dfa.states.flatMap(({ transitions }) =>
    transitions.map(({ match, target }) =>
      match !== null ? Outcome.Found : target < 0 ? target : target * stride
    )
  );
  const first = dfa.initial.get(1) ?? dfa.initial.get(0) ?? 0;
  return {
    ...classesOf(dfa),
    next: Int32Array.from(next),
    start: startOutcome(next, first * stride, stride),
    end: stride - 1,
  };
}

/** Returns the tables that find the next match from a position, with the tags that `options` name. */
export function searchProgram(regex: ParsedRegex, options: NfaOptions): SearchProgram {
  const nfa = buildNfa(regex, options);
  const dfa = determinize(nfa, regex, false);
  stopWhereHopeless(dfa.states);
  const stride = dfa.alphabet.numClasses + 1;
  const writer = new MoveWriter(nfa, stride);
  const next = dfa.states.flatMap(({ transitions }) =>
    transitions.map(({ target, match, threads }) =>
      writer.entry(
        target,
        match,
        (dfa.states[target]?.threads ?? []).map((to, index) => ({
          node: to,
          tags: threads[index] ?? [],
        })),
      )
    )
  );
  checkSize(regex, next.length + writer.moves.length, writer.numRegisters);
  const initial = new Int32Array(8);
  for (const [bits, state] of dfa.initial) initial[bits] = state * stride;
  // Where the side before does not matter, the start of the text is like any other position.
  if (!dfa.initial.has(1)) initial[1] = initial[0] ?? 0;
  return {
    ...classesOf(dfa),
    next: Int32Array.from(next),
    moves: Int32Array.from(writer.moves),
    initial,
    sides: dfa.sides.some((side) => side !== 0) || dfa.initial.size > 1
      ? Int32Array.from(dfa.sides)
      : new Int32Array(),
    end: stride - 1,
    numRegisters: writer.numRegisters,
    readsOn: readsOn(dfa.states),
    canBeEmpty: canBeEmpty(regex.term),
    needed: options.anchored ? "" : neededText(regex.term),
  };
}

/** The greatest number of registers: they lie in the scratch of a kernel, which has 4096 words. */
const MAX_REGISTERS = 4000;

function checkSize({ pattern }: ParsedRegex, entries: number, registers: number): void {
  if (registers > MAX_REGISTERS) {
    throw regexError(pattern, 0, `its groups need more than ${MAX_REGISTERS} registers`);
  }
  if (entries > MAX_ENTRIES) throw regexError(pattern, 0, "its tables need more than 1 MB");
}

function classesOf({ alphabet: { starts, classes } }: Dfa): CharClasses {
  const ascii = new Int32Array(128);
  const ranges: number[] = [];
  for (const [index, start] of starts.entries()) {
    const kind = classes[index] ?? 0;
    if (start < 128) ascii.fill(kind, start);
    if ((starts[index + 1] ?? Infinity) > 128) ranges.push(Math.max(start, 128), kind);
  }
  return { ascii, ranges: Int32Array.from(ranges) };
}

/** Returns the first state, or an outcome where all characters and the end lead to that one. */
function startOutcome(next: readonly number[], state: number, stride: number): number {
  const row = next.slice(state, state + stride);
  const [first = 0] = row;
  return first < 0 && row.every((entry) => entry === first) ? first : state;
}

/** Writes the lists of moves, each of them once. */
class MoveWriter {
  readonly moves: number[] = [];
  numRegisters: number;
  readonly #known = new Map<string, number>();

  constructor(readonly nfa: Nfa, readonly stride: number) {
    this.numRegisters = 2 + nfa.numTags;
  }

  /** Returns the entry of `next` for a transition. */
  entry(
    target: number,
    match: readonly number[] | null,
    threads: readonly { node: number; tags: readonly number[] }[],
  ): number {
    const found = match === null ? [] : this.#matchMoves(match);
    const moves = [...found, ...inSequence(this.#threadMoves(threads), 1 + this.nfa.numTags)];
    if (target >= 0 && moves.length === 0) return target * this.stride;
    const list = [
      target < 0 ? -1 : target * this.stride,
      moves.length,
      ...moves.flatMap(({ to, from }) => [to, from]),
    ];
    const key = list.join();
    let at = this.#known.get(key);
    if (at === undefined) {
      at = this.moves.length;
      this.moves.push(...list);
      this.#known.set(key, at);
    }
    return -1 - at;
  }

  #matchMoves(tags: readonly number[]): Move[] {
    return [
      { to: 0, from: -1 },
      ...tags.map((from, tag) => ({ to: 1 + tag, from: this.#from(from) })),
    ];
  }

  #threadMoves(threads: readonly { node: number; tags: readonly number[] }[]): Move[] {
    const { numTags, live } = this.nfa;
    return threads.flatMap(({ node, tags }, index) =>
      tags.flatMap((from, tag) =>
        live[node]?.[tag] ? [{ to: this.#from(index * numTags + tag), from: this.#from(from) }] : []
      )
    );
  }

  /** Returns the register of a thread's tag: after those of the match and the spare one. */
  #from(from: number): number {
    if (from < 0) return from;
    const register = 2 + this.nfa.numTags + from;
    this.numRegisters = Math.max(this.numRegisters, register + 1);
    return register;
  }
}

/** A move: `to` takes the value of `from`, a register or a negative `From`. */
interface Move {
  readonly to: number;
  readonly from: number;
}

/**
 * Orders simultaneous moves so that none overwrites a register that a later one reads; `spare` is a
 * register for breaking cycles. Moves of a register to itself are dropped.
 */
function inSequence(moves: readonly Move[], spare: number): Move[] {
  const sequence: Move[] = [];
  let waiting = moves.filter(({ to, from }) => to !== from);
  while (waiting.length > 0) {
    const isRead = new Set(waiting.map(({ from }) => from));
    const free = waiting.filter(({ to }) => !isRead.has(to));
    if (free.length > 0) {
      sequence.push(...free);
      waiting = waiting.filter(({ to }) => isRead.has(to));
      continue;
    }
    // Only cycles are left: saving the register of the first move in the spare one breaks its cycle.
    const [first] = waiting;
    if (first === undefined) break;
    sequence.push({ to: spare, from: first.to });
    waiting = waiting.map(({ to, from }) => ({ to, from: from === first.to ? spare : from }));
  }
  return sequence;
}
