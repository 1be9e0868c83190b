// Numbers the keys of a table that join_insert.wgsl has filled, and lays its slots out for lookups.
// Follows block_scan.wgsl and join_keys.wgsl.
//
// count_first  an invocation owns 4 rows: counts the first rows of keys before each, in blocks of 1,024
// lay_out      one invocation a slot: its words become the number of the key + 1, then for integers the
//              words of the key, for text its hash, start and bytes
// number_rows  one invocation a row, after lay_out: stores the number of its key
//
// Where every key has one row, the number of a key is its row. Else keys are numbered in the order
// of their first rows.
//
// slots        as join_insert.wgsl leaves them
// slot_of_row  as join_insert.wgsl leaves it
// places       for each row, the first rows before it in its block; then, for each block, its first
//              rows, scanned into those before it
// rows         for each row of the part, the row of the build side, if rows are mapped
// numbers      for each row of the build side, the number of its key + 1, or 0
//
// params[3]    whether the number of a key is its row, number of the first key, whether rows are
//              mapped, number of the null key + 1 or 0

@group(0) @binding(2) var<storage, read_write> slots: array<u32>;
@group(0) @binding(3) var<storage, read> slot_of_row: array<u32>;
@group(0) @binding(4) var<storage, read_write> places: array<u32>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
@group(0) @binding(6) var<storage, read_write> numbers: array<u32>;

fn build_row(row: u32) -> u32 {
  if (params[3].z == 0u) {
    return row;
  }
  return rows[row];
}

// Returns 1 for the first row of a key, else 0.
fn is_first(row: u32) -> u32 {
  if (row >= params[1].x || slot_of_row[row] == NONE) {
    return 0u;
  }
  return select(0u, 1u, slots[slot_of_row[row] << params[2].w] == row + 1u);
}

@compute @workgroup_size(256)
fn count_first(
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
    sum += is_first(first + k);
  }
  let before = block_exclusive_scan(sum, local.x);
  for (var k = 0u; k < 4u; k++) {
    if (first + k < params[1].x) {
      places[first + k] = before + own[k];
    }
  }
  if (local.x == 0u && first < params[1].x) {
    places[params[1].x + block] = scan_total;
  }
}

fn number_of(row: u32) -> u32 {
  if (params[3].x != 0u) {
    return build_row(row);
  }
  return params[3].y + places[row] + places[params[1].x + row / 1024u];
}

fn slot_to_lay_out(workgroup: vec3<u32>, count: vec3<u32>, local: u32) -> u32 {
  return (workgroup.x + workgroup.y * count.x) * 256u + local;
}

@compute @workgroup_size(256)
fn lay_out_int(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let slot = slot_to_lay_out(workgroup, count, local.x);
  let at = slot << params[2].w;
  if (slot > params[1].z || slots[at] == 0u) {
    return;
  }
  let row = slots[at] - 1u;
  let value = int_key(row);
  slots[at] = number_of(row) + 1u;
  slots[at + 1u] = value.x;
  if (params[2].z != 0u) {
    slots[at + 2u] = value.y;
  }
}

@compute @workgroup_size(256)
fn lay_out_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let slot = slot_to_lay_out(workgroup, count, local.x);
  let at = slot << params[2].w;
  if (slot > params[1].z || slots[at] == 0u) {
    return;
  }
  let row = slots[at] - 1u;
  let text = text_key(row);
  slots[at] = number_of(row) + 1u;
  slots[at + 1u] = hash_text(text);
  slots[at + 2u] = text.x;
  slots[at + 3u] = text.y;
}

@compute @workgroup_size(256)
fn number_rows(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row >= params[1].x) {
    return;
  }
  let slot = slot_of_row[row];
  var number = params[3].w;
  if (slot != NONE) {
    number = slots[slot << params[2].w];
  }
  numbers[build_row(row)] = number;
}
