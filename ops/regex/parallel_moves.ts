/** `to` takes what `from` holds: a register, or what a negative number stands for. */
export interface Move {
  readonly to: number;
  readonly from: number;
}

/**
 * Moves that happen at once as moves one after the other: none overwrites what a later one reads;
 * `spare` is a register to break circles with. Moves of a register to itself are dropped.
 */
export function inSequence(moves: readonly Move[], spare: number): Move[] {
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
    // Only circles are left: the first one is opened by keeping what its register holds.
    const [first] = waiting;
    if (first === undefined) break;
    sequence.push({ to: spare, from: first.to });
    waiting = waiting.map(({ to, from }) => ({ to, from: from === first.to ? spare : from }));
  }
  return sequence;
}
