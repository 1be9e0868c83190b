// Gathers text in one pass, tile by tile: sizes, their places in the result, and the copy. A
// workgroup owns a tile of rows of the selection, whose text is contiguous in the result. Each of its
// invocations stores every 256th word of that text, so that neighbours store neighbouring words, and
// also read them if a row is long. Follows block_scan.wgsl and tiles_in_order.wgsl and
// chained_scan.wgsl.
//
// selection  word 0: the number of rows; then one row a word, 0xffffffff for none
// states     the states of the chained scan; the kernel's word is the bytes of all rows
// target     a window of the result: validity, offsets and data, which need not be cleared
//
// params[0]  the most rows; rows of a tile, a multiple of 32 up to 256; words of the target, whose
//            text may be too short (text beyond it is counted, not stored); the number of selected
//            rows for which nothing is done
// params[1]  target: validity word or NONE, offsets word, data word; the first selected row
// params[2]  source: validity word or NONE, offsets word, data word; the number to add to a row of
//            the selection to get its row in the window
// params[3]  rows of the window
//
// The result is complete if every tile is done. A tile of 16 MiB or more never is, nor are the tiles
// past a total of 1 GiB.

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> selection: array<u32>;
@group(0) @binding(3) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> target_words: array<atomic<u32>>;

const NONE = 0xffffffffu;
const MOST_TILE_BYTES = 0x1000000u;

var<workgroup> ticket: u32;
// For each row of the tile, the byte of the tile where it begins, and the number to add to a byte
// of the tile to get its byte in the source.
var<workgroup> row_starts: array<u32, 256>;
var<workgroup> row_moves: array<u32, 256>;
var<workgroup> valid_words: array<atomic<u32>, 8>;

fn num_rows() -> u32 {
  return min(params[0].x, selection[0]);
}

// Returns the row of the window for a row of the result; NONE if there is none.
fn source_row(index: u32, is_row: bool) -> u32 {
  if (!is_row || index >= num_rows()) { return NONE; }
  let selected = selection[1u + params[1].w + index];
  let row = params[2].w + selected;
  return select(row, NONE, selected == NONE || row >= params[3].x);
}

fn size_of(row: u32) -> u32 {
  if (row == NONE) { return 0u; }
  return source[params[2].y + row + 1u] - source[params[2].y + row];
}

fn count_row(index: u32, is_row: bool) -> u32 {
  return size_of(source_row(index, is_row));
}

fn is_valid(row: u32) -> bool {
  if (row == NONE) { return false; }
  if (params[2].x == NONE) { return true; }
  return ((source[params[2].x + row / 32u] >> (row % 32u)) & 1u) == 1u;
}

// Returns four bytes of the source from any position; those after its data may be anything.
fn source_bytes(at: u32) -> u32 {
  let word = params[2].z + at / 4u;
  let shift = 8u * (at % 4u);
  if (shift == 0u) { return source[word]; }
  return (source[word] >> shift) | (source[word + 1u] << (32u - shift));
}

// Returns the last row of the tile that begins at or before a byte of it, which is the row with
// that byte.
fn row_with(byte: u32) -> u32 {
  var row = 0u;
  for (var half = 128u; half > 0u; half >>= 1u) {
    row = select(row, row + half, row_starts[row + half] <= byte);
  }
  return row;
}

// Returns the bytes [start, stop) of the tile, 1 to 4 of them.
fn tile_bytes(start: u32, stop: u32) -> u32 {
  var bytes = 0u;
  for (var at = start; at < stop;) {
    let row = row_with(at);
    var until = stop;
    if (row < 255u) { until = min(stop, row_starts[row + 1u]); }
    let own = source_bytes(at + row_moves[row]) & (0xffffffffu >> (32u - 8u * (until - at)));
    bytes |= own << (8u * (at - start));
    at = until;
  }
  return bytes;
}

// Stores the text of the tile. Its first and last words may also have bytes of other tiles.
fn store_tile(count: u32, start: u32, lane: u32) {
  let at = params[1].z * 4u + start;
  let skip = at % 4u;
  let words = (skip + count + 3u) / 4u;
  for (var k = lane; k < words; k += 256u) {
    let word = at / 4u + k;
    if (word >= params[0].z) { break; }
    let own_first = select(0u, skip, k == 0u);
    let own_stop = min(4u, skip + count - 4u * k);
    let bytes = tile_bytes(4u * k + own_first - skip, 4u * k + own_stop - skip);
    if (own_first == 0u && own_stop == 4u) {
      atomicStore(&target_words[word], bytes);
    } else {
      let mask = (0xffffffffu << (8u * own_first)) & (0xffffffffu >> (32u - 8u * own_stop));
      atomicAnd(&target_words[word], ~mask);
      atomicOr(&target_words[word], bytes << (8u * own_first));
    }
  }
}

fn store_validity(first_row: u32, rows: u32, row: u32, lane: u32) {
  atomicOr(&valid_words[lane / 32u], select(0u, 1u, is_valid(row)) << (lane % 32u));
  workgroupBarrier();
  if (lane * 32u < params[0].y && first_row + lane * 32u < rows) {
    let word = params[1].x + first_row / 32u + lane;
    atomicStore(&target_words[word], atomicLoad(&valid_words[lane]));
  }
}

@compute @workgroup_size(256)
fn gather_tiles(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { ticket = atomicAdd(&states[0], 1u); }
  let number = workgroupUniformLoad(&ticket);
  let rows = num_rows();
  let tile_rows = params[0].y;
  let tiles = (rows + tile_rows - 1u) / tile_rows;
  if (number >= tiles || rows == params[0].w) { return; }
  let tile = tile_of(number, tiles);
  let first_row = tile * tile_rows;
  let index = first_row + lane;
  let is_row = lane < tile_rows && index < rows;
  let row = source_row(index, is_row);
  let size = size_of(row);
  let before = block_exclusive_scan(size, lane);
  let bytes = min(workgroupUniformLoad(&scan_total), MOST_BYTES);
  if (lane == 0u && posts(tile)) { post(tile, bytes, select(1u, 2u, tile == 0u)); }
  row_starts[lane] = before;
  if (size > 0u) { row_moves[lane] = source[params[2].y + row] - before; }
  let start = bytes_before(tile, lane);
  let stop = min(start + bytes, MOST_BYTES);
  if (lane == 0u && posts(tile)) { post(tile, stop, 2u); }
  if (is_row) {
    atomicStore(&target_words[params[1].y + index], start + before);
    if (index + 1u == rows) {
      atomicStore(&target_words[params[1].y + rows], stop);
      atomicStore(&states[2], stop);
    }
  }
  if (params[1].x != NONE) { store_validity(first_row, rows, row, lane); }
  workgroupBarrier();
  let is_done = bytes < MOST_TILE_BYTES && stop < MOST_BYTES;
  if (is_done) { store_tile(bytes, start, lane); }
  if (lane == 0u && is_done) { atomicAdd(&states[1], 1u); }
}
