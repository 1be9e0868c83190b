/**
 * Tables of states, in which bytes lead from one state to the next: `state = table[state + byte]`.
 * A state is the index of the first of its 256 entries.
 *
 * @module
 */

/** The entries of a state: one for each byte. */
export const STATE_ENTRIES = 256;

/** Whether every entry of a table is a state of it, so that following it needs no checks. */
export function isStateTable(table: Int32Array): boolean {
  const { length } = table;
  return length > 0 && length % STATE_ENTRIES === 0 &&
    table.every((state) => state >= 0 && state < length && state % STATE_ENTRIES === 0);
}

/** Returns the first state that is not final: every byte leads from a final state back to it. */
export function firstOpenState(table: Int32Array): number {
  let first = 0;
  while (first < table.length && isFinal(table, first)) first += STATE_ENTRIES;
  return first;
}

function isFinal(table: Int32Array, state: number): boolean {
  return table.subarray(state, state + STATE_ENTRIES).every((next) => next === state);
}

/** Returns the state after bytes; a start that is no state counts as 0. */
export function followBytes(table: Int32Array, bytes: Iterable<number>, start: number): number {
  let state = start >= 0 && start < table.length ? start - start % STATE_ENTRIES : 0;
  for (const byte of bytes) state = table[state + byte] ?? 0;
  return state;
}
