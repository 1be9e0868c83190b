/** Orders in which a device may take the tiles of text, and how long tiles wait for each other. */

import type { TileOptions } from "../../../gpu/webgpu/dispatch/strategy_options.ts";
import type { WebGpuContext } from "../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { isThroughGl } from "./adapter.ts";
import { type ContextOptions, contextTest } from "./device_kernels.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

const IN_ORDER = "fn tile_of(number: u32, tiles: u32) -> u32 { return number; }\n";
const REVERSED = "fn tile_of(number: u32, tiles: u32) -> u32 { return tiles - 1u - number; }\n";

/** Pairs change places, and so do halves of sixteen. */
const SHUFFLED = `
fn tile_of(number: u32, tiles: u32) -> u32 {
  let other = number ^ 9u;
  return select(number, other, max(number | 15u, other) < tiles);
}
`;

const ALL_POST = "fn posts(tile: u32) -> bool { return true; }\n";
const NONE_POSTS = "fn posts(tile: u32) -> bool { return false; }\n";
const HALF_POST = "fn posts(tile: u32) -> bool { return (tile & 1u) == 0u; }\n";

/** Some tiles are late, by rounds that no compiler can leave out. */
const LATE_POST = `
fn posts(tile: u32) -> bool {
  var late = 0u;
  for (var k = 0u; k < (tile % 5u) * 40u; k++) { late |= atomicOr(&states[0], 0u); }
  return late != 0xffffffffu;
}
`;

const spins = (most: number) => `const MAX_SPINS = ${most}u;\n`;

/** WGSL for `TileOptions.order`, by what it does. */
export const TILE_ORDERS: Readonly<Record<string, string>> = {
  "in order": spins(32) + IN_ORDER + ALL_POST,
  "in order, never waiting": spins(0) + IN_ORDER + ALL_POST,
  "in order, some late": spins(4) + IN_ORDER + LATE_POST,
  "half of them silent": spins(2) + IN_ORDER + HALF_POST,
  "all of them silent": spins(0) + IN_ORDER + NONE_POSTS,
  "shuffled": spins(2) + SHUFFLED + ALL_POST,
  "shuffled, half of them silent": spins(0) + SHUFFLED + HALF_POST,
  "reversed": spins(1) + REVERSED + ALL_POST,
};

/** Rows of tiles. */
export const TILE_ROWS: readonly number[] = [32, 64, 96, 160, 256];

/** Registers a test of one pass, as `contextTest`; it is ignored where the adapter comes through GL. */
export function tilesTest(
  name: string,
  use: (context: WebGpuContext) => Promise<void>,
  options: ContextOptions = {},
): void {
  if (!isThroughGl) contextTest(name, use, options);
  else Deno.test({ name: `${name} (ignored: GL)`, ignore: true, fn: () => {} });
}

/** Text is always made in one pass, in tiles of a number of rows. */
export function tilesOf(rows: number, order: string): TileOptions {
  return {
    use: "always",
    rules: [],
    rows,
    order: TILE_ORDERS[order]!,
  };
}

/** Tiles of any size in any order; as the name states. */
export function randomTiles(random: SeededRandom): { name: string; tiles: TileOptions } {
  const rows = random.pick(TILE_ROWS);
  const order = random.pick(Object.keys(TILE_ORDERS));
  return { name: `tiles of ${rows} rows, ${order}`, tiles: tilesOf(rows, order) };
}
