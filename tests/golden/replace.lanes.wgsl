// replace, UTF-8, nulls
// marks
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;

// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 2u, (((low >> 8u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 4u, (((low >> 16u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 8u, (((low >> 24u) ^ 0x2du) & 0xffu) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  let words = column0[(params[2].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  var places = starts0(word0) | (starts0(word1) << 4u) | (starts0(word2) << 8u) | (starts0(word3) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  return select(place + countTrailingZeros(places), 0xffffffffu, places == 0u);
}

fn mark0(start: u32, stop: u32, own: u32) -> u32 {
  if (stop - start > 8192u) { return 0xffffffffu; }
  let first = start >> 4u;
  let shift = segment_shift(start, stop);
  var segments = 0u;
  for (var part = first + own; part <= stop >> 4u; part += params[0].y) {
    let place = look0(part, start, stop);
    if (place != 0xffffffffu) { segments |= 1u << ((part - first) >> shift); }
  }
  return segments;
}

var<workgroup> found0: array<atomic<u32>, 32>;

fn mark_row(index: u32, slot: u32, own: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  atomicOr(&found0[slot], mark0(bitcast<u32>(start0), bitcast<u32>(stop0), own));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let rows = params[0].x;
  let lanes = params[0].y;
  let slot = lane / lanes;
  let own = lane & (lanes - 1u);
  let index = (group.y * groups.x + group.x) * (256u / lanes) + slot;
  if (index < rows) { mark_row(index, slot, own); }
  workgroupBarrier();
  if (index < rows && own == 0u) {
    marks[0u * rows + index] = atomicLoad(&found0[slot]);
  }
}

// pass sizes with lanes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;
@group(0) @binding(3) var<storage, read> marks: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  let mark0 = marks[0u * params[0].x + index];
  if (!valid0) {
    row_is_null = true;
    return;
  }
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek_marked0(v_at, stop0 - 1, start0, stop0, mark0);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps()) { return; }
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_low));
    grow(2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek_marked0(v_at_3, stop0 - 1, start0, stop0, mark0);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  grow(bitcast<u32>(stop0) - bitcast<u32>(start0 + v_low_2));
}

// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 2u, (((low >> 8u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 4u, (((low >> 16u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 8u, (((low >> 24u) ^ 0x2du) & 0xffu) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  let words = column0[(params[2].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  var places = starts0(word0) | (starts0(word1) << 4u) | (starts0(word2) << 8u) | (starts0(word3) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  return select(place + countTrailingZeros(places), 0xffffffffu, places == 0u);
}

// The first place from `first` to `last` at which it is, or one after `last`.
fn seek_marked0(first: i32, last: i32, row_start: i32, row_stop: i32, segments: u32) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  let origin = bitcast<u32>(row_start) >> 4u;
  let shift = segment_shift(bitcast<u32>(row_start), bitcast<u32>(row_stop));
  for (var part = lowest >> 4u; part <= highest >> 4u;) {
    if (out_of_steps()) { break; }
    let segment = (part - origin) >> shift;
    let ahead = segments >> segment;
    if (ahead == 0u) { break; }
    part = max(part, origin + ((segment + countTrailingZeros(ahead)) << shift));
    let place = look0(part, lowest, highest);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
    part++;
  }
  return last + 1;
}

var<workgroup> long_texts: atomic<u32>;

// pass write with lanes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> marks: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  let mark0 = marks[0u * params[0].x + index];
  if (!valid0) {
    row_is_null = true;
    return;
  }
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek_marked0(v_at, stop0 - 1, start0, stop0, mark0);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    copy0(bitcast<u32>(start0 + v_low), bitcast<u32>(start0 + v_high));
    push(0x202cu, 2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek_marked0(v_at_3, stop0 - 1, start0, stop0, mark0);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  copy0(bitcast<u32>(start0 + v_low_2), bitcast<u32>(stop0));
}

// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 2u, (((low >> 8u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 4u, (((low >> 16u) ^ 0x2du) & 0xffu) == 0u);
  places |= select(0u, 8u, (((low >> 24u) ^ 0x2du) & 0xffu) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  let words = column0[(params[2].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  var places = starts0(word0) | (starts0(word1) << 4u) | (starts0(word2) << 8u) | (starts0(word3) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  return select(place + countTrailingZeros(places), 0xffffffffu, places == 0u);
}

// The first place from `first` to `last` at which it is, or one after `last`.
fn seek_marked0(first: i32, last: i32, row_start: i32, row_stop: i32, segments: u32) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  let origin = bitcast<u32>(row_start) >> 4u;
  let shift = segment_shift(bitcast<u32>(row_start), bitcast<u32>(row_stop));
  for (var part = lowest >> 4u; part <= highest >> 4u;) {
    let segment = (part - origin) >> shift;
    let ahead = segments >> segment;
    if (ahead == 0u) { break; }
    part = max(part, origin + ((segment + countTrailingZeros(ahead)) << shift));
    let place = look0(part, lowest, highest);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
    part++;
  }
  return last + 1;
}

var<workgroup> valid_words: array<atomic<u32>, 8>;

