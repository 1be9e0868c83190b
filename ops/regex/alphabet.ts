import { type CharSet, CODE_POINTS } from "./char_set.ts";

/** The classes of characters that an automaton tells apart. */
export interface Alphabet {
  readonly numClasses: number;
  /** The first code point of each run of one class, ascending from 0. */
  readonly starts: readonly number[];
  /** The class of each run. */
  readonly classes: readonly number[];
  /** For each class, whether its characters are in each of the sets. */
  readonly members: readonly (readonly boolean[])[];
}

/** The coarsest classes such that each of the sets is a union of some. */
export function alphabetOf(sets: readonly CharSet[]): Alphabet {
  const changes = new Map<number, number[]>([[0, []]]);
  for (const [index, set] of sets.entries()) {
    for (const boundary of set) {
      if (boundary >= CODE_POINTS) continue;
      const at = changes.get(boundary);
      if (at === undefined) changes.set(boundary, [index]);
      else at.push(index);
    }
  }
  const inside = sets.map(() => false);
  const byMembers = new Map<string, number>();
  const members: boolean[][] = [];
  const starts: number[] = [];
  const classes: number[] = [];
  for (const start of [...changes.keys()].sort((a, b) => a - b)) {
    for (const index of changes.get(start) ?? []) inside[index] = !inside[index];
    const key = inside.map(Number).join("");
    let kind = byMembers.get(key);
    if (kind === undefined) {
      kind = members.push([...inside]) - 1;
      byMembers.set(key, kind);
    }
    if (classes.at(-1) === kind) continue;
    starts.push(start);
    classes.push(kind);
  }
  return { numClasses: members.length, starts, classes, members };
}
