// Write pass of a gather of text: offsets and bytes. One invocation a row, a workgroup 256 rows.
// Follows gather_copy.wgsl, which copies; so the data must start at zero.
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

fn source_data() -> u32 {
  return params[0].z;
}

fn target_data() -> u32 {
  return params[1].y;
}

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
    copy_run(start, position, size);
  }
  copy_long_runs(local.x);
}
