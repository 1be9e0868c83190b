// The order in which workgroups take the tiles of a chained scan: an earlier tile has always
// started before a later one. Tests have other orders, and tiles that never post their size.

// The number of rounds that a tile waits for another one before it counts that one itself.
const MAX_SPINS = 32u;

// Returns the tile of the workgroup that starts as number `number`.
fn tile_of(number: u32, tiles: u32) -> u32 {
  return number;
}

// Whether a tile posts its size.
fn posts(tile: u32) -> bool {
  return true;
}
