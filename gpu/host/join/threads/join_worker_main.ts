/** @module */

import type { joinKernelsOf } from "../kernels/module.ts";
import type { ProbeBatch } from "../probe_batch.ts";
import type { CopiedColumn, ProbeAnswer } from "../probe_answer.ts";
import type { NewProber, Prober } from "../prober.ts";
import type { TablePlaces } from "../table_places.ts";
import type { Work } from "../work.ts";

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
  /** Milliseconds without work after which it leaves, and those after its last table was dropped. */
  readonly idleMs: number;
  readonly doneMs: number;
}

/** What the main thread sends. */
export type ToJoinWorker =
  | { readonly control: Int32Array }
  | { readonly table: number; readonly places: TablePlaces | null }
  | PartMessage;

/** A part as it is sent. */
interface PartMessage {
  readonly part: number;
  /** Its place among the parts that are sent at a time. */
  readonly turn: number;
  readonly of: number;
  readonly batch: ProbeBatch;
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
  work: Work,
  kernelsOf: typeof joinKernelsOf,
  newProber: NewProber,
): void {
  type Scope = {
    onmessage: (event: { readonly data: ToJoinWorker }) => void;
    postMessage(message: FromJoinWorker, transfer: ArrayBufferLike[]): void;
    close(): void;
  };
  const scope = globalThis as unknown as Scope;
  const probers = new Map<number, Prober>();
  let control: Int32Array = new Int32Array(8);
  let numReceived = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  scope.onmessage = ({ data }) => {
    clearTimeout(timer);
    let waitMs = names.idleMs;
    if ("control" in data) {
      control = data.control;
      Atomics.store(control, names.life, names.here);
    } else if ("table" in data) {
      if (data.places === null) {
        probers.delete(data.table);
        if (probers.size === 0) waitMs = names.doneMs;
      } else {
        const { module, memory } = data.places;
        const kernels = kernelsOf(module, work.memory, memory);
        probers.set(data.table, newProber(data.places, kernels));
      }
    } else {
      numReceived++;
      answerPart(data);
    }
    timer = setTimeout(leave, waitMs);
  };

  function answerPart({ part, turn, of, batch }: PartMessage): void {
    const isSkipped = Atomics.load(control, names.skipped + turn) === part + 1;
    const answer = isSkipped ? null : tryProbe(of, batch);
    Atomics.add(control, names.numDone, 1);
    if (isSkipped) return;
    scope.postMessage({ part, answer }, answer === null ? [] : buffersOf(answer));
  }

  /** Any failure concerns the part only: the main thread does it again, and throws or counts it. */
  function tryProbe(of: number, batch: ProbeBatch): ProbeAnswer | null {
    try {
      return probers.get(of)!.probe(batch);
    } catch {
      return null;
    }
  }

  /** What goes to the main thread without a copy; parts of one buffer are sent once. */
  function buffersOf({ found, pieces }: ProbeAnswer): ArrayBufferLike[] {
    const buffers = new Set<ArrayBufferLike>();
    const add = (array: { readonly buffer: ArrayBufferLike } | null) => {
      if (array !== null) buffers.add(array.buffer);
    };
    add(found);
    for (const { probeRows, buildRows, columns, payload } of pieces ?? []) {
      add(probeRows);
      add(buildRows);
      [...columns ?? [], ...payload ?? []].forEach(({ data, offsets, validity }: CopiedColumn) => {
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
