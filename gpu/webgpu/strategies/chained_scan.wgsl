// Where the text of a tile of rows begins, while all tiles are being made; a library for kernels of
// workgroup size 256 that make text in one pass. Follows block_scan.wgsl and an order of tiles, such as
// tiles_in_order.wgsl.
//
// Each tile posts its size as soon as it is known, and the bytes up to its end once those before it
// are. Nothing says that the workgroup of an earlier tile goes on while another one waits, so that one
// computes a size that is missing by itself after some rounds, as Smith, Levien and Owens describe
// (Decoupled Fallback, SPAA 2025). The state of a tile is one word, and no other word goes from
// workgroup to workgroup, so that no order of memory matters.
//
// A kernel binds `states`, words that are 0 at first: the next tile, tiles that are done, one of the
// kernel's own; then for each tile its bytes << 2 | 1, or the bytes up to its end << 2 | 2. Its
// params[0].x are rows, params[0].y rows of a tile. It says what a row makes:
// count_row(index: u32, is_row: bool) -> u32, of any row of any tile.

// Words of `states` before those of the tiles.
const STATES_HEAD = 3u;

// Bytes that are too many: what ends there or behind it is never done.
const MOST_BYTES = 0x3fffffffu;

// Tiles before one that are looked at together.
const SEEN_TILES = 64u;

// Rounds of a tile that waits. Mesa's software adapter ends loops that are longer.
const MAX_ROUNDS = 50000u;

var<workgroup> nearest_stop: atomic<u32>;

fn post(tile: u32, bytes: u32, flag: u32) {
  atomicMax(&states[STATES_HEAD + tile], (bytes << 2u) | flag);
}

// Counts another tile, whose workgroup has not done so yet.
fn count_tile(tile: u32, lane: u32) {
  let index = tile * params[0].y + lane;
  let size = count_row(index, lane < params[0].y && index < params[0].x);
  block_exclusive_scan(size, lane);
  if (lane == 0u) { post(tile, min(scan_total, MOST_BYTES), 1u); }
}

// The bytes before a tile, or too many. Lanes look at one tile each, from the nearest on.
fn bytes_before(tile: u32, lane: u32) -> u32 {
  var bytes = 0u;
  // The tiles [0, open) are not in it yet.
  var open = tile;
  var spins = 0u;
  for (var round = 0u; open > 0u && round < MAX_ROUNDS; round++) {
    if (lane == 0u) { atomicStore(&nearest_stop, 2u * SEEN_TILES); }
    workgroupBarrier();
    var value = 0u;
    if (lane < min(open, SEEN_TILES)) {
      let state = atomicLoad(&states[STATES_HEAD + open - 1u - lane]);
      value = state >> 2u;
      if ((state & 3u) != 1u) { atomicMin(&nearest_stop, 2u * lane + ((state & 3u) >> 1u)); }
    }
    // The nearest tile that says nothing, or the bytes up to its end, which is odd.
    let nearest = workgroupUniformLoad(&nearest_stop);
    let is_sum = (nearest & 1u) == 1u;
    let known = min((nearest + 1u) >> 1u, min(open, SEEN_TILES));
    if (known > 0u) {
      block_exclusive_scan(select(0u, value, lane < known), lane);
      bytes = min(bytes + min(scan_total, MOST_BYTES), MOST_BYTES);
      open = select(open - known, 0u, is_sum);
      spins = 0u;
    } else if (spins < MAX_SPINS) {
      spins++;
    } else {
      count_tile(open - 1u, lane);
      spins = 0u;
    }
  }
  return select(MOST_BYTES, bytes, open == 0u);
}
