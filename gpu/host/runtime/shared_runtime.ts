/**
 * The functions of the host that kernels call on every thread.
 *
 * @module
 */

import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import { copyBytes, viewBytes } from "./copy_bytes.ts";
import { checkRepeat, repeatBytes } from "./repeat_bytes.ts";
import { refuse } from "./refuse.ts";
import { seekByte, seekBytes } from "./seek_bytes.ts";

/** The functions, by the names of their parameters. */
export const sharedRuntime = {
  $viewBytes: viewBytes,
  $copy: copyBytes,
  $repeat: repeatBytes,
  $checkRepeat: checkRepeat,
  $fail: refuse,
  $seekByte: seekByte,
  $seekBytes: seekBytes,
} satisfies Partial<RuntimeFunctions>;
