/**
 * The executors of the host, best first. The first one that fits a kernel and a batch computes it.
 *
 * @module
 */

import { byteMap } from "./byte_map.ts";
import { characterMap } from "./character_map.ts";
import type { Executor } from "./executor.ts";
import { javascript } from "./javascript.ts";
import { wasm } from "./wasm.ts";

/** The executors, in the order in which they are asked. */
export const executors: readonly Executor[] = [characterMap, byteMap, wasm, javascript];
