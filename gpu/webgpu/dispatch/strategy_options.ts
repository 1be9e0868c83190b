/**
 * The choice between strategies: one pass in tiles instead of two passes for text, several lanes
 * instead of one for a row. The rules of `gpu/kernel/emit/wgsl/strategy_rules.ts` decide, unless a
 * test or a bench forces a strategy.
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

/** When a device uses a strategy. */
export interface StrategyOptions {
  /** `never` and `always` are for tests and benches. */
  readonly use: "never" | "rules" | "always";
  readonly rules: readonly StrategyRule[];
}

/** Options for text in one pass, tile by tile. */
export interface TileOptions extends StrategyOptions {
  /** The rows of a tile, a multiple of 32 up to 256. */
  readonly rows: number;
  /**
   * WGSL that replaces `strategies/tiles_in_order.wgsl` in tests. It defines `tile_of`, the tile of
   * a workgroup; `posts`, whether a workgroup publishes the size of its tile; and `MAX_SPINS`, the
   * rounds for which a tile waits before it counts another tile itself. Tests take tiles in other
   * orders, and have tiles that never publish.
   */
  readonly order?: string;
}

/** Options for several lanes of a row. */
export interface LaneOptions extends StrategyOptions {
  /** The number of lanes of a row, whatever its size: for tests. */
  readonly width?: LaneWidth;
}

/** A number of lanes that share a row. */
export type LaneWidth = 8 | 16 | 32;

/** Returns the default options of a device for tiles. */
export function tileOptions(device: WebGpuDevice): TileOptions {
  return { ...rulesOf(device, ["pieces", "loops", "filter", "gather"]), rows: TILE_LANES };
}

/** Returns the default options of a device for lanes. */
export function laneOptions(device: WebGpuDevice): LaneOptions {
  return rulesOf(device, ["marks", "copies"]);
}

function rulesOf({ adapter, gpu }: WebGpuDevice, works: readonly Work[]): StrategyOptions {
  const direct = adapter.software ? SOFTWARE_RULES : CARD_RULES;
  const rules = isNotThroughGl(gpu.features) ? direct : GL_RULES;
  return { use: "rules", rules: rules.filter(({ work }) => works.includes(work)) };
}

/** Whether the strategy is used for any size of work. */
export function mayUse({ use, rules }: StrategyOptions): boolean {
  return use === "always" || (use === "rules" && rules.length > 0);
}

/** Whether the strategy is used for work of this size. */
export function isUsedFor({ use, rules }: StrategyOptions, size: WorkSize): boolean {
  return use === "rules" ? ruleFor(rules, size) !== null : use === "always";
}

/**
 * Whether an adapter or a device does not come through GL, whose drivers never have this feature.
 */
export function isNotThroughGl(features: GPUSupportedFeatures): boolean {
  return features.has("rg11b10ufloat-renderable");
}
