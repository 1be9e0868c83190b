/** @module */

import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { MAX_REPEATED_BYTES } from "../../kernel/ir/ir.ts";
import { copyBytes, makeCopies, viewBytes } from "./copy_bytes.ts";
import { readDecimal, readNarrowDecimal, writeFloat, writeNormal } from "./host_functions.ts";
import { checkRepeat, makeRepeats, repeatBytes } from "./repeat_bytes.ts";
import { reverseItems } from "./reverse_items.ts";
import { makeSeeks, seekByte, seekBytes } from "./seek_bytes.ts";

/** What kernels call, as JavaScript. */
export const runtime: RuntimeFunctions = {
  $viewBytes: viewBytes,
  $copy: copyBytes,
  $repeat: repeatBytes,
  $checkRepeat: checkRepeat,
  $seekByte: seekByte,
  $seekBytes: seekBytes,
  $toFloat: readDecimal,
  $toNarrowFloat: readNarrowDecimal,
  $putFloat: writeFloat,
  $copyNormal: writeNormal,
  $turn: reverseItems,
};

/** What of it threads have too. */
export const sharedFunctions: readonly (keyof RuntimeFunctions)[] = [
  "$viewBytes",
  "$copy",
  "$repeat",
  "$checkRepeat",
  "$seekByte",
  "$seekBytes",
];

/** The source of an object with the functions that threads have. Its errors are plain. */
export function sharedSource(): string {
  return `(() => {
  const { copyBytes: $copy, viewBytes: $viewBytes } = (${makeCopies})();
  const { seekByte: $seekByte, seekBytes: $seekBytes } = (${makeSeeks})();
  const full = (message) => new RangeError(message);
  const { checkRepeat: $checkRepeat, repeatBytes: $repeat } = (${makeRepeats})({
    copyBytes: $copy,
    maxRowBytes: ${MAX_REPEATED_BYTES},
    maxColumnBytes: ${MAX_NARROW_OFFSET},
    rowFull: full,
    columnFull: full,
  });
  return { ${sharedFunctions.join(", ")} };
})()`;
}
