/** @module */

import { MASKS_AT } from "../kernels/find_text.ts";
import { joinKernelsOf } from "../kernels/module.ts";
import { makeNewProber } from "../prober.ts";
import { proberParts } from "../table_work.ts";
import { newWork } from "../work.ts";
import { type JoinControl, joinWorkerMain } from "./join_worker_main.ts";

/** The one layout of the memory that is shared. */
export const joinControl: JoinControl = {
  life: 0,
  here: 1,
  gone: 2,
  numSent: 1,
  numDone: 2,
  skipped: 3,
  idleMs: 500,
  doneMs: 25,
};

/**
 * The program of a worker: functions of this library by their source, so that there is no module
 * to load, which would need a permission and would be lost in a bundle.
 */
export function joinWorkerSource(): string {
  const parts = Object.entries(proberParts).map(([name, part]) => `${name}: ${part}`).join(",\n");
  return `"use strict";
const work = (${newWork})(${MASKS_AT});
const newProber = (${makeNewProber})(work, {${parts}});
(${joinWorkerMain})(${JSON.stringify(joinControl)}, work, ${joinKernelsOf}, newProber);
`;
}
