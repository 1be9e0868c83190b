// Positions of some rows of scanned sizes, for the host: where every step-th row begins. One
// invocation a sample. Follows block_scan.wgsl.
//
// sizes      one word a row: bytes before it in its block of 1,024; then one word a block: bytes
//            before it
// samples    one word a sample
//
// params[0]  first row, rows of a step, number of samples, first word of the samples
// params[1]  first word of the block sums

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 2>;
@group(0) @binding(1) var<storage, read> sizes: array<u32>;
@group(0) @binding(2) var<storage, read_write> samples: array<u32>;

@compute @workgroup_size(256)
fn sample_sizes(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let sample = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (sample >= params[0].z) {
    return;
  }
  let row = params[0].x + sample * params[0].y;
  samples[params[0].w + sample] = add_saturating(sizes[row], sizes[params[1].x + row / 1024u]);
}
