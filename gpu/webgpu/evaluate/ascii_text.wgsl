// Tests whether text is ASCII: no byte of it is 0x80 or more. A workgroup owns 4,096 words of a
// window, an invocation sixteen of them, 256 apart.
//
// params[0]: first word of the text, word of its last offset, word of `found` for the column
// text: a window of a column; bytes after its last one may be anything
// found: for each column, becomes 1 if some byte is not ASCII; 0 before

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<atomic<u32>>;

@compute @workgroup_size(256)
fn find_other_text(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let bytes = text[params[0].y];
  let words = (bytes + 3u) / 4u;
  let start = (group.y * groups.x + group.x) * 4096u + lane;
  if (start >= words) { return; }
  var bits = 0u;
  for (var word = start; word < min(start + 4096u, words); word += 256u) {
    let value = text[params[0].x + word];
    let is_cut = word == bytes / 4u;
    bits |= select(value, value & ((1u << (8u * (bytes & 3u))) - 1u), is_cut);
  }
  if ((bits & 0x80808080u) != 0u) { atomicStore(&found[params[0].z], 1u); }
}
