// Second step of a probe: places the pairs of each row within its block. One invocation owns 4 rows in a
// line, so a workgroup a block of 1,024: barriers cost more than rows. Follows block_scan.wgsl and
// join_pairs.wgsl.
//
// matches    as join_lookup.wgsl leaves it
// key_starts as in join_pairs.wgsl
// starts     one word a row: pairs before it in its block; one more for the end of the last row; then
//            one word a block: pairs of the block
//
// params[0]  rows of the range, number of blocks, unused, unused
// params[1]  as in join_pairs.wgsl

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 2>;
@group(0) @binding(1) var<storage, read> matches: array<u32>;
@group(0) @binding(2) var<storage, read> key_starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;

fn place(block: u32, local: u32, sizes: vec4<u32>) {
  let rows = params[0].x;
  let first = (block * 256u + local) * 4u;
  let before = block_exclusive_scan(
    add_saturating(add_saturating(sizes[0], sizes[1]), add_saturating(sizes[2], sizes[3])),
    local,
  );
  var start = before;
  for (var k = 0u; k < 4u; k++) {
    if (first + k <= rows) {
      starts[first + k] = start;
    }
    start = add_saturating(start, sizes[k]);
  }
  if (local == 0u && block < params[0].y) {
    starts[rows + 1u + block] = scan_total;
  }
}

@compute @workgroup_size(256)
fn place_pairs(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var sizes = vec4(0u);
  for (var k = 0u; k < 4u; k++) {
    if (first + k < params[0].x) {
      sizes[k] = pairs_of(matches[first + k]);
    }
  }
  place(block, local.x, sizes);
}
