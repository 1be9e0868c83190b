/**
 * Chooses the settings of an engine: from its options, else from the environment, else a default.
 *
 * @module
 */

import { MAX_THRESHOLD, type OffsetRule } from "../batch/offset_rule.ts";
import { checkFlag } from "../../base/option_kinds.ts";
import { chooseCount, type Count } from "../../base/settings/settings.ts";
import { environmentVariable } from "../../base/settings/environment.ts";

const thresholdBytes: Count = {
  option: "threshold",
  variable: "SLUICE_LARGE_STRINGS_THRESHOLD",
  range: `bytes from 1 to ${MAX_THRESHOLD}`,
  most: MAX_THRESHOLD,
};

const enabledVariable = "SLUICE_LARGE_STRINGS_ENABLED";

/**
 * Returns the rule for 64-bit offsets. Throws a RangeError for a threshold that is not an integer
 * from 1 to 2^31 - 1, or for a variable that is neither 0 nor 1, and a TypeError for an option that
 * is not a boolean.
 */
export function chooseOffsetRule(threshold?: number, enabled?: boolean): OffsetRule {
  checkFlag("largeStrings", enabled);
  return {
    threshold: chooseCount(threshold, thresholdBytes) ?? MAX_THRESHOLD,
    enabled: enabled ?? enabledByEnvironment(),
  };
}

function enabledByEnvironment(): boolean {
  const value = environmentVariable(enabledVariable) ?? "1";
  if (value === "0" || value === "1") return value === "1";
  throw new RangeError(`${enabledVariable} is 0 or 1, not "${value}"`);
}
