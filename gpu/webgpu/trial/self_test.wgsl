// Tests whether a device computes correctly. self_test.ts puts DIVISION, `arithmetic` and
// block_scan.wgsl before it. The kernel is dispatched twice, since compiling a second one would
// cost the most: first each row stores its results and the place of its text in its block, then it
// writes the text. An invocation handles a row; rows share words of text with their neighbours,
// also in other workgroups.
//
// numbers  two a row: the operands
// results  NUM_RESULTS a row: the results of the operations
// places   one word a row: bytes before it in its block; then one word a block: its bytes; then
//          one bit a row: whether its first operand is odd, joined in workgroup memory
// text     starts at zero; after it NUM_SHARED words that all rows change: the largest operand, the
//          number of rows that claimed a slot, and the slots, each with the first row + 1 that
//          wanted it
//
// params[0]: rows, blocks, 1 to write the text, first of the shared words

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> numbers: array<i32>;
@group(0) @binding(2) var<storage, read_write> results: array<i32>;
@group(0) @binding(3) var<storage, read_write> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> text: array<atomic<u32>>;

var<workgroup> odd_rows: array<atomic<u32>, 8>;

fn write_text(row: u32, block: u32, size: u32) {
  var at = places[row];
  for (var k = 0u; k < block; k++) { at += places[params[0].x + k]; }
  for (var k = 0u; k < size; k++) {
    atomicOr(&text[at >> 2u], ((row + k) & 255u) << ((at & 3u) * 8u));
    at++;
  }
}

// Claims a slot as the keys of a join claim slots of a table.
fn claim_slot(row: u32, operand: u32) {
  let first = params[0].w;
  atomicMax(&text[first], operand);
  let slot = first + 2u + row % (NUM_SHARED - 2u);
  for (var tries = 0u; tries < 64u && atomicLoad(&text[slot]) == 0u; tries++) {
    if (atomicCompareExchangeWeak(&text[slot], 0u, row + 1u).exchanged) {
      atomicAdd(&text[first + 1u], 1u);
    }
  }
  atomicMin(&text[slot], row + 1u);
}

@compute @workgroup_size(256)
fn self_test(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = workgroup.x;
  let row = block * 256u + lane;
  let rows = params[0].x;
  var a = 0;
  var b = 0;
  if (row < rows) {
    a = numbers[2u * row];
    b = numbers[2u * row + 1u];
  }
  let size = bitcast<u32>(b) & 7u;
  if (params[0].z == 1u) {
    if (row < rows) {
      write_text(row, block, size);
      claim_slot(row, bitcast<u32>(a));
    }
    return;
  }
  if (row < rows) { arithmetic(a, b, row * NUM_RESULTS); }
  let before = block_exclusive_scan(select(0u, size, row < rows), lane);
  if (row < rows) { places[row] = before; }
  if (lane == 0u) { places[rows + block] = scan_total; }
  atomicOr(&odd_rows[lane >> 5u], (bitcast<u32>(a) & 1u) << (lane & 31u));
  workgroupBarrier();
  if (lane < 8u) {
    places[rows + params[0].y + block * 8u + lane] = atomicLoad(&odd_rows[lane]);
  }
}
