// Finds where the text of a tile begins while other tiles are still being computed. A library for
// kernels of workgroup size 256 that compute text in one pass. Follows block_scan.wgsl and an order
// of tiles, such as tiles_in_order.wgsl.
//
// Each tile posts its size as soon as it is known, and the bytes up to its end once the tiles
// before it have posted. Nothing guarantees that the workgroup of an earlier tile makes progress
// while another one waits. So after some rounds, a tile that waits computes the missing size
// itself, as Smith, Levien and Owens describe (Decoupled Fallback, SPAA 2025). The state of a tile
// is one word, and workgroups exchange no other word, so the order of memory accesses does not
// matter.
//
// A kernel binds `states`, words that start as 0: the next tile, the number of tiles done, and one
// for the kernel; then for each tile its bytes << 2 | 1, or the bytes up to its end << 2 | 2.
// params[0].x is the number of rows, params[0].y the number of rows of a tile. The kernel defines
// the size of any row of any tile: count_row(index: u32, is_row: bool) -> u32.

// The words of `states` before those of the tiles.
const STATES_HEAD = 3u;

// Too many bytes: a tile that ends there or later never counts as done.
const MOST_BYTES = 0x3fffffffu;

// The number of earlier tiles that are examined together.
const SEEN_TILES = 64u;

// The most rounds of a tile that waits; Mesa's software adapter ends longer loops.
const MAX_ROUNDS = 50000u;

var<workgroup> nearest_stop: atomic<u32>;

fn post(tile: u32, bytes: u32, flag: u32) {
  atomicMax(&states[STATES_HEAD + tile], (bytes << 2u) | flag);
}

// Counts a tile whose workgroup has not done so yet.
fn count_tile(tile: u32, lane: u32) {
  let index = tile * params[0].y + lane;
  let size = count_row(index, lane < params[0].y && index < params[0].x);
  block_exclusive_scan(size, lane);
  if (lane == 0u) { post(tile, min(scan_total, MOST_BYTES), 1u); }
}

// Returns the bytes before a tile, or MOST_BYTES. Each lane examines one tile, the nearest first.
fn bytes_before(tile: u32, lane: u32) -> u32 {
  var bytes = 0u;
  // The bytes of the tiles [0, open) are not included yet.
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
    // The nearest tile that has posted nothing, or has posted the bytes up to its end (odd).
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
