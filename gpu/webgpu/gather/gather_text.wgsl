// Writes gathered text: offsets and bytes. One invocation a row, 256 rows a workgroup. Follows
// gather_copy.wgsl, which copies the bytes; the data has to start at zero. A source of several
// windows takes a dispatch for each.
//
// sizes      for each row, the bytes before it in its block of 1,024; then, for each block, the bytes
//            before it in the selection
// target     a window of the result
//
// params[0]  of the source: validity word, offsets word, data word; the number that turns a row of the
//            selection into one of the window
// params[1]  offsets word of the target, data word of the target, rows, first selected row
// params[2]  first word of the block sums, bytes before the first row, bytes of all rows, rows of the
//            window
// params[3]  whether to store the offsets: with the first window

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
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
    let at = params[1].w + row;
    let position = sizes[at] + sizes[params[2].x + at / 1024u] - params[2].y;
    if (params[3].x == 1u) {
      atomicStore(&target_words[params[1].x + row], position);
      if (row == rows - 1u) {
        atomicStore(&target_words[params[1].x + rows], params[2].z);
      }
    }
    let selected = selection[1u + at];
    let source_row = params[0].w + selected;
    if (selected != 0xffffffffu && source_row < params[2].w) {
      let start = source[params[0].y + source_row];
      copy_run(start, position, source[params[0].y + source_row + 1u] - start);
    }
  }
  copy_long_runs(local.x);
}
