// Computes the sizes for a gather of text or lists: for each selected row, the bytes (or the items,
// or the bytes of the items) before it in its block, and the sum of each block. An invocation owns 4
// consecutive rows, a workgroup a block of 1,024: a barrier costs more than a row. Follows
// block_scan.wgsl.
//
// A source of several windows takes a dispatch for each: add_sizes for all but the last one, whose
// sizes scan_sizes adds and scans.
//
// selection  word 0: number of rows; then one row a word, 0xffffffff for a missing row
// sizes      a word for each row, then one for each block
//
// params[0]  of the source: validity word, offsets word, data word; the number that turns a row of the
//            selection into one of the window
// params[1]  most rows, first word of the block sums, number of blocks, rows of the window
// params[2]  offsets word of the items, to count their bytes, or 0xffffffff to count rows' own sizes;
//            whether `sizes` has the sizes of earlier windows

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> selection: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

const NONE = 0xffffffffu;

// Returns the size of a row; 0 where it lies in another window.
fn size_in_window(row: u32) -> u32 {
  // Only selection[0] has the number of rows when the selection was made in the same submit.
  if (row >= params[1].x || row >= selection[0]) {
    return 0u;
  }
  let selected = selection[1u + row];
  let source_row = params[0].w + selected;
  if (selected == NONE || source_row >= params[1].w) {
    return 0u;
  }
  let offset = params[0].y + source_row;
  if (params[2].x == NONE) {
    return source[offset + 1u] - source[offset];
  }
  return source[params[2].x + source[offset + 1u]] - source[params[2].x + source[offset]];
}

fn size_of(row: u32) -> u32 {
  let size = size_in_window(row);
  if (params[2].y == 0u || row >= params[1].x) {
    return size;
  }
  return size + sizes[row];
}

@compute @workgroup_size(256)
fn add_sizes(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let first = ((workgroup.x + workgroup.y * count.x) * 256u + local.x) * 4u;
  for (var k = 0u; k < 4u; k++) {
    if (first + k < params[1].x) {
      sizes[first + k] = size_of(first + k);
    }
  }
}

@compute @workgroup_size(256)
fn scan_sizes(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  var own: array<u32, 4>;
  var sum = 0u;
  for (var k = 0u; k < 4u; k++) {
    own[k] = sum;
    sum = add_saturating(sum, size_of(first + k));
  }
  let before = block_exclusive_scan(sum, local.x);
  for (var k = 0u; k < 4u; k++) {
    if (first + k < params[1].x) {
      sizes[first + k] = add_saturating(before, own[k]);
    }
  }
  if (local.x == 0u && block < params[1].z) {
    sizes[params[1].y + block] = scan_total;
  }
}
