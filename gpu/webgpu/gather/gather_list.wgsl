// Writes gathered lists: offsets, items and their validity. One invocation a row, 256 rows a
// workgroup. Follows gather_copy.wgsl, which copies the data of a row's items in one run. Data and
// validity of the items have to start at zero. A source of several windows takes a dispatch for each.
//
// item_sizes  for each row, the items before it in its block of 1,024; then, for each block, the items
//             before it in the selection
// byte_sizes  the same for the bytes of text, in lists of texts; else not read
// target      a window of the result
//
// params[0]  of the source: validity word, offsets word, data word; the number that turns a row of the
//            selection into one of the window
// params[1]  of the items of the source: validity word or NONE, offsets word or NONE; bytes of an
//            item without offsets; rows of the window
// params[2]  of the target: offsets word, data word; of its items: validity word or NONE, offsets word
// params[3]  rows, first selected row, first word of the block sums, whether to store the offsets of
//            rows: with the first window
// params[4]  items before the first row, bytes of text before it, items of all rows

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> selection: array<u32>;
@group(0) @binding(3) var<storage, read> item_sizes: array<u32>;
@group(0) @binding(4) var<storage, read> byte_sizes: array<u32>;
@group(0) @binding(5) var<storage, read_write> target_words: array<atomic<u32>>;

const NONE = 0xffffffffu;

fn source_data() -> u32 {
  return params[0].z;
}

fn target_data() -> u32 {
  return params[2].y;
}

// Returns the first byte of an item of the source.
fn item_start(item: u32) -> u32 {
  if (params[1].y == NONE) {
    return item * params[1].z;
  }
  return source[params[1].y + item];
}

// Stores the ends of `count` items whose data begin at `position`.
fn store_item_offsets(first: u32, target_first: u32, count: u32, position: u32) {
  let moved = position - item_start(first);
  for (var k = 1u; k <= count; k++) {
    atomicStore(&target_words[params[2].w + target_first + k], item_start(first + k) + moved);
  }
}

fn store_item_validity(first: u32, target_first: u32, count: u32) {
  for (var k = 0u; k < count; k++) {
    let at = first + k;
    var bit = 1u;
    if (params[1].x != NONE) {
      bit = (source[params[1].x + at / 32u] >> (at % 32u)) & 1u;
    }
    let target_at = target_first + k;
    if (bit == 1u) {
      atomicOr(&target_words[params[2].z + target_at / 32u], 1u << (target_at % 32u));
    }
  }
}

fn store_offset(row: u32, target_first: u32) {
  if (params[3].w == 0u) {
    return;
  }
  atomicStore(&target_words[params[2].x + row], target_first);
  if (row == params[3].x - 1u) {
    atomicStore(&target_words[params[2].x + row + 1u], params[4].z);
  }
  if (row == 0u && params[1].y != NONE) {
    atomicStore(&target_words[params[2].w], 0u);
  }
}

@compute @workgroup_size(256)
fn gather_list(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * groups.x) * 256u + local.x;
  let has_offsets = params[1].y != NONE;
  if (row < params[3].x) {
    let at = params[3].y + row;
    var first = 0u;
    var count = 0u;
    let selected = selection[1u + at];
    let source_row = params[0].w + selected;
    if (selected != NONE && source_row < params[1].w) {
      let offset = params[0].y + source_row;
      first = source[offset];
      count = source[offset + 1u] - first;
    }
    let block_sum = params[3].z + at / 1024u;
    let target_first = item_sizes[at] + item_sizes[block_sum] - params[4].x;
    store_offset(row, target_first);
    if (count > 0u) {
      var position = target_first * params[1].z;
      if (has_offsets) {
        position = byte_sizes[at] + byte_sizes[block_sum] - params[4].y;
        store_item_offsets(first, target_first, count, position);
      }
      if (params[2].z != NONE) {
        store_item_validity(first, target_first, count);
      }
      let start = item_start(first);
      copy_run(start, position, item_start(first + count) - start);
    }
  }
  copy_long_runs(local.x);
}
