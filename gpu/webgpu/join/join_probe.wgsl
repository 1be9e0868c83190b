// First step of a probe: look up each row, and place its pairs within its block. One invocation
// owns 4 rows in a line, so a workgroup a block of 1,024: barriers cost more than rows.
// Follows block_scan.wgsl and join_hash.wgsl.
//
// matches    one word a row: number of its key in the table + 1, or 0
// starts     one word a row: pairs before it in its block; one more for the end of the last row;
//            then one word a block: pairs of the block

@group(0) @binding(3) var<storage, read_write> matches: array<u32>;
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;

fn place_pairs(block: u32, local: u32, numbers: vec4<u32>) {
  let rows = params[1].x;
  let first = (block * 256u + local) * 4u;
  var own: array<u32, 4>;
  var sum = 0u;
  for (var k = 0u; k < 4u; k++) {
    own[k] = sum;
    if (first + k < rows) {
      matches[first + k] = numbers[k];
      sum = add_saturating(sum, num_matches(numbers[k]));
    }
  }
  let before = block_exclusive_scan(sum, local);
  for (var k = 0u; k < 4u; k++) {
    if (first + k <= rows) {
      starts[first + k] = add_saturating(before, own[k]);
    }
  }
  if (local == 0u && block < params[1].w) {
    starts[rows + 1u + block] = scan_total;
  }
}

@compute @workgroup_size(256)
fn lookup_int(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var numbers = vec4(0u);
  for (var k = 0u; k < 4u; k++) {
    if (has_key(first + k)) {
      numbers[k] = find_int(first + k);
    }
  }
  place_pairs(block, local.x, numbers);
}

@compute @workgroup_size(256)
fn lookup_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var numbers = vec4(0u);
  for (var k = 0u; k < 4u; k++) {
    if (has_key(first + k)) {
      numbers[k] = find_text(first + k);
    }
  }
  place_pairs(block, local.x, numbers);
}
