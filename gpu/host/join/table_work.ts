/** @module */

import { makeFindRows } from "./find_rows.ts";
import { makeGatherPayload } from "./gather_payload.ts";
import { MASKS_AT } from "./kernels/find_text.ts";
import { makePlaceBatch } from "./place_batch.ts";
import { makeNewProber, type NewProber } from "./prober.ts";
import { countMatches, expandMatches } from "./row_pairs.ts";
import { makeTakeRows } from "./take_rows.ts";
import { newWork, type Work } from "./work.ts";

/** What a thread probes tables with, one at a time. */
export interface TableWork {
  readonly work: Work;
  readonly newProber: NewProber;
}

/** The functions that probers are made of, which threads get by their sources. */
export const proberParts = {
  makePlaceBatch,
  makeFindRows,
  makeTakeRows,
  makeGatherPayload,
  countMatches,
  expandMatches,
};

/** The memory and the probers of this thread. */
export function newTableWork(): TableWork {
  const work = newWork(MASKS_AT);
  return { work, newProber: makeNewProber(work, proberParts) };
}
