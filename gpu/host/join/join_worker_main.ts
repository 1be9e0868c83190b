/**
 * The program of a thread that probes join tables. `join_program.ts` has its bundled text.
 *
 * @module
 */

import { serveParts } from "../parts/serve_parts.ts";
import type { CopiedColumn } from "../parts/take_rows.ts";
import { tableKernelsOf } from "../table/kernels/instance.ts";
import { newWork } from "../table/work.ts";
import type { ProbeAnswer } from "./probe_answer.ts";
import type { ProbeBatch } from "./probe_batch.ts";
import { Prober } from "./prober.ts";
import type { TablePlaces } from "./table_places.ts";

const work = newWork();

serveParts<TablePlaces, ProbeBatch, ProbeAnswer>({
  open(places) {
    const kernels = tableKernelsOf(places.module, work.memory, places.memory);
    const prober = new Prober(work, places, kernels);
    return (batch) => prober.probe(batch);
  },
  buffersOf,
});

/** Returns the buffers of an answer; parts of one buffer are sent once. */
function buffersOf({ found, results }: ProbeAnswer): Set<ArrayBuffer> {
  const buffers = new Set<ArrayBuffer>();
  const add = (array: { readonly buffer: ArrayBufferLike } | null) => {
    if (array !== null) buffers.add(array.buffer as ArrayBuffer);
  };
  add(found);
  for (const { probeRows, buildRows, columns, payload } of results ?? []) {
    add(probeRows);
    add(buildRows);
    [...columns ?? [], ...payload ?? []].forEach(({ data, offsets, validity }: CopiedColumn) => {
      add(data);
      add(offsets);
      add(validity);
    });
  }
  return buffers;
}
