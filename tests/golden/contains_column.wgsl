// contains_column, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  let v_last: i32 = stop0 - (stop1 - start1);
  var v_wasted: i32 = 0;
  let v_much: i32 = min(9, stop1 - start1);
  var v_seek_SgoesOn = v_at <= v_last;
  for (; v_seek_SgoesOn; ) {
    if (out_of_steps()) { return; }
    var v_offset: i32 = 0;
    v_offset = bitcast<i32>(first_difference0_1(bitcast<u32>(v_at), bitcast<u32>(start1), bitcast<u32>(v_offset), bitcast<u32>(stop1 - start1)));
    if (v_offset >= v_much) {
      if (v_offset >= (stop1 - start1)) {
        v_seek_SgoesOn = false;
        continue;
      }
      v_wasted = v_wasted + v_offset;
      if (v_wasted > 4096) {
        v_seek_SgoesOn = false;
        continue;
      }
    }
    v_at = v_at + 1;
    v_seek_SgoesOn = v_at <= v_last;
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

// contains_column, UTF-8, nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
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
  var v_seek_SgoesOn = v_at <= v_last;
  for (; v_seek_SgoesOn; ) {
    if (out_of_steps()) { return; }
    var v_offset: i32 = 0;
    v_offset = bitcast<i32>(first_difference0_1(bitcast<u32>(v_at), bitcast<u32>(start1), bitcast<u32>(v_offset), bitcast<u32>(stop1 - start1)));
    if (v_offset >= v_much) {
      if (v_offset >= (stop1 - start1)) {
        v_seek_SgoesOn = false;
        continue;
      }
      v_wasted = v_wasted + v_offset;
      if (v_wasted > 4096) {
        v_seek_SgoesOn = false;
        continue;
      }
    }
    v_at = v_at + 1;
    v_seek_SgoesOn = v_at <= v_last;
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

// pass single of long rows
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> column1: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> long_rows: array<u32>;

fn compute_row(index: u32, steps: ptr<function, u32>) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[(params[3].y + row1) >> 2u][(params[3].y + row1) & 3u]);
  let stop1 = bitcast<i32>(column1[(params[3].y + row1 + 1u) >> 2u][(params[3].y + row1 + 1u) & 3u]);
  let valid1 = ((column1[(params[3].x + (row1 >> 5u)) >> 2u][(params[3].x + (row1 >> 5u)) & 3u] >> (row1 & 31u)) & 1u) == 1u;
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
  v_at = seek_together0(v_at, v_last, bitcast<u32>(start1), bitcast<u32>(stop1 - start1), steps);
  if (v_wasted > 4096) {
    var v_critical: i32 = -2;
    var v_period: i32 = 1;
    var v_order: i32 = 0;
    for (; v_order < 2; v_order = v_order + 1) {
      if (out_of_steps(steps)) { return; }
      var v_before: i32 = -1;
      var v_suffixPeriod: i32 = 1;
      var v_other: i32 = 0;
      var v_step: i32 = 1;
      for (; (v_other + v_step) < (stop1 - start1); ) {
        if (out_of_steps(steps)) { return; }
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
      if (out_of_steps(steps)) { return; }
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
      if (out_of_steps(steps)) { return; }
      switch 0 {
        default: {
          var v_up: i32 = max(v_known, v_cut + 1);
          var v_up_2_SgoesOn = (v_up < (stop1 - start1)) && (byte1(start1 + v_up) == byte0(v_at + v_up));
          for (; v_up_2_SgoesOn; ) {
            if (out_of_steps(steps)) { return; }
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
            if (out_of_steps(steps)) { return; }
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

// The first place from `first` to `last` at which the needle starts, or one after `last`.
fn seek_together0(first: i32, last: i32, needle: u32, size: u32, steps: ptr<function, u32>) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  var part = lowest >> 4u;
  let far = min(part + 2u, (highest >> 4u) + 1u);
  for (; part < far; part++) {
    *steps += (17u + 16u * (min(size, 0x10000u) >> 2u));
    let place = look0(part, lowest, highest, needle, size);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; part * 16u <= highest; reach = min(reach * 2u, 16u)) {
    *steps += 1u + reach * (17u + 16u * (min(size, 0x10000u) >> 2u));
    if (*steps > params[0].w) { break; }
    var nearest = 0xffffffffu;
    for (var k = 0u; k < reach; k++) {
      let place = look0(part + k * 64u + invocation, lowest, highest, needle, size);
      nearest = min(nearest, place);
    }
    if (nearest != 0xffffffffu) { atomicMin(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0xffffffffu) { return bitcast<i32>(hit); }
    part += reach * 64u;
  }
  return last + 1;
}

