// Writes the pairs of rows of a probe, its last step: in probe order, then in the order of the build
// side. Follows block_scan.wgsl and join_pairs.wgsl.
//
// emit_pairs handles any table. It has one invocation a pair, so that a row with many matches does
// not keep one invocation busy. A workgroup finds the rows of its first and its last pair by
// bisection, then each invocation finds its own between them. emit_rows handles rows with one pair
// at most: one invocation a row.
//
// matches               as join_lookup.wgsl leaves it
// starts                as join_place.wgsl leaves it
// sums                  as join_place.wgsl leaves it, then scanned: pairs before each block
// key_starts            as in join_pairs.wgsl
// key_rows              rows of the build side, grouped by key
// probe_rows            selection of the probe side
// build_rows            selection of the build side, 0xffffffff where nothing matches
//
// params[0]  rows of the range, first pair, most pairs, unused
// params[1]  as in join_pairs.wgsl

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 2>;
@group(0) @binding(1) var<storage, read> matches: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> sums: array<u32>;
@group(0) @binding(4) var<storage, read> key_starts: array<u32>;
@group(0) @binding(5) var<storage, read> key_rows: array<u32>;
@group(0) @binding(6) var<storage, read_write> probe_rows: array<u32>;
@group(0) @binding(7) var<storage, read_write> build_rows: array<u32>;

// The rows of the first and the last pair of the workgroup.
var<workgroup> edge_rows: array<u32, 2>;

// Returns the pairs before a row; all pairs for the row after the last one.
fn start_of(row: u32) -> u32 {
  return add_saturating(starts[row], sums[row / 1024u]);
}

// Returns the last row in [first, stop) whose pairs begin at or before a pair. Rows without pairs
// come before it.
fn row_of_pair(pair: u32, first: u32, stop: u32) -> u32 {
  var low = first;
  var high = stop;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (start_of(middle) <= pair) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// Returns the number of pairs to emit.
fn num_pairs() -> u32 {
  return min(params[0].z, start_of(params[0].x) - params[0].y);
}

fn store_count(pairs: u32) {
  probe_rows[0] = pairs;
  build_rows[0] = pairs;
}

// Returns the build row of the match_number-th match of a key, if it has one.
fn build_row_of(number: u32, match_number: u32) -> u32 {
  if (number == 0u) {
    return 0xffffffffu;
  }
  if (params[1].z != 0u) {
    return number - 1u;
  }
  return key_rows[key_starts[number - 1u] + match_number];
}

@compute @workgroup_size(256)
fn emit_pairs(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let first = (workgroup.x + workgroup.y * count.x) * 256u;
  let pairs = num_pairs();
  if (local.x < 2u && first < pairs) {
    let edge = min(first + 255u * local.x, pairs - 1u);
    edge_rows[local.x] = row_of_pair(params[0].y + edge, 0u, params[0].x);
  }
  workgroupBarrier();
  let at = first + local.x;
  if (at == 0u) {
    store_count(pairs);
  }
  if (at < pairs) {
    let pair = params[0].y + at;
    let row = row_of_pair(pair, edge_rows[0], edge_rows[1] + 1u);
    probe_rows[1u + at] = row;
    build_rows[1u + at] = build_row_of(matches[row], pair - start_of(row));
  }
}

@compute @workgroup_size(256)
fn emit_rows(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  let pairs = num_pairs();
  if (row == 0u) {
    store_count(pairs);
  }
  if (row >= params[0].x) {
    return;
  }
  // Wraps to a large number where the pair lies before the first one.
  let at = start_of(row) - params[0].y;
  if (at >= pairs || pairs_of(matches[row]) == 0u) {
    return;
  }
  probe_rows[1u + at] = row;
  build_rows[1u + at] = build_row_of(matches[row], 0u);
}
