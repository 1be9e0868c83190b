// Turns a mask into a selection: the rows of a range where a bool column is true, ascending. An
// invocation owns 32 rows, a workgroup a block of 8,192. Follows block_scan.wgsl.
//
// mask       a window of a bool column
// sums       count_true writes the trues of each block, select_true reads the trues before each block
// selection  word 0: number of rows; then the row in the range, a word each
//
// params[0]  validity word, whether there is validity, data word, first row of the mask
// params[1]  rows of the range, first word of the sums, number of blocks, unused

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 2>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> selection: array<u32>;

// The bits of 32 rows; a range may begin at any bit.
fn mask_bits(first_word: u32, row: u32) -> u32 {
  let at = params[0].w + row;
  let word = first_word + at / 32u;
  let shift = at % 32u;
  if (shift == 0u) {
    return mask[word];
  }
  return (mask[word] >> shift) | (mask[word + 1u] << (32u - shift));
}

// One bit for each of 32 rows: true, and neither null nor past the last row.
fn kept_rows(row: u32) -> u32 {
  if (row >= params[1].x) {
    return 0u;
  }
  var bits = mask_bits(params[0].z, row);
  if (params[0].y != 0u) {
    bits &= mask_bits(params[0].x, row);
  }
  let left = params[1].x - row;
  if (left >= 32u) {
    return bits;
  }
  return bits & ((1u << left) - 1u);
}

@compute @workgroup_size(256)
fn count_true(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let row = (block * 256u + local.x) * 32u;
  _ = block_exclusive_scan(countOneBits(kept_rows(row)), local.x);
  if (local.x == 0u && block < params[1].z) {
    sums[params[1].y + block] = scan_total;
  }
}

@compute @workgroup_size(256)
fn select_true(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let row = (block * 256u + local.x) * 32u;
  var bits = kept_rows(row);
  let before = block_exclusive_scan(countOneBits(bits), local.x);
  if (row >= params[1].x) {
    return;
  }
  var position = sums[params[1].y + block] + before;
  while (bits != 0u) {
    selection[1u + position] = row + firstTrailingBit(bits);
    position++;
    bits &= bits - 1u;
  }
  if (params[1].x - row <= 32u) {
    selection[0] = position;
  }
}
