/**
 * Builds a nondeterministic automaton from a parsed regular expression.
 *
 * @module
 */

import type { CharSet } from "./char_set.ts";
import {
  canBeEmpty,
  type Look,
  type ParsedRegex,
  regexError,
  type RegexTerm,
} from "./regex_term.ts";

/**
 * A node of the automaton. Successors are in order of preference.
 *
 * `enter` and `leave` enclose a round of a repetition that may match nothing. JavaScript refuses an
 * empty round, so `leave` continues only if a character was taken since its `enter`.
 */
type NfaNode =
  & { readonly depth: number }
  & (
    | { readonly op: "set"; readonly set: CharSet; readonly next: number }
    | { readonly op: "split"; readonly nexts: readonly number[] }
    | { readonly op: "look"; readonly look: Look; readonly next: number }
    | { readonly op: "tag"; readonly tag: number; readonly next: number }
    | { readonly op: "clear"; readonly tags: readonly number[]; readonly next: number }
    | { readonly op: "enter" | "leave"; readonly next: number }
    | { readonly op: "match" }
  );

/** The purpose of a search. */
export interface NfaOptions {
  /** Whether a match must begin where the search does. */
  readonly anchored: boolean;
  /** Whether to note the start of the match, as tag 0. */
  readonly start: boolean;
  /** The groups to note: two tags each, after the tag of the start. */
  readonly groups: readonly number[];
}

/** A nondeterministic automaton with tags, which note positions of a match. */
export interface Nfa {
  readonly nodes: readonly NfaNode[];
  readonly entry: number;
  readonly numTags: number;
  /** Whether each tag is still needed after a node: one row of `numTags` for each node. */
  readonly live: readonly (readonly boolean[])[];
}

const MAX_NODES = 20_000;

/** Builds the automaton of a pattern (Thompson's construction, with priorities). */
export function buildNfa(regex: ParsedRegex, options: NfaOptions): Nfa {
  const builder = new NfaBuilder(regex, options);
  const entry = builder.search();
  return { nodes: builder.nodes, entry, numTags: builder.numTags, live: livenessOf(builder) };
}

class NfaBuilder {
  readonly nodes: NfaNode[] = [];
  readonly numTags: number;
  readonly #regex: ParsedRegex;
  readonly #options: NfaOptions;

  constructor(regex: ParsedRegex, options: NfaOptions) {
    this.#regex = regex;
    this.#options = options;
    this.numTags = (options.start ? 1 : 0) + 2 * options.groups.length;
  }

  /** Builds the pattern. Unless it is anchored, a later start is the least preferred alternative. */
  search(): number {
    const { anchored, start } = this.#options;
    let entry = this.#build(this.#regex.term, this.#add({ op: "match", depth: 0 }), 0);
    if (start) entry = this.#add({ op: "tag", tag: 0, next: entry, depth: 0 });
    entry = this.#clear(this.#regex.groupNames.map((_, index) => index + 1), entry, 0);
    if (anchored) return entry;
    const later = this.#reserve(0);
    const skip = this.#add({ op: "set", set: [0, 0x110000], next: later, depth: 0 });
    this.nodes[later] = { op: "split", nexts: [entry, skip], depth: 0 };
    return later;
  }

  #add(node: NfaNode): number {
    if (this.nodes.length >= MAX_NODES) {
      const reason = `its repetitions need more than ${MAX_NODES} steps when written out`;
      throw regexError(this.#regex.pattern, 0, reason);
    }
    return this.nodes.push(node) - 1;
  }

  #reserve(depth: number): number {
    return this.#add({ op: "split", nexts: [], depth });
  }

  /** Builds a term that `next` follows, and returns its first node. */
  #build(term: RegexTerm, next: number, depth: number): number {
    switch (term.term) {
      case "set":
        return this.#add({ op: "set", set: term.set, next, depth });
      case "sequence":
        return term.parts.reduceRight((after, part) => this.#build(part, after, depth), next);
      case "choice": {
        const nexts = term.options.map((option) => this.#build(option, next, depth));
        return this.#add({ op: "split", nexts, depth });
      }
      case "look":
        return this.#add({ op: "look", look: term.look, next, depth });
      case "group": {
        const at = this.#options.groups.indexOf(term.group);
        if (at < 0) return this.#build(term.body, next, depth);
        const tag = (this.#options.start ? 1 : 0) + 2 * at;
        const close = this.#add({ op: "tag", tag: tag + 1, next, depth });
        const body = this.#build(term.body, close, depth);
        return this.#add({ op: "tag", tag, next: body, depth });
      }
      case "repeat":
        return this.#repeat(term, next, depth);
    }
  }

  #repeat(term: RegexTerm & { term: "repeat" }, next: number, depth: number): number {
    const { min, max } = term;
    let entry = next;
    let rounds = min;
    if (max === Infinity) {
      const loop = this.#reserve(depth);
      const isShared = min > 0 && !canBeEmpty(term.body);
      const body = this.#round(term, loop, depth, !isShared);
      this.nodes[loop] = { op: "split", nexts: this.#either(term, body, next), depth };
      entry = isShared ? body : loop;
      if (isShared) rounds--;
    } else {
      for (let round = min; round < max; round++) {
        const body = this.#round(term, entry, depth, true);
        entry = this.#add({ op: "split", nexts: this.#either(term, body, next), depth });
      }
    }
    for (let round = 0; round < rounds; round++) entry = this.#round(term, entry, depth, false);
    return entry;
  }

  /** Builds one round, which begins by clearing its groups. */
  #round(
    term: RegexTerm & { term: "repeat" },
    next: number,
    depth: number,
    isOptional: boolean,
  ): number {
    if (!isOptional || !canBeEmpty(term.body)) {
      return this.#clear(term.groups, this.#build(term.body, next, depth), depth);
    }
    const leave = this.#add({ op: "leave", next, depth: depth + 1 });
    const body = this.#clear(term.groups, this.#build(term.body, leave, depth + 1), depth + 1);
    return this.#add({ op: "enter", next: body, depth });
  }

  #either({ greedy }: RegexTerm & { term: "repeat" }, body: number, next: number): number[] {
    return greedy ? [body, next] : [next, body];
  }

  #clear(groups: readonly number[], next: number, depth: number): number {
    const first = this.#options.start ? 1 : 0;
    const tags = groups.map((group) => this.#options.groups.indexOf(group))
      .filter((at) => at >= 0)
      .flatMap((at) => [first + 2 * at, first + 2 * at + 1]);
    return tags.length === 0 ? next : this.#add({ op: "clear", tags, next, depth });
  }
}

/** Returns the live tags, propagated backwards from the match, which needs them all. */
function livenessOf({ nodes, numTags }: NfaBuilder): boolean[][] {
  const live = nodes.map(({ op }) => new Array<boolean>(numTags).fill(op === "match"));
  if (numTags === 0) return live;
  for (let changed = true; changed;) {
    changed = false;
    for (const [index, node] of nodes.entries()) {
      const own = live[index] ?? [];
      const nexts = node.op === "match" ? [] : node.op === "split" ? node.nexts : [node.next];
      for (let tag = 0; tag < numTags; tag++) {
        if (own[tag] || !nexts.some((next) => live[next]?.[tag])) continue;
        if (node.op === "tag" && node.tag === tag) continue;
        if (node.op === "clear" && node.tags.includes(tag)) continue;
        own[tag] = changed = true;
      }
    }
  }
  return live;
}
