/**
 * Removes transitions that can no longer change the result of a search.
 *
 * @module
 */

import type { State, Transition } from "./determinize.ts";

/** The outcome of a test, in place of a next state. */
export const Outcome = { None: -1, Found: -2 } as const;

/** Replaces transitions to states that reach no match, so that the search stops. */
export function stopWhereHopeless(states: readonly State[]): void {
  const hopeful = reaching(states, ({ match }) => match !== null);
  for (const { transitions } of states) {
    for (const transition of transitions) {
      if (transition.target >= 0 && !hopeful[transition.target]) transition.target = Outcome.None;
    }
  }
}

/** Replaces transitions to states from which every continuation finds a match. */
export function stopWhereCertain(states: readonly State[]): void {
  const isFound = ({ match, target }: Transition) => match !== null || target === Outcome.Found;
  const certain = new Set<number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [index, { transitions }] of states.entries()) {
      if (certain.has(index) || !transitions.every(isFound)) continue;
      certain.add(index);
      changed = true;
    }
    for (const { transitions } of changed ? states : []) {
      for (const transition of transitions) {
        if (certain.has(transition.target)) transition.target = Outcome.Found;
      }
    }
  }
}

/** Whether a path after a match can run in a cycle that has no further match. */
export function readsOn(states: readonly State[]): boolean {
  const behind = new Set<number>();
  const open = states.flatMap(({ transitions }) =>
    transitions.filter(({ match }) => match !== null).map(({ target }) => target)
  );
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (state < 0 || behind.has(state)) continue;
    behind.add(state);
    open.push(...(states[state]?.transitions ?? []).map(({ target }) => target));
  }
  // Drop states that lead to none of the others, until only cycles are left.
  for (let changed = true; changed;) {
    changed = false;
    for (const state of behind) {
      const goesOn = states[state]?.transitions.some(({ match, target }) =>
        match === null && behind.has(target)
      );
      if (goesOn === true) continue;
      behind.delete(state);
      changed = true;
    }
  }
  return behind.size > 0;
}

/** Returns for each state whether a path from it takes a transition that satisfies `isGoal`. */
function reaching(
  states: readonly State[],
  isGoal: (transition: Transition) => boolean,
): boolean[] {
  const sources: number[][] = states.map(() => []);
  const reaches = states.map(({ transitions }) => transitions.some(isGoal));
  for (const [index, { transitions }] of states.entries()) {
    for (const { target } of transitions) if (target >= 0) sources[target]?.push(index);
  }
  const open = [...reaches.keys()].filter((index) => reaches[index]);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const source of sources[state] ?? []) {
      if (!reaches[source]) open.push(source);
      reaches[source] = true;
    }
  }
  return reaches;
}
