/**
 * The closure of a thread of a regular expression: the positions that it reaches without reading a
 * character.
 *
 * @module
 */

import type { Nfa } from "./nfa.ts";
import type { Look } from "./regex_term.ts";

/** The source of a tag's value, when it is not a register of an earlier thread. */
const From = { Position: -1, Nothing: -2 } as const;

/** A thread that waits for a character. */
export interface ClosedThread {
  /** The node of the set. */
  readonly node: number;
  /** For each tag: `From`, or thread * numTags + tag. */
  readonly tags: readonly number[];
}

/** The epsilon closure of a state: the nodes that its threads reach without another character. */
export interface Closure {
  /** The threads in order of preference; those less preferred than a match are left out. */
  readonly threads: readonly ClosedThread[];
  /** The tags of a match that ends here, if one does. */
  readonly match: readonly number[] | null;
  /** The number of nodes that were visited. */
  readonly steps: number;
}

/** Every enclosing round has taken a character. */
const ALL = 1 << 30;
/** A limit on nesting that no pattern exceeds, since its parser would run out of stack. */
const MAX_DEPTH = 4096;

/**
 * Follows threads to the nodes that need a character. Of two paths to one node the first is kept,
 * since both continue in the same way. A node inside rounds that may be empty counts once for each
 * number of rounds that have taken a character, because `leave` depends on it. That number is enough:
 * where an inner round has taken a character, so have the outer ones.
 */
export function closureOf(
  nfa: Nfa,
  threads: readonly number[],
  before: number,
  after: number,
): Closure {
  const { nodes, numTags } = nfa;
  const closed: ClosedThread[] = [];
  const visited = new Set<number>();
  for (const [index, start] of threads.entries()) {
    const tags = Array.from({ length: numTags }, (_, tag) => index * numTags + tag);
    // A stack instead of recursion: repetitions make chains of thousands of nodes.
    const stack: { at: number; progress: number; tags: readonly number[] }[] = [
      { at: start, progress: ALL, tags },
    ];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const node = nodes[top.at];
      if (node === undefined) continue;
      const progress = Math.min(top.progress, node.depth);
      const key = top.at * MAX_DEPTH + Math.min(progress, MAX_DEPTH - 1);
      if (visited.has(key)) continue;
      visited.add(key);
      switch (node.op) {
        case "match":
          return { threads: closed, match: top.tags, steps: visited.size };
        case "set":
          closed.push({ node: top.at, tags: top.tags });
          break;
        case "split":
          for (let i = node.nexts.length - 1; i >= 0; i--) {
            stack.push({ at: node.nexts[i] ?? 0, progress, tags: top.tags });
          }
          break;
        case "look":
          if (holds(node.look, before, after)) {
            stack.push({ at: node.next, progress, tags: top.tags });
          }
          break;
        case "tag":
          stack.push({
            at: node.next,
            progress,
            tags: top.tags.with(node.tag, From.Position),
          });
          break;
        case "clear": {
          const { tags: cleared } = node;
          const kept = top.tags.map((from, tag) => cleared.includes(tag) ? From.Nothing : from);
          stack.push({ at: node.next, progress, tags: kept });
          break;
        }
        case "enter":
          stack.push({ at: node.next, progress, tags: top.tags });
          break;
        case "leave":
          if (progress >= node.depth) stack.push({ at: node.next, progress, tags: top.tags });
          break;
      }
    }
  }
  return { threads: closed, match: null, steps: visited.size };
}

/** The kinds of characters on one side of a position, as bits. */
export const Side = {
  /** Nothing: the text starts or stops here. */
  Edge: 1,
  /** A character that ends a line. */
  LineEnd: 2,
  /** A character of a word. */
  Word: 4,
} as const;

/** Whether an assertion such as `^` holds between the sides before and after a position. */
function holds(look: Look, before: number, after: number): boolean {
  switch (look) {
    case "textStart":
      return (before & Side.Edge) !== 0;
    case "textEnd":
      return (after & Side.Edge) !== 0;
    case "lineStart":
      return (before & (Side.Edge | Side.LineEnd)) !== 0;
    case "lineEnd":
      return (after & (Side.Edge | Side.LineEnd)) !== 0;
    case "wordBoundary":
      return (before & Side.Word) !== (after & Side.Word);
    case "noWordBoundary":
      return (before & Side.Word) === (after & Side.Word);
  }
}

/** Returns the bits of `Side` that an automaton examines before a position, and after it. */
export function looksOf({ nodes }: Nfa): { before: number; after: number } {
  let before = 0;
  let after = 0;
  for (const node of nodes) {
    if (node.op !== "look") continue;
    if (node.look === "textStart") before |= Side.Edge;
    else if (node.look === "lineStart") before |= Side.Edge | Side.LineEnd;
    else if (node.look === "textEnd") after |= Side.Edge;
    else if (node.look === "lineEnd") after |= Side.Edge | Side.LineEnd;
    else {
      before |= Side.Word;
      after |= Side.Word;
    }
  }
  return { before, after };
}
