/** @module */

import type { StageContext } from "../../ops/engine/node.ts";
import { defaultOffsetRule } from "../../ops/batch/offset_rule.ts";

/** A context for a stage that a test runs by itself. */
export function stageContext(
  parts: Pick<StageContext, "backend"> & Partial<StageContext>,
): StageContext {
  return {
    memory: Infinity,
    offsets: defaultOffsetRule,
    signal: new AbortController().signal,
    ...parts,
  };
}
