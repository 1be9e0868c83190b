/**
 * The messages between the main thread and a thread that computes parts.
 *
 * @module
 */

import { LIFE_WORDS } from "../../../base/threads/life.ts";

/** The parts that a thread has at a time: one that it computes, and two that wait for it. */
export const NUM_TURNS = 3;

/**
 * A word for each turn, after the life of the thread in the memory that both share: the number + 1
 * of a part that the thread may skip.
 */
export const SKIPPED_AT = LIFE_WORDS;

/** The words of that memory. */
export const CONTROL_WORDS = SKIPPED_AT + NUM_TURNS;

/**
 * A message of the main thread: the shared memory; the state of an owner of parts, such as its join
 * table, or null once the owner is gone; or a part.
 */
export type ToPartWorker<State, Batch> =
  | { readonly control: Int32Array }
  | { readonly owner: number; readonly state: State | null }
  | PartMessage<Batch>;

/** A part: a batch of an owner. */
export interface PartMessage<Batch> {
  readonly part: number;
  /** Its place among the parts that the thread has at a time. */
  readonly turn: number;
  readonly of: number;
  readonly batch: Batch;
}

/** A message of a thread: the answer to a part, or null if it failed. */
export interface FromPartWorker<Answer> {
  readonly part: number;
  readonly answer: Answer | null;
}
