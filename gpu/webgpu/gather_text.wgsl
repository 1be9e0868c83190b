// Write pass of a gather of text: offsets and bytes. One invocation a row; words that it shares
// with its neighbours are joined by atomicOr, at most two a row, so the data must start at zero.
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

// The first 1 to 3 bytes of a word.
fn low_bytes(word: u32, bytes: u32) -> u32 {
  return word & ((1u << (8u * bytes)) - 1u);
}

fn copy_text(start: u32, target_start: u32, size: u32) {
  var source_at = start;
  var word = params[1].y + target_start / 4u;
  var left = size;
  let inside = target_start % 4u;
  if (inside != 0u && left > 0u) {
    let head = min(4u - inside, left);
    atomicOr(&target_words[word], low_bytes(source_bytes(source_at), head) << (8u * inside));
    source_at += head;
    left -= head;
    word++;
  }
  for (; left >= 4u; left -= 4u) {
    atomicStore(&target_words[word], source_bytes(source_at));
    source_at += 4u;
    word++;
  }
  if (left > 0u) {
    atomicOr(&target_words[word], low_bytes(source_bytes(source_at), left));
  }
}

@compute @workgroup_size(256)
fn gather_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  let rows = params[1].z;
  if (row >= rows) {
    return;
  }
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
  copy_text(start, position, size);
}
