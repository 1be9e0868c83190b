/** @module */

import { MAX_REPEATED_BYTES } from "../../kernel/ir/repeat_limit.ts";
import { makeCopies } from "../runtime/copy_bytes.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { makeRepeats } from "../runtime/repeat_bytes.ts";
import { makeSeeks } from "../runtime/seek_bytes.ts";
import { layout } from "./layout.ts";
import { workerMain } from "./worker_main.ts";

/** The parameters of kernels that a worker can fill: what it calls, and what the part gives. */
export const workerParameters: ReadonlySet<string> = new Set([
  "$rows",
  "$result",
  "$offsets",
  "$validity",
  "$grow",
  "$copy",
  "$viewBytes",
  "$seekByte",
  "$seekBytes",
  "$repeat",
  "$checkRepeat",
]);

/**
 * The program of a worker: functions of this library by their source, so that there is no module
 * to load, which would need a permission and would be lost in a bundle.
 */
export function workerSource(): string {
  return `"use strict";
const { copyBytes, viewBytes } = (${makeCopies})();
const { seekByte, seekBytes } = (${makeSeeks})();
const full = (message) => new RangeError(message);
const { checkRepeat, repeatBytes } = (${makeRepeats})({
  copyBytes,
  maxRowBytes: ${MAX_REPEATED_BYTES},
  maxColumnBytes: ${MAX_NARROW_OFFSET},
  rowFull: full,
  columnFull: full,
});
const helpers = {
  $copy: copyBytes,
  $viewBytes: viewBytes,
  $seekByte: seekByte,
  $seekBytes: seekBytes,
  $repeat: repeatBytes,
  $checkRepeat: checkRepeat,
};
onmessage = ({ data }) => {
  (${workerMain})(data, ${JSON.stringify(layout)}, helpers);
  close();
};
`;
}
