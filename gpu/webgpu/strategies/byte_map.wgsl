// Replaces each byte of ASCII text by another. One invocation owns 16 bytes.
//
// params[0]: the first 16 bytes of the text, and how many times 16 there are
// params[1..8]: the map, 128 bytes, 16 in each vec4
// source, target: columns of one and the same layout

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 9>;
@group(0) @binding(1) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> target_words: array<vec4<u32>>;

// One word for each byte, since invocations look up different bytes at the same time.
var<workgroup> table: array<u32, 128>;

// The highest bit can only be set in the padding after the text.
fn map_bytes(bytes: vec4<u32>) -> vec4<u32> {
  return vec4<u32>(
    table[bytes.x & 127u],
    table[bytes.y & 127u],
    table[bytes.z & 127u],
    table[bytes.w & 127u],
  );
}

@compute @workgroup_size(256)
fn byte_map(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < 128u) {
    let word = params[1u + (lane >> 4u)][(lane >> 2u) & 3u];
    table[lane] = (word >> ((lane & 3u) * 8u)) & 255u;
  }
  workgroupBarrier();
  let at = (group.y * groups.x + group.x) * 256u + lane;
  if (at < params[0].y) {
    let words = source[params[0].x + at];
    target_words[params[0].x + at] = map_bytes(words) |
      (map_bytes(words >> vec4<u32>(8u)) << vec4<u32>(8u)) |
      (map_bytes(words >> vec4<u32>(16u)) << vec4<u32>(16u)) |
      (map_bytes(words >> vec4<u32>(24u)) << vec4<u32>(24u));
  }
}
