// Write pass of a gather of text: offsets and bytes. One invocation a row, a workgroup 256 rows;
// texts of LONG_BYTES or more are copied by the whole workgroup, one after the other. Words that
// neighbouring rows share are joined by atomicOr, at most two a row, so the data must start at zero.
//
// sizes      one word a row: bytes before it in its block of 1,024; then one word a block: bytes
//            before it in the target
// target     a window of the result
//
// params[0]  validity word, offsets word, data word, first row of the source
// params[1]  offsets word of the target, data word of the target, rows, first selection
// params[2]  first word of the block sums

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> selection: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> target_words: array<atomic<u32>>;

// Four bytes of the source from any position on; what lies behind the text may be anything.
fn source_bytes(at: u32) -> u32 {
  let word = params[0].z + at / 4u;
  let shift = 8u * (at % 4u);
  if (shift == 0u) {
    return source[word];
  }
  return (source[word] >> shift) | (source[word + 1u] << (32u - shift));
}

// Copies every lanes-th word of a text that is not empty, from the lane-th one on.
fn copy_text(start: u32, target_start: u32, size: u32, lane: u32, lanes: u32) {
  let end = target_start + size;
  for (var word = target_start / 4u + lane; word * 4u < end; word += lanes) {
    let first = max(word * 4u, target_start);
    let bytes = min(word * 4u + 4u, end) - first;
    let value = source_bytes(start + (first - target_start));
    let at = params[1].y + word;
    if (bytes == 4u) {
      atomicStore(&target_words[at], value);
    } else {
      let low_bytes = value & (0xffffffffu >> (32u - 8u * bytes));
      atomicOr(&target_words[at], low_bytes << (8u * (first % 4u)));
    }
  }
}

const LONG_BYTES = 512u;

var<workgroup> long_count: atomic<u32>;
// Where the text starts in the source and in the target, and its bytes.
var<workgroup> long_texts: array<vec3<u32>, 256>;

@compute @workgroup_size(256)
fn gather_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  let rows = params[1].z;
  if (row < rows) {
    var start = 0u;
    var size = 0u;
    let source_row = selection[1u + params[1].w + row];
    if (source_row != 0xffffffffu) {
      let offset = params[0].y + params[0].w + source_row;
      start = source[offset];
      size = source[offset + 1u] - start;
    }
    let position = sizes[row] + sizes[params[2].x + row / 1024u];
    atomicStore(&target_words[params[1].x + row], position);
    if (row == rows - 1u) {
      atomicStore(&target_words[params[1].x + rows], position + size);
    }
    if (size >= LONG_BYTES) {
      long_texts[atomicAdd(&long_count, 1u)] = vec3<u32>(start, position, size);
    } else if (size > 0u) {
      copy_text(start, position, size, 0u, 1u);
    }
  }
  workgroupBarrier();
  let num_long = atomicLoad(&long_count);
  for (var k = 0u; k < num_long; k++) {
    let text = long_texts[k];
    copy_text(text.x, text.y, text.z, local.x, 256u);
  }
}
