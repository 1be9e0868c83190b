// Scans the sums of blocks in place and stores their total. A single workgroup goes through them
// 1,024 at a time; an invocation owns four consecutive ones. Follows block_scan.wgsl.
//
// params[0]: number of blocks, first word of the sums, word for the total, 1 if a count for each block
// follows the sums, whose total goes to the next word

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_id) local_id: vec3<u32>) {
  let local = local_id.x;
  let blocks = params[0].x;
  let first = params[0].y;

  if (params[0].w == 1u) {
    var counted = 0u;
    for (var k = local; k < blocks; k += 256u) {
      counted += sums[first + blocks + k];
    }
    if (counted > 0u) { atomicAdd(&count, counted); }
  }
  var before = 0u;
  for (var chunk = 0u; chunk < blocks; chunk += 1024u) {
    let start = min(chunk + local * 4u, blocks);
    let stop = min(start + 4u, blocks);
    var sum = 0u;
    for (var k = start; k < stop; k++) {
      sum = add_saturating(sum, sums[first + k]);
    }
    sum = add_saturating(before, block_exclusive_scan(sum, local));
    before = add_saturating(before, scan_total);
    for (var k = start; k < stop; k++) {
      let next = sums[first + k];
      sums[first + k] = sum;
      sum = add_saturating(sum, next);
    }
  }
  // Without blocks, no barrier came before.
  workgroupBarrier();
  if (local == 0u) {
    totals[params[0].z] = before;
    if (params[0].w == 1u) { totals[params[0].z + 1u] = atomicLoad(&count); }
  }
}
