// Selects the unmatched build rows, or the matched ones where the kind of join wants these. An
// invocation owns 4 consecutive rows, a workgroup a block of 1,024. Follows block_scan.wgsl.
//
// numbers    for each row of the build side, the number of its key + 1, or 0
// noted      for each key, 1 if a probe found it
// sums       count_last writes the rows of each block, select_last reads the rows before each block
// selection  word 0: number of rows; then one row a word, ascending
//
// params[0]  rows of the build side, number of blocks, 1 for matched rows, 0 for unmatched rows

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> noted: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> selection: array<u32>;

// Returns 1 for a row that is selected, else 0.
fn comes_out(row: u32) -> u32 {
  if (row >= params[0].x) {
    return 0u;
  }
  let number = numbers[row];
  var found = 0u;
  if (number != 0u) {
    found = noted[number - 1u];
  }
  return select(0u, 1u, found == params[0].z);
}

@compute @workgroup_size(256)
fn count_last(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var sum = 0u;
  for (var k = 0u; k < 4u; k++) {
    sum += comes_out(first + k);
  }
  _ = block_exclusive_scan(sum, local.x);
  if (local.x == 0u && block < params[0].y) {
    sums[block] = scan_total;
  }
}

@compute @workgroup_size(256)
fn select_last(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var sum = 0u;
  for (var k = 0u; k < 4u; k++) {
    sum += comes_out(first + k);
  }
  let before = block_exclusive_scan(sum, local.x);
  if (first >= params[0].x) {
    return;
  }
  var position = sums[block] + before;
  for (var k = 0u; k < 4u; k++) {
    if (comes_out(first + k) == 1u) {
      selection[1u + position] = first + k;
      position++;
    }
  }
  if (params[0].x - first <= 4u) {
    selection[0] = position;
  }
}
