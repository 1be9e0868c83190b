// contains_column, UTF-8, nulls
// marks
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> column1: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;

// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}

fn four_bytes0(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = column0[(params[2].z >> 2u) + (((at >> 2u)) >> 2u)][((at >> 2u)) & 3u] >> skip;
  let high = column0[(params[2].z >> 2u) + (((at >> 2u) + 1u) >> 2u)][((at >> 2u) + 1u) & 3u] << ((32u - skip) & 31u);
  return select(low | high, low, skip == 0u);
}

fn four_bytes1(at: u32) -> u32 {
  let skip = (at & 3u) * 8u;
  let low = column1[(params[3].z >> 2u) + (((at >> 2u)) >> 2u)][((at >> 2u)) & 3u] >> skip;
  let high = column1[(params[3].z >> 2u) + (((at >> 2u) + 1u) >> 2u)][((at >> 2u) + 1u) & 3u] << ((32u - skip) & 31u);
  return select(low | high, low, skip == 0u);
}

fn rest_follows0(at: u32, needle: u32, size: u32) -> bool {
  for (var k = 4u; k < size; k += 4u) {
    let mask = 0xffffffffu >> (8u * (4u - min(4u, size - k)));
    let differs = four_bytes0(at + k) ^ four_bytes1(needle + k);
    if ((differs & mask) != 0u) { return false; }
  }
  return true;
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32, high: u32, pattern: u32, mask: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ pattern) & mask) == 0u);
  places |= select(0u, 2u, ((((low >> 8u) | (high << 24u)) ^ pattern) & mask) == 0u);
  places |= select(0u, 4u, ((((low >> 16u) | (high << 16u)) ^ pattern) & mask) == 0u);
  places |= select(0u, 8u, ((((low >> 24u) | (high << 8u)) ^ pattern) & mask) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32, needle: u32, size: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  // Nothing is asked of an empty needle.
  let mask = select(0xffffffffu >> ((8u * (4u - min(4u, size))) & 31u), 0u, size == 0u);
  let pattern = four_bytes1(needle);
  let words = column0[(params[2].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  let word4 = column0[(params[2].z >> 2u) + (((part * 4u + 4u)) >> 2u)][((part * 4u + 4u)) & 3u];
  var places = starts0(word0, word1, pattern, mask) | (starts0(word1, word2, pattern, mask) << 4u) | (starts0(word2, word3, pattern, mask) << 8u) | (starts0(word3, word4, pattern, mask) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  while (places != 0u) {
    let nearest = countTrailingZeros(places);
    if (rest_follows0(place + nearest, needle, size)) { return place + nearest; }
    places &= ~(1u << nearest);
  }
  return 0xffffffffu;
}

fn mark0(start: u32, stop: u32, needle: u32, size: u32, own: u32) -> u32 {
  if (stop - start > 8192u) { return 0xffffffffu; }
  let first = start >> 4u;
  let shift = segment_shift(start, stop);
  var segments = 0u;
  for (var part = first + own; part <= stop >> 4u; part += params[0].y) {
    let place = look0(part, start, stop, needle, min(size, 16u));
    if (place != 0xffffffffu) { segments |= 1u << ((part - first) >> shift); }
  }
  return segments;
}

var<workgroup> found0: array<atomic<u32>, 32>;

fn mark_row(index: u32, slot: u32, own: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[(params[3].y + row1) >> 2u][(params[3].y + row1) & 3u]);
  let stop1 = bitcast<i32>(column1[(params[3].y + row1 + 1u) >> 2u][(params[3].y + row1 + 1u) & 3u]);
  atomicOr(&found0[slot], mark0(bitcast<u32>(start0), bitcast<u32>(stop0), bitcast<u32>(start1), bitcast<u32>(stop1 - start1), own));
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

// pass single with lanes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> column1: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<storage, read> marks: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[(params[3].y + row1) >> 2u][(params[3].y + row1) & 3u]);
  let stop1 = bitcast<i32>(column1[(params[3].y + row1 + 1u) >> 2u][(params[3].y + row1 + 1u) & 3u]);
  let valid1 = ((column1[(params[3].x + (row1 >> 5u)) >> 2u][(params[3].x + (row1 >> 5u)) & 3u] >> (row1 & 31u)) & 1u) == 1u;
  let mark0 = marks[0u * params[0].x + index];
  if (!valid0) {
    row_is_null = true;
    return;
  }
  if (!valid1) {
    row_is_null = true;
    return;
  }
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  let v_last: i32 = stop0 - (stop1 - start1);
  var v_wasted: i32 = 0;
  let v_much: i32 = min(9, stop1 - start1);
  v_at = seek_marked0(v_at, v_last, start0, stop0, mark0, bitcast<u32>(start1), min(bitcast<u32>(stop1 - start1), 16u));
  for (; v_at <= v_last; v_at = seek_marked0(v_at + 1, v_last, start0, stop0, mark0, bitcast<u32>(start1), min(bitcast<u32>(stop1 - start1), 16u))) {
    if (out_of_steps()) { return; }
    var v_offset: i32 = 0;
    v_offset = bitcast<i32>(first_difference0_1(bitcast<u32>(v_at), bitcast<u32>(start1), bitcast<u32>(v_offset), bitcast<u32>(stop1 - start1)));
    if (v_offset >= v_much) {
      if (v_offset >= (stop1 - start1)) {
        break;
      }
      v_wasted = v_wasted + v_offset;
      if (v_wasted > 4096) {
        break;
      }
    }
  }
  if (v_wasted > 4096) {
    var v_critical: i32 = -2;
    var v_period: i32 = 1;
    var v_order: i32 = 0;
    for (; v_order < 2; v_order = v_order + 1) {
      if (out_of_steps()) { return; }
      var v_before: i32 = -1;
      var v_suffixPeriod: i32 = 1;
      var v_other: i32 = 0;
      var v_step: i32 = 1;
      for (; (v_other + v_step) < (stop1 - start1); ) {
        if (out_of_steps()) { return; }
        let v_own: i32 = byte1(start1 + (v_before + v_step));
        let v_next: i32 = byte1(start1 + (v_other + v_step));
        if (v_own == v_next) {
          if (v_step == v_suffixPeriod) {
            v_other = v_other + v_suffixPeriod;
            v_step = 1;
          } else {
            v_step = v_step + 1;
          }
        } else if (select(v_own > v_next, v_own < v_next, v_order == 1)) {
          v_other = v_other + v_step;
          v_step = 1;
          v_suffixPeriod = v_other - v_before;
        } else {
          v_before = v_other;
          v_other = v_other + 1;
          v_step = 1;
          v_suffixPeriod = 1;
        }
      }
      if (v_before > v_critical) {
        v_critical = v_before;
        v_period = v_suffixPeriod;
      }
    }
    var v_repeats: i32 = 0;
    var v_repeat_SgoesOn = (v_repeats <= v_critical) && (byte1(start1 + v_repeats) == byte1(start1 + (v_repeats + v_period)));
    for (; v_repeat_SgoesOn; ) {
      if (out_of_steps()) { return; }
      v_repeats = v_repeats + 1;
      v_repeat_SgoesOn = (v_repeats <= v_critical) && (byte1(start1 + v_repeats) == byte1(start1 + (v_repeats + v_period)));
    }
    let v_periodic: bool = v_repeats > v_critical;
    let v_cut: i32 = v_critical;
    let v_move: i32 = select(max((stop1 - start1) - (v_critical + 1), v_critical + 1) + 1, v_period, v_periodic);
    let v_kept: i32 = select(0, (stop1 - start1) - v_period, v_periodic);
    var v_known: i32 = 0;
    var v_twoWay_SgoesOn = v_at <= v_last;
    var leave_v_twoWay = false;
    for (; v_twoWay_SgoesOn; ) {
      if (out_of_steps()) { return; }
      switch 0 {
        default: {
          var v_up: i32 = max(v_known, v_cut + 1);
          var v_up_2_SgoesOn = (v_up < (stop1 - start1)) && (byte1(start1 + v_up) == byte0(v_at + v_up));
          for (; v_up_2_SgoesOn; ) {
            if (out_of_steps()) { return; }
            v_up = v_up + 1;
            v_up_2_SgoesOn = (v_up < (stop1 - start1)) && (byte1(start1 + v_up) == byte0(v_at + v_up));
          }
          if (v_up < (stop1 - start1)) {
            v_at = v_at + (v_up - v_cut);
            v_known = 0;
            break;
          }
          var v_down: i32 = v_cut + 1;
          var v_down_2_SgoesOn = (v_down > v_known) && (byte1(start1 + (v_down - 1)) == byte0(v_at + (v_down - 1)));
          for (; v_down_2_SgoesOn; ) {
            if (out_of_steps()) { return; }
            v_down = v_down - 1;
            v_down_2_SgoesOn = (v_down > v_known) && (byte1(start1 + (v_down - 1)) == byte0(v_at + (v_down - 1)));
          }
          if (v_down <= v_known) {
            leave_v_twoWay = true;
            break;
          }
          v_at = v_at + v_move;
          v_known = v_kept;
        }
      }
      if (leave_v_twoWay) { v_twoWay_SgoesOn = false; continue; }
      v_twoWay_SgoesOn = v_at <= v_last;
    }
  }
  let v_find: i32 = select(-1, v_at - start0, v_at <= v_last);
  result0 = v_find >= 0;
}

// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}

fn rest_follows0(at: u32, needle: u32, size: u32) -> bool {
  for (var k = 4u; k < size; k += 4u) {
    let mask = 0xffffffffu >> (8u * (4u - min(4u, size - k)));
    let differs = four_bytes0(at + k) ^ four_bytes1(needle + k);
    if ((differs & mask) != 0u) { return false; }
  }
  return true;
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32, high: u32, pattern: u32, mask: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ pattern) & mask) == 0u);
  places |= select(0u, 2u, ((((low >> 8u) | (high << 24u)) ^ pattern) & mask) == 0u);
  places |= select(0u, 4u, ((((low >> 16u) | (high << 16u)) ^ pattern) & mask) == 0u);
  places |= select(0u, 8u, ((((low >> 24u) | (high << 8u)) ^ pattern) & mask) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32, needle: u32, size: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  // Nothing is asked of an empty needle.
  let mask = select(0xffffffffu >> ((8u * (4u - min(4u, size))) & 31u), 0u, size == 0u);
  let pattern = four_bytes1(needle);
  let words = column0[(params[2].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  let word4 = column0[(params[2].z >> 2u) + (((part * 4u + 4u)) >> 2u)][((part * 4u + 4u)) & 3u];
  var places = starts0(word0, word1, pattern, mask) | (starts0(word1, word2, pattern, mask) << 4u) | (starts0(word2, word3, pattern, mask) << 8u) | (starts0(word3, word4, pattern, mask) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  while (places != 0u) {
    row_steps += 4u;
    let nearest = countTrailingZeros(places);
    if (rest_follows0(place + nearest, needle, size)) { return place + nearest; }
    places &= ~(1u << nearest);
  }
  return 0xffffffffu;
}

// The first place from `first` to `last` at which it is, or one after `last`.
fn seek_marked0(first: i32, last: i32, row_start: i32, row_stop: i32, segments: u32, needle: u32, size: u32) -> i32 {
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
    let place = look0(part, lowest, highest, needle, size);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
    part++;
  }
  return last + 1;
}

var<workgroup> valid_words: array<atomic<u32>, 8>;

var<workgroup> result_words: array<atomic<u32>, 8>;

