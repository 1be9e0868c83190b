/**
 * What a thread that probes and the main thread say to each other.
 *
 * @module
 */

import { LIFE_WORDS } from "../../../../base/threads/life.ts";
import type { ProbeAnswer } from "../probe_answer.ts";
import type { ProbeBatch } from "../probe_batch.ts";
import type { TablePlaces } from "../table_places.ts";

/** Parts that a thread has at once: one that it does, and two so that it does not wait. */
export const NUM_TURNS = 3;

/**
 * Where, behind the life of the thread in the memory that both share, the number + 1 of a part lies
 * that it need not do any more, for each turn.
 */
export const SKIPPED_AT = LIFE_WORDS;

/** Words of that memory. */
export const CONTROL_WORDS = SKIPPED_AT + NUM_TURNS;

/** What the main thread sends. */
export type ToJoinWorker =
  | { readonly control: Int32Array }
  | { readonly table: number; readonly places: TablePlaces | null }
  | PartMessage;

/** A part: a batch of a table to be probed. */
export interface PartMessage {
  readonly part: number;
  /** Its place among the parts that are sent at a time. */
  readonly turn: number;
  readonly of: number;
  readonly batch: ProbeBatch;
}

/** What a thread sends: the answer to a part, null where that failed. */
export interface FromJoinWorker {
  readonly part: number;
  readonly answer: ProbeAnswer | null;
}
