/** @module */

import { BLOCK_ROWS } from "../../../key/key_words.ts";
import { makePackText } from "../../../key/pack_text.ts";
import { makeDenseFind } from "../dense_find.ts";
import { makeGatherRecords } from "../gather_records.ts";
import { makeHashFind } from "../hash_find.ts";
import { makeRecordText } from "../record_text.ts";
import { countMatches, expandMatches, pairMatches } from "../row_pairs.ts";
import { makeTextFind } from "../text_find.ts";
import { type JoinControl, joinWorkerMain } from "./join_worker_main.ts";
import { makeProbePart } from "./probe_part.ts";

/** The one layout of the memory that is shared. */
export const joinControl: JoinControl = {
  life: 0,
  here: 1,
  gone: 2,
  numSent: 1,
  numDone: 2,
  skipped: 3,
  idleMs: 100,
};

/**
 * The program of a worker: functions of this library by their source, so that there is no module
 * to load, which would need a permission and would be lost in a bundle.
 */
export function joinWorkerSource(): string {
  return `"use strict";
(${joinWorkerMain})(${JSON.stringify(joinControl)}, (${makeProbePart})({
  blockRows: ${BLOCK_ROWS},
  hash: (${makeHashFind})(${BLOCK_ROWS}),
  dense: (${makeDenseFind})(${BLOCK_ROWS}),
  text: (${makeTextFind})(${BLOCK_ROWS}),
  pack: (${makePackText})(),
  records: (${makeGatherRecords})((${makeRecordText})()),
  pairs: {
    countMatches: ${countMatches},
    pairMatches: ${pairMatches},
    expandMatches: ${expandMatches},
  },
}));
`;
}
