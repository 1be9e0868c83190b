// In what order the tiles of a chained scan are taken: an earlier one has always begun before a later
// one. Tests have other orders, and tiles that never say how large they are.

// Rounds that a tile waits for another one before it counts that by itself.
const MAX_SPINS = 32u;

// The tile of the workgroup that begins as such a one.
fn tile_of(number: u32, tiles: u32) -> u32 {
  return number;
}

// Whether a tile says how large it is.
fn posts(tile: u32) -> bool {
  return true;
}
