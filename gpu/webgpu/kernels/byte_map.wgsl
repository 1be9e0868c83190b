// Replaces each byte of ASCII text by another. One invocation owns 4 words.
//
// params[0]: first word of the text, its words
// params[1..8]: the map, 128 bytes, 16 in each vec4
// source, target: columns of one and the same layout, u32 words

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 9>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_words: array<u32>;

fn map_byte(byte: u32) -> u32 {
  // The highest bit can only be set in the padding after the text.
  let at = byte & 127u;
  return (params[1u + (at >> 4u)][(at >> 2u) & 3u] >> ((at & 3u) * 8u)) & 255u;
}

fn map_word(word: u32) -> u32 {
  return map_byte(word) |
    (map_byte(word >> 8u) << 8u) |
    (map_byte(word >> 16u) << 16u) |
    (map_byte(word >> 24u) << 24u);
}

@compute @workgroup_size(256)
fn byte_map(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  // Neighbouring invocations read neighbouring words, four times over.
  let first = (group.y * groups.x + group.x) * 1024u + lane;
  for (var k = 0u; k < 4u; k++) {
    let at = first + k * 256u;
    if (at < params[0].y) {
      target_words[params[0].x + at] = map_word(source[params[0].x + at]);
    }
  }
}
