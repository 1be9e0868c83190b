// A simple kernel over text, whose speed the probe of a device measures: it changes ASCII letters
// to capitals. An invocation handles a row and reads its bytes one by one, as the kernels of
// expressions do.
//
// text      rows of 16 bytes
// capitals  the same rows in capitals
//
// params[0]: rows

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read_write> capitals: array<u32>;

@compute @workgroup_size(256)
fn probe(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = (workgroup.x + workgroup.y * workgroups.x) * 256u + lane;
  if (row >= params[0].x) { return; }
  var word = 0u;
  for (var at = row * 16u; at < row * 16u + 16u; at++) {
    let shift = (at & 3u) * 8u;
    let byte = (text[at >> 2u] >> shift) & 255u;
    let is_letter = byte >= 97u && byte <= 122u;
    word |= select(byte, byte - 32u, is_letter) << shift;
    if (shift == 24u) {
      capitals[at >> 2u] = word;
      word = 0u;
    }
  }
}
