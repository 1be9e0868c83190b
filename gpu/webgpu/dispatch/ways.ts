/**
 * How a device does work for which there are two ways: by the rules of `gpu/kernel/emit/wgsl/ways.ts`,
 * unless a test or a bench forces one of them.
 *
 * @module
 */

import {
  CARD_RULES,
  GL_RULES,
  ruleFor,
  SOFTWARE_RULES,
  type WayRule,
  type Work,
  type WorkSize,
} from "../../kernel/emit/wgsl/ways.ts";
import type { WebGpuDevice } from "../device/device.ts";

/** When the other way is taken instead of the usual one. */
export interface Ways {
  /** `never` and `always` are for tests and benches. */
  readonly use: "never" | "rules" | "always";
  readonly rules: readonly WayRule[];
}

/** What a device does with work of some kinds unless it is told. */
export function waysOf({ adapter, gpu }: WebGpuDevice, works: readonly Work[]): Ways {
  const direct = adapter.software ? SOFTWARE_RULES : CARD_RULES;
  const rules = isNotThroughGl(gpu.features) ? direct : GL_RULES;
  return { use: "rules", rules: rules.filter(({ work }) => works.includes(work)) };
}

/** Whether any work is done in the other way; it is sooner known than of what size work is. */
export function mayTakeOtherWay({ use, rules }: Ways): boolean {
  return use === "always" || (use === "rules" && rules.length > 0);
}

/** Whether work is done in the other way. */
export function takesOtherWay({ use, rules }: Ways, size: WorkSize): boolean {
  return use === "rules" ? ruleFor(rules, size) !== null : use === "always";
}

/** Whether an adapter or a device does not come through GL: there no driver has this feature. */
export function isNotThroughGl(features: GPUSupportedFeatures): boolean {
  return features.has("rg11b10ufloat-renderable");
}
