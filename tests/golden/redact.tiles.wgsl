// redact, ASCII, no nulls
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

var<private> row_is_null: bool;

// Rounds of loops, and what the write pass will take of them.
var<private> row_steps: u32;

fn out_of_steps() -> bool {
  row_steps++;
  return row_steps > params[0].w;
}

var<private> row_size: u32;

fn grow(bytes: u32) {
  row_size = add_saturating(row_size, bytes);
  // The write pass copies word by word.
  row_steps += bytes >> 2u;
}

// Text of the tile, and the number of its first word among those of the tile.
var<workgroup> window: array<atomic<u32>, 1536>;
var<private> window_first: u32;
// The byte of the tile that comes next, and the bytes of its word so far.
var<private> out_at: u32;
var<private> out_word: u32;

// Appends the lowest `count` bytes, 1 to 4; the others are zero.
fn push(bytes: u32, count: u32) {
  let filled = out_at & 3u;
  out_word |= bytes << (filled * 8u);
  if (filled + count >= 4u) {
    join_word();
    out_word = select(bytes >> (((4u - filled) * 8u) & 31u), 0u, filled == 0u);
  }
  out_at += count;
}

fn begin_row(at: u32) {
  out_at = at;
  out_word = 0u;
}

fn end_row() {
  if ((out_at & 3u) != 0u) { join_word(); }
}

// Two rows may share the word.
fn join_word() {
  let place = (out_at >> 2u) - window_first;
  if (place < 1536u) { atomicOr(&window[place], out_word); }
}

var<workgroup> cache0: array<u32, 1024>;
// The words of the text that are there.
var<private> cache_first0: u32;
var<private> cache_words0: u32;

fn load_text0(first_row: u32, stop_row: u32, lane: u32) {
  let offsets = params[2].y + params[2].w;
  let first = column0[offsets + first_row] >> 2u;
  let stop = (column0[offsets + stop_row] + 3u) >> 2u;
  cache_first0 = first;
  cache_words0 = min(stop - first, 1024u);
  for (var k = lane; k < cache_words0; k += 256u) {
    cache0[k] = column0[params[2].z + first + k];
  }
}

fn word0(at: u32) -> u32 {
  let near = at - cache_first0;
  if (near < cache_words0) { return cache0[near]; }
  return column0[params[2].z + at];
}

var<workgroup> cache1: array<u32, 1024>;
// The words of the text that are there.
var<private> cache_first1: u32;
var<private> cache_words1: u32;

fn load_text1(first_row: u32, stop_row: u32, lane: u32) {
  let offsets = params[3].y + params[3].w;
  let first = column1[offsets + first_row] >> 2u;
  let stop = (column1[offsets + stop_row] + 3u) >> 2u;
  cache_first1 = first;
  cache_words1 = min(stop - first, 1024u);
  for (var k = lane; k < cache_words1; k += 256u) {
    cache1[k] = column1[params[3].z + first + k];
  }
}

fn word1(at: u32) -> u32 {
  let near = at - cache_first1;
  if (near < cache_words1) { return cache1[near]; }
  return column1[params[3].z + at];
}

fn load_tile(first_row: u32, stop_row: u32, lane: u32) {
  load_text0(first_row, stop_row, lane);
  load_text1(first_row, stop_row, lane);
}

fn four_bytes0(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = word0((at >> 2u)) >> skip;
  let high = word0((at >> 2u) + 1u) << ((32u - skip) & 31u);
  return select(low | high, low, skip == 0u);
}

fn byte1(at: i32) -> i32 {
  let position = bitcast<u32>(at);
  return bitcast<i32>((word1((position >> 2u)) >> ((position & 3u) * 8u)) & 255u);
}

// The first place from `first` on that has the byte, or any after `last`.
fn seek1(first: i32, last: i32, byte: u32) -> i32 {
  let pattern = byte * 0x01010101u;
  let place = bitcast<u32>(first) >> 2u;
  let near = vec4<u32>(word1(place), word1(place + 1u), word1(place + 2u), word1(place + 3u)) ^ vec4<u32>(pattern);
  let low = vec4<u32>(0x7f7f7f7fu);
  var found = ~(((near & low) + low) | near | low);
  found.x &= 0xffffffffu << ((bitcast<u32>(first) & 3u) * 8u);
  let front = select(vec2<u32>(found.y, 4u), vec2<u32>(found.x, 0u), found.x != 0u);
  let back = select(vec2<u32>(found.w, 12u), vec2<u32>(found.z, 8u), found.z != 0u);
  let hit = select(back, front, front.x != 0u);
  if (hit.x != 0u) { return (first & ~3) + bitcast<i32>(hit.y + (countTrailingZeros(hit.x) >> 3u)); }
  for (var at = (first & ~3) + 16; at <= last; at = at + 4) {
    if (out_of_steps()) { break; }
    let differs = word1((bitcast<u32>(at) >> 2u)) ^ pattern;
    let same = ~(((differs & 0x7f7f7f7fu) + 0x7f7f7f7fu) | differs | 0x7f7f7f7fu);
    if (same != 0u) { return at + bitcast<i32>(countTrailingZeros(same) >> 3u); }
  }
  return max(first, last + 1);
}

fn copy1(start: u32, stop: u32) {
  for (var at = start; at < stop;) {
    let skip = at & 3u;
    let count = min(4u - skip, stop - at);
    push((word1((at >> 2u)) >> (skip * 8u)) & (0xffffffffu >> (32u - count * 8u)), count);
    at += count;
  }
}

// Which pieces the row has, and where they lie.
var<private> row_pieces: u32;
var<private> v_row_Splace0: i32;
var<private> v_row_Splace1: i32;
var<private> v_row_Splace2: i32;
var<private> v_row_Splace3: i32;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  if (((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u)) {
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek1(v_at, stop1 - 1, 32u);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek1(v_at_2, stop1 - 1, 32u);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = select(1, (start1 + v_operand_3) - v_start, 1 > ((start1 + v_operand_3) - v_start));
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    row_pieces |= 1u;
    v_row_Splace0 = v_start;
    v_row_Splace1 = v_start + v_moved;
    v_row_Splace2 = start1;
    v_row_Splace3 = start1 + v_find;
    grow(bitcast<u32>(v_start + v_moved) - bitcast<u32>(v_start));
    grow(bitcast<u32>(start1 + v_find) - bitcast<u32>(start1));
    grow(1u);
  } else {
    row_pieces |= 2u;
    grow(3u);
  }
}

fn store_row(index: u32) {
  if ((row_pieces & 1u) != 0u) {
    copy1(bitcast<u32>(v_row_Splace0), bitcast<u32>(v_row_Splace1));
    push(0x20u, 1u);
    copy1(bitcast<u32>(v_row_Splace2), bitcast<u32>(v_row_Splace3));
  }
  if ((row_pieces & 2u) != 0u) {
    push(0x582058u, 3u);
  }
}

const WINDOW_BYTES = 6144u;

var<workgroup> ticket: u32;
var<workgroup> valid_words: array<atomic<u32>, 8>;

// The bytes that a row makes.
fn count_row(index: u32, is_row: bool) -> u32 {
  row_size = 0u;
  row_steps = 0u;
  row_is_null = false;
  row_pieces = 0u;
  if (is_row) { compute_row(index); }
  if (row_is_null) { row_size = 0u; }
  if (row_steps > params[0].w) { row_size = 0xffffffffu; }
  row_steps = 0u;
  return row_size;
}

// Assembles the bytes of the tile from `first` on.
fn fill_window(first: u32, index: u32, before: u32, size: u32, lane: u32) {
  window_first = first >> 2u;
  if (first > 0u) {
    for (var k = lane; k < 1536u; k += 256u) { atomicStore(&window[k], 0u); }
  }
  workgroupBarrier();
  if (size > 0u && before < first + WINDOW_BYTES && before + size > first) {
    begin_row(before);
    store_row(index);
    end_row();
  }
  workgroupBarrier();
}

// Stores them where they belong. Another tile has bytes in the first word, or in the last.
fn store_window(first: u32, limit: u32, start: u32, lane: u32) {
  let count = min(limit - first, WINDOW_BYTES);
  let at = params[1].z * 4u + start + first;
  let skip = at & 3u;
  let words = (skip + count + 3u) >> 2u;
  for (var k = lane; k < words; k += 256u) {
    let word = (at >> 2u) + k;
    if (word >= params[0].z) { break; }
    var bytes = 0u;
    if (k < 1536u) { bytes = atomicLoad(&window[k]) << (skip * 8u); }
    if (k > 0u && skip > 0u) { bytes |= atomicLoad(&window[k - 1u]) >> (32u - skip * 8u); }
    let own_first = select(0u, skip, k == 0u);
    let own_stop = min(4u, skip + count - 4u * k);
    if (own_first == 0u && own_stop == 4u) {
      atomicStore(&output[word], bytes);
    } else {
      let mask = (0xffffffffu << (own_first * 8u)) & (0xffffffffu >> (32u - own_stop * 8u));
      atomicAnd(&output[word], ~mask);
      atomicOr(&output[word], bytes & mask);
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { ticket = atomicAdd(&states[0], 1u); }
  let number = workgroupUniformLoad(&ticket);
  let rows = params[0].x;
  let tile_rows = params[0].y;
  let tiles = (rows + tile_rows - 1u) / tile_rows;
  if (number >= tiles) { return; }
  let tile = tile_of(number, tiles);
  let first_row = tile * tile_rows;
  let index = first_row + lane;
  load_tile(first_row, min(rows, first_row + tile_rows), lane);
  workgroupBarrier();
  let is_row = lane < tile_rows && index < rows;
  let size = count_row(index, is_row);
  let is_valid = is_row && !row_is_null;
  if (size > params[1].w) { atomicAdd(&states[2], 1u); }
  let before = block_exclusive_scan(size, lane);
  let bytes = min(workgroupUniformLoad(&scan_total), MOST_BYTES);
  if (lane == 0u && posts(tile)) { post(tile, bytes, select(1u, 2u, tile == 0u)); }
  let limit = select(bytes, 0u, bytes == MOST_BYTES);
  if (limit > 0u) { fill_window(0u, index, before, size, lane); }
  let start = bytes_before(tile, lane);
  let stop = min(start + bytes, MOST_BYTES);
  if (lane == 0u && (posts(tile) || tile + 1u == tiles)) { post(tile, stop, 2u); }
  if (is_row) {
    atomicStore(&output[params[1].y + index], start + before);
    if (index + 1u == rows) { atomicStore(&output[params[1].y + rows], stop); }
  }
  atomicOr(&valid_words[lane >> 5u], select(0u, 1u, is_valid) << (lane & 31u));
  workgroupBarrier();
  if (lane * 32u < tile_rows && first_row + lane * 32u < rows) {
    let word = params[1].x + (first_row >> 5u) + lane;
    atomicStore(&output[word], atomicLoad(&valid_words[lane]));
  }
  if (limit > 0u) { store_window(0u, limit, start, lane); }
  if (limit > WINDOW_BYTES) {
    // Another tile may have been counted meanwhile.
    count_row(index, is_row);
    for (var first = WINDOW_BYTES; first < limit; first += WINDOW_BYTES) {
      workgroupBarrier();
      fill_window(first, index, before, size, lane);
      store_window(first, limit, start, lane);
    }
  }
  if (lane == 0u && stop < MOST_BYTES) { atomicAdd(&states[1], 1u); }
}
