// Places the pairs of each row within its block: the second step of a probe. An invocation owns 4
// consecutive rows, which it loads and stores as one vector, a workgroup a block of 1,024: a barrier
// costs more than a row. Follows block_scan.wgsl and join_pairs.wgsl.
//
// matches    as join_lookup.wgsl leaves it
// key_starts as in join_pairs.wgsl
// starts     for each row, the pairs before it in its block; one more for the end of the last row. The
//            rest of the last vec4 may be anything
// sums       for each block, its pairs
//
// params[0]  rows of the range, number of blocks, unused, unused
// params[1]  as in join_pairs.wgsl

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 2>;
@group(0) @binding(1) var<storage, read> matches: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> key_starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(256)
fn place_pairs(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let four = block * 256u + local.x;
  let rows = params[0].x;
  var sizes = vec4(0u);
  if (four * 4u < rows) {
    let numbers = matches[four];
    for (var k = 0u; k < 4u; k++) {
      if (four * 4u + k < rows) {
        sizes[k] = pairs_of(numbers[k]);
      }
    }
  }
  let two = add_saturating(sizes[0], sizes[1]);
  let three = add_saturating(two, sizes[2]);
  let before = block_exclusive_scan(add_saturating(three, sizes[3]), local.x);
  if (four * 4u <= rows) {
    starts[four] = vec4(
      before,
      add_saturating(before, sizes[0]),
      add_saturating(before, two),
      add_saturating(before, three),
    );
  }
  if (local.x == 0u && block < params[0].y) {
    sums[block] = scan_total;
  }
}
