// Copies one buffer to another, 16 bytes at a time. An invocation owns four vec4, 4 KiB apart, so that
// neighbouring invocations access neighbouring memory.
//
// params[0]: number of vec4

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> copied: array<vec4<u32>>;

@compute @workgroup_size(256)
fn copy(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let first = (workgroup.x + workgroup.y * count.x) * 1024u + local.x;
  for (var k = 0u; k < 4u; k++) {
    let at = first + k * 256u;
    if (at < params[0].x) { copied[at] = source[at]; }
  }
}
