import type { Nfa } from "./nfa.ts";
import type { Look } from "./regex_term.ts";

/** What a place in the text is known by, on one side of it; bits that add up. */
export const Side = {
  /** Nothing: the text starts or stops here. */
  Edge: 1,
  /** A line feed. */
  LineFeed: 2,
  /** A character of a word. */
  Word: 4,
} as const;

/** Whether what stands before and after a position is as a pattern demands. */
export function holds(look: Look, before: number, after: number): boolean {
  switch (look) {
    case "textStart":
      return (before & Side.Edge) !== 0;
    case "textEnd":
      return (after & Side.Edge) !== 0;
    case "lineStart":
      return (before & (Side.Edge | Side.LineFeed)) !== 0;
    case "lineEnd":
      return (after & (Side.Edge | Side.LineFeed)) !== 0;
    case "wordBoundary":
      return (before & Side.Word) !== (after & Side.Word);
    case "noWordBoundary":
      return (before & Side.Word) === (after & Side.Word);
  }
}

/** The bits of `Side` that an automaton looks at before a position, and after it. */
export function looksOf({ nodes }: Nfa): { before: number; after: number } {
  let before = 0;
  let after = 0;
  for (const node of nodes) {
    if (node.op !== "look") continue;
    if (node.look === "textStart") before |= Side.Edge;
    else if (node.look === "lineStart") before |= Side.Edge | Side.LineFeed;
    else if (node.look === "textEnd") after |= Side.Edge;
    else if (node.look === "lineEnd") after |= Side.Edge | Side.LineFeed;
    else {
      before |= Side.Word;
      after |= Side.Word;
    }
  }
  return { before, after };
}
