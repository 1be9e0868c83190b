// Finds where each key starts among rows that are sorted by key: one invocation a row. Every key
// has a row.
//
// numbers    for each row, the number of its key, ascending
// key_starts for each key, its first row; then the end
//
// params[0]  rows, number of keys

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read_write> key_starts: array<u32>;

@compute @workgroup_size(256)
fn store_starts(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let at = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (at == 0u) {
    key_starts[params[0].y] = params[0].x;
  }
  if (at >= params[0].x) {
    return;
  }
  let number = numbers[at];
  if (at == 0u || numbers[at - 1u] != number) {
    key_starts[number] = at;
  }
}
