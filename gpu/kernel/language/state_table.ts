/**
 * Tables of states, which bytes lead from one to the next: `state = table[state + byte]`. A state is
 * the place where its 256 entries begin.
 *
 * @module
 */

/** Entries of a state: one for each byte. */
export const STATE_ENTRIES = 256;

/** Whether every entry of a table is a state of it, so that it can be followed without checks. */
export function isStateTable(table: Int32Array): boolean {
  const { length } = table;
  return length > 0 && length % STATE_ENTRIES === 0 &&
    table.every((state) => state >= 0 && state < length && state % STATE_ENTRIES === 0);
}

/** The first state that is not final: every byte leads from a final one back to itself. */
export function firstOpenState(table: Int32Array): number {
  let first = 0;
  while (first < table.length && isFinal(table, first)) first += STATE_ENTRIES;
  return first;
}

function isFinal(table: Int32Array, state: number): boolean {
  return table.subarray(state, state + STATE_ENTRIES).every((next) => next === state);
}

/** The state after bytes; one that is none is taken for 0. */
export function followBytes(table: Int32Array, bytes: Iterable<number>, start: number): number {
  let state = start >= 0 && start < table.length ? start - start % STATE_ENTRIES : 0;
  for (const byte of bytes) state = table[state + byte] ?? 0;
  return state;
}
