// Stores the positions of every step-th row of scanned sizes, for the host. One invocation a sample.
// Follows block_scan.wgsl.
//
// sizes      for each row, the bytes before it in its block of 1,024; then, for each block, the bytes
//            before it
// samples    a word for each sample
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
