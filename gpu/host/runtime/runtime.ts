/** @module */

import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import { copyBytes, viewBytes } from "./copy_bytes.ts";
import { readDecimal } from "./read_decimal.ts";
import { checkRepeat, repeatBytes } from "./repeat_bytes.ts";
import { reverseItems } from "./reverse_items.ts";
import { seekByte, seekBytes } from "./seek_bytes.ts";
import { writeFloat } from "./write_float.ts";
import { writeNormal } from "./write_normal.ts";

/** What kernels call, as JavaScript. */
export const runtime: RuntimeFunctions = {
  $viewBytes: viewBytes,
  $copy: copyBytes,
  $repeat: repeatBytes,
  $checkRepeat: checkRepeat,
  $seekByte: seekByte,
  $seekBytes: seekBytes,
  $toFloat: readDecimal,
  $putFloat: writeFloat,
  $copyNormal: writeNormal,
  $turn: reverseItems,
};
