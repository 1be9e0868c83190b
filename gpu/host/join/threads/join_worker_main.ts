/** @module */

import type { GatheredField } from "../gather_records.ts";
import type { makeProbePart, ProbeAnswer, SharedKey, SharedTable } from "./probe_part.ts";

/** Words of the memory that a worker shares with the main thread, and what they may be. */
export interface JoinControl {
  /** Whether the worker is there: 0 before it is, then one of the next two. */
  readonly life: number;
  readonly here: number;
  readonly gone: number;
  /** Parts that were sent to it, and parts that it has done. */
  readonly numSent: number;
  readonly numDone: number;
  /** The number + 1 of a part that it need not do any more, for each place that parts have. */
  readonly skipped: number;
  /** Milliseconds without work after which it leaves. */
  readonly idleMs: number;
}

/** What the main thread sends. */
export type ToJoinWorker =
  | { readonly control: Int32Array }
  | { readonly table: number; readonly shared: SharedTable | null }
  | PartMessage;

/** A part as it is sent. */
interface PartMessage {
  readonly part: number;
  /** Its place among the parts that are sent at a time. */
  readonly turn: number;
  readonly of: number;
  readonly key: SharedKey;
  readonly pieceRows: number;
}

/** What a worker sends: the answer to a part, null where that failed. */
export interface FromJoinWorker {
  readonly part: number;
  readonly answer: ProbeAnswer | null;
}

/**
 * Answers the parts that it is sent, in their order, until there was nothing to do for a while.
 *
 * The source of this function is the source of the worker, so it refers to nothing outside of itself.
 */
export function joinWorkerMain(
  names: JoinControl,
  { probePart }: ReturnType<typeof makeProbePart>,
): void {
  type Scope = {
    onmessage: (event: { readonly data: ToJoinWorker }) => void;
    postMessage(message: FromJoinWorker, transfer: ArrayBufferLike[]): void;
    close(): void;
  };
  const scope = globalThis as unknown as Scope;
  const tables = new Map<number, SharedTable>();
  let control: Int32Array = new Int32Array(8);
  let numReceived = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  scope.onmessage = ({ data }) => {
    clearTimeout(timer);
    if ("control" in data) {
      control = data.control;
      Atomics.store(control, names.life, names.here);
    } else if ("table" in data) {
      if (data.shared === null) tables.delete(data.table);
      else tables.set(data.table, data.shared);
    } else {
      numReceived++;
      answerPart(data);
    }
    timer = setTimeout(leave, names.idleMs);
  };

  function answerPart({ part, turn, of, key, pieceRows }: PartMessage): void {
    const isSkipped = Atomics.load(control, names.skipped + turn) === part + 1;
    const answer = isSkipped ? null : tryProbe(of, key, pieceRows);
    Atomics.add(control, names.numDone, 1);
    if (isSkipped) return;
    scope.postMessage({ part, answer }, answer === null ? [] : buffersOf(answer));
  }

  /** Any failure concerns the part only: the main thread does it again, and throws or counts it. */
  function tryProbe(of: number, key: SharedKey, pieceRows: number): ProbeAnswer | null {
    try {
      return probePart(tables.get(of) as SharedTable, key, pieceRows);
    } catch {
      return null;
    }
  }

  /** What goes to the main thread without a copy; parts of one buffer are sent once. */
  function buffersOf({ firstRows, pieces }: ProbeAnswer): ArrayBufferLike[] {
    const buffers = new Set<ArrayBufferLike>();
    const add = (array: { readonly buffer: ArrayBufferLike } | null) => {
      if (array !== null) buffers.add(array.buffer);
    };
    add(firstRows);
    for (const { probeRows, buildRows, fields } of pieces ?? []) {
      add(probeRows);
      add(buildRows);
      (fields ?? []).forEach(({ data, offsets, validity }: GatheredField) => {
        add(data);
        add(offsets);
        add(validity);
      });
    }
    return [...buffers];
  }

  /** Ends the worker, unless something was sent: the main thread sees that it is gone, or this it. */
  function leave(): void {
    Atomics.store(control, names.life, names.gone);
    if (Atomics.load(control, names.numSent) === numReceived) return scope.close();
    Atomics.store(control, names.life, names.here);
    timer = setTimeout(leave, names.idleMs);
  }
}
