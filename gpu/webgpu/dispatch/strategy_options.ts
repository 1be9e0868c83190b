/**
 * The strategies that a device may use besides the usual ones: tiles instead of two passes for text, several
 * lanes instead of one for a row. The rules of `gpu/kernel/emit/wgsl/strategy_rules.ts` decide, unless a test
 * or a bench forces a strategy.
 *
 * @module
 */

import {
  CARD_RULES,
  GL_RULES,
  ruleFor,
  SOFTWARE_RULES,
  type StrategyRule,
  type Work,
  type WorkSize,
} from "../../kernel/emit/wgsl/strategy_rules.ts";
import { TILE_LANES } from "../../kernel/emit/wgsl/tiles/tiles.ts";
import type { WebGpuDevice } from "../device/device.ts";

/** Whether a device uses a strategy. */
export interface StrategyOptions {
  /** `never` and `always` are for tests and benches. */
  readonly use: "never" | "rules" | "always";
  readonly rules: readonly StrategyRule[];
}

/** Text in one pass, tile by tile. */
export interface TileOptions extends StrategyOptions {
  /** Rows of a tile, a multiple of 32 up to 256. */
  readonly rows: number;
  /**
   * WGSL that takes the place of `strategies/tiles_in_order.wgsl`: `tile_of`, the tile of a workgroup;
   * `posts`, whether a workgroup says how large its tile is; `MAX_SPINS`, the rounds that a tile waits before
   * it counts another one. Tests take tiles in other orders, and have some that never say anything.
   */
  readonly order?: string;
}

/** Several lanes for a row. */
export interface LaneOptions extends StrategyOptions {
  /** Lanes of a row, whatever its size: for tests. */
  readonly width?: LaneWidth;
}

/** Several lanes of a row. */
export type LaneWidth = 8 | 16 | 32;

/** Returns the options for tiles that a device has by default. */
export function tileOptions(device: WebGpuDevice): TileOptions {
  return { ...rulesOf(device, ["pieces", "loops", "filter", "gather"]), rows: TILE_LANES };
}

/** Returns the options for lanes that a device has by default. */
export function laneOptions(device: WebGpuDevice): LaneOptions {
  return rulesOf(device, ["marks", "copies"]);
}

function rulesOf({ adapter, gpu }: WebGpuDevice, works: readonly Work[]): StrategyOptions {
  const direct = adapter.software ? SOFTWARE_RULES : CARD_RULES;
  const rules = isNotThroughGl(gpu.features) ? direct : GL_RULES;
  return { use: "rules", rules: rules.filter(({ work }) => works.includes(work)) };
}

/** Whether the strategy is used for any work; this is known before the size of the work is. */
export function mayUse({ use, rules }: StrategyOptions): boolean {
  return use === "always" || (use === "rules" && rules.length > 0);
}

/** Whether the strategy is used for work of this size. */
export function isUsedFor({ use, rules }: StrategyOptions, size: WorkSize): boolean {
  return use === "rules" ? ruleFor(rules, size) !== null : use === "always";
}

/** Whether an adapter or a device does not come through GL: there no driver has this feature. */
export function isNotThroughGl(features: GPUSupportedFeatures): boolean {
  return features.has("rg11b10ufloat-renderable");
}
