// Scans the sums of blocks in place and stores their total. One workgroup; each invocation owns
// a run of consecutive blocks. Follows block_scan.wgsl.
//
// params[0]: number of blocks, first word of the sums, word for the total, 1 if the sums are followed
// by a count for each block, whose total goes to the next word

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_id) local_id: vec3<u32>) {
  let local = local_id.x;
  let blocks = params[0].x;
  let each = (blocks + 255u) / 256u;
  let start = min(local * each, blocks);
  let stop = min(start + each, blocks);
  let first = params[0].y;

  var sum = 0u;
  for (var k = start; k < stop; k++) {
    sum = add_saturating(sum, sums[first + k]);
  }
  if (params[0].w == 1u) {
    var counted = 0u;
    for (var k = start; k < stop; k++) {
      counted += sums[first + blocks + k];
    }
    if (counted > 0u) { atomicAdd(&count, counted); }
  }
  sum = block_exclusive_scan(sum, local);
  for (var k = start; k < stop; k++) {
    let next = sums[first + k];
    sums[first + k] = sum;
    sum = add_saturating(sum, next);
  }
  if (local == 0u) {
    totals[params[0].z] = scan_total;
    if (params[0].w == 1u) { totals[params[0].z + 1u] = atomicLoad(&count); }
  }
}
