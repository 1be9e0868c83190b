/**
 * The functions that the JavaScript of kernels calls.
 *
 * @module
 */

import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import {
  readDecimal,
  readNarrowDecimal,
  writeFloat,
  writeFormatted,
  writeFormattedDecimal,
  writeFormattedInteger,
  writeNormal,
} from "./host_functions.ts";
import { reverseItems } from "./reverse_items.ts";
import { sharedRuntime } from "./shared_runtime.ts";

/** The functions, by the names of their parameters. */
export const runtime: RuntimeFunctions = {
  ...sharedRuntime,
  $toFloat: readDecimal,
  $toNarrowFloat: readNarrowDecimal,
  $putFloat: writeFloat,
  $putFormatted: writeFormatted,
  $putFormattedInteger: writeFormattedInteger,
  $putFormattedDecimal: writeFormattedDecimal,
  $copyNormal: writeNormal,
  $turn: reverseItems,
};
