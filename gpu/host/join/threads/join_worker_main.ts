/**
 * The program of a thread that probes: it answers the parts that it is sent, in their order, until there
 * was nothing to do for a while. `join_program.ts` has its text.
 *
 * @module
 */

import { ThreadLife } from "../../../../base/threads/life.ts";
import { IdleStop, threadScope } from "../../../../base/threads/scope.ts";
import { tableKernelsOf } from "../../table/kernels/instance.ts";
import type { CopiedColumn } from "../../parts/take_rows.ts";
import type { ProbeAnswer } from "../probe_answer.ts";
import type { ProbeBatch } from "../probe_batch.ts";
import { Prober } from "../prober.ts";
import { newWork } from "../../table/work.ts";
import {
  type FromJoinWorker,
  type PartMessage,
  SKIPPED_AT,
  type ToJoinWorker,
} from "./join_messages.ts";

/** Milliseconds without work after which the thread leaves, and those after its last table was dropped. */
const IDLE_MS = 500;
const DONE_MS = 25;

const scope = threadScope<ToJoinWorker, FromJoinWorker>();
const work = newWork();
const probers = new Map<number, Prober>();
let life = new ThreadLife();
let idle = new IdleStop(life);

scope.addEventListener("message", ({ data }) => {
  idle.stop();
  let waitMs = IDLE_MS;
  if ("control" in data) {
    life = new ThreadLife(data.control);
    idle = new IdleStop(life);
    life.start();
  } else if ("table" in data) {
    if (data.places === null) {
      probers.delete(data.table);
      if (probers.size === 0) waitMs = DONE_MS;
    } else {
      const { module, memory } = data.places;
      const kernels = tableKernelsOf(module, work.memory, memory);
      probers.set(data.table, new Prober(work, data.places, kernels));
    }
  } else answerPart(data);
  idle.restart(waitMs);
});

function answerPart({ part, turn, of, batch }: PartMessage): void {
  const isSkipped = Atomics.load(life.words, SKIPPED_AT + turn) === part + 1;
  const answer = isSkipped ? null : tryProbe(of, batch);
  life.finish();
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
function buffersOf({ found, pieces }: ProbeAnswer): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const add = (array: { readonly buffer: ArrayBufferLike } | null) => {
    if (array !== null) buffers.add(array.buffer as ArrayBuffer);
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
