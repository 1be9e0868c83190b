/** @module */

import type { HostColumn } from "../../gpu/column/column.ts";
import { settleOffsets } from "../../ops/batch/offset_rule.ts";
import { chooseOffsetRule } from "../../ops/engine/settings.ts";

/**
 * A column that a test made, with the offsets that the threshold of the environment wants: the whole
 * suite runs with a threshold of 1 too, where all text has offsets of 64 bits.
 */
export function asWideAsEnvironment(column: HostColumn): HostColumn {
  return settleOffsets(column, chooseOffsetRule(), "of a test");
}
