// redact, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  if (((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u)) {
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek1(v_at, stop1 - 1, 32u);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek1(v_at_2, stop1 - 1, 32u);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = select(1, (start1 + v_operand_3) - v_start, 1 > ((start1 + v_operand_3) - v_start));
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    grow(bitcast<u32>(v_start + v_moved) - bitcast<u32>(v_start));
    grow(bitcast<u32>(start1 + v_find) - bitcast<u32>(start1));
    grow(1u);
  } else {
    grow(3u);
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  if (((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u)) {
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek1(v_at, stop1 - 1, 32u);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek1(v_at_2, stop1 - 1, 32u);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = select(1, (start1 + v_operand_3) - v_start, 1 > ((start1 + v_operand_3) - v_start));
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    copy1(bitcast<u32>(v_start), bitcast<u32>(v_start + v_moved));
    push(0x20u, 1u);
    copy1(bitcast<u32>(start1), bitcast<u32>(start1 + v_find));
  } else {
    push(0x582058u, 3u);
  }
}

// redact, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  var v_holds: bool = false;
  switch 0 {
    default: {
      if (!valid0) {
        break;
      }
      v_holds = ((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u);
    }
  }
  if (v_holds) {
    if (!valid1) {
      row_is_null = true;
      return;
    }
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek1(v_at, stop1 - 1, 32u);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek1(v_at_2, stop1 - 1, 32u);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    var v_at_3: i32 = 0;
    var v_left: i32 = 1;
    for (; (v_left > 0) && (v_at_3 < ((start1 + v_operand_3) - v_start)); v_left = v_left - 1) {
      if (out_of_steps()) { return; }
      let v_lead: i32 = byte1(v_start + v_at_3);
      v_at_3 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    }
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = min(v_operand_6, v_at_3);
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_8: i32 = (start1 + v_operand_3) - v_start;
    grow(bitcast<u32>(v_start + v_moved) - bitcast<u32>(v_start));
    grow(bitcast<u32>(start1 + v_find) - bitcast<u32>(start1));
    grow(1u);
  } else {
    grow(3u);
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  var v_holds: bool = false;
  switch 0 {
    default: {
      if (!valid0) {
        break;
      }
      v_holds = ((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u);
    }
  }
  if (v_holds) {
    if (!valid1) {
      row_is_null = true;
      return;
    }
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek1(v_at, stop1 - 1, 32u);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek1(v_at_2, stop1 - 1, 32u);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    var v_at_3: i32 = 0;
    var v_left: i32 = 1;
    for (; (v_left > 0) && (v_at_3 < ((start1 + v_operand_3) - v_start)); v_left = v_left - 1) {
      let v_lead: i32 = byte1(v_start + v_at_3);
      v_at_3 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    }
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = min(v_operand_6, v_at_3);
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_8: i32 = (start1 + v_operand_3) - v_start;
    copy1(bitcast<u32>(v_start), bitcast<u32>(v_start + v_moved));
    push(0x20u, 1u);
    copy1(bitcast<u32>(start1), bitcast<u32>(start1 + v_find));
  } else {
    push(0x582058u, 3u);
  }
}

// pass sizes of long rows
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> column1: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;
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
  var v_holds: bool = false;
  switch 0 {
    default: {
      if (!valid0) {
        break;
      }
      v_holds = ((stop0 - start0) == 6) && (((four_bytes0(bitcast<u32>(start0)) ^ 0x6c627570u) | (four_bytes0(bitcast<u32>(start0 + 2)) ^ 0x63696c62u)) == 0u);
    }
  }
  if (v_holds) {
    if (!valid1) {
      row_is_null = true;
      return;
    }
    let v_operand: i32 = (stop1 - start1) + 1;
    var v_at: i32 = start1;
    v_at = seek_together0(v_at, stop1 - 1, steps);
    let v_find: i32 = select(-1, v_at - start1, v_at <= (stop1 - 1));
    if (v_find < 0) {
      row_is_null = true;
      return;
    }
    let v_operand_2: i32 = (stop1 - start1) + 1;
    var v_at_2: i32 = start1 + (v_find + 1);
    v_at_2 = seek_together0(v_at_2, stop1 - 1, steps);
    let v_find_2: i32 = select(-1, v_at_2 - start1, v_at_2 <= (stop1 - 1));
    let v_operand_3: i32 = select(v_find_2, stop1 - start1, v_find_2 < 0);
    let v_start: i32 = start1 + (v_find + 1);
    let v_operand_4: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_5: i32 = (start1 + v_operand_3) - v_start;
    var v_at_3: i32 = 0;
    var v_left: i32 = 1;
    for (; (v_left > 0) && (v_at_3 < ((start1 + v_operand_3) - v_start)); v_left = v_left - 1) {
      if (out_of_steps(steps)) { return; }
      let v_lead: i32 = byte1(v_start + v_at_3);
      v_at_3 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    }
    let v_operand_6: i32 = (start1 + v_operand_3) - v_start;
    let v_moved: i32 = min(v_operand_6, v_at_3);
    let v_operand_7: i32 = (start1 + v_operand_3) - v_start;
    let v_operand_8: i32 = (start1 + v_operand_3) - v_start;
    grow(bitcast<u32>(v_start + v_moved) - bitcast<u32>(v_start));
    grow(bitcast<u32>(start1 + v_find) - bitcast<u32>(start1));
    grow(1u);
  } else {
    grow(3u);
  }
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ 0x20u) & 0xffu) == 0u);
  places |= select(0u, 2u, (((low >> 8u) ^ 0x20u) & 0xffu) == 0u);
  places |= select(0u, 4u, (((low >> 16u) ^ 0x20u) & 0xffu) == 0u);
  places |= select(0u, 8u, (((low >> 24u) ^ 0x20u) & 0xffu) == 0u);
  return places;
}

fn look0(part: u32, lowest: u32, highest: u32) -> u32 {
  let place = part * 16u;
  if (place > highest || place + 15u < lowest) { return 0xffffffffu; }
  let words = column1[(params[3].z >> 2u) + part];
  let word0 = words[0];
  let word1 = words[1];
  let word2 = words[2];
  let word3 = words[3];
  var places = starts0(word0) | (starts0(word1) << 4u) | (starts0(word2) << 8u) | (starts0(word3) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  return select(place + countTrailingZeros(places), 0xffffffffu, places == 0u);
}

// The first place from `first` to `last` at which the needle starts, or one after `last`.
fn seek_together0(first: i32, last: i32, steps: ptr<function, u32>) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  var part = lowest >> 4u;
  let far = min(part + 2u, (highest >> 4u) + 1u);
  for (; part < far; part++) {
    *steps += 1u;
    let place = look0(part, lowest, highest);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; part * 16u <= highest; reach = min(reach * 2u, 16u)) {
    *steps += 1u + reach * 1u;
    if (*steps > params[0].w) { break; }
    var nearest = 0xffffffffu;
    for (var k = 0u; k < reach; k++) {
      let place = look0(part + k * 64u + invocation, lowest, highest);
      nearest = min(nearest, place);
    }
    if (nearest != 0xffffffffu) { atomicMin(&nearest_hit, nearest); }
    let hit = workgroupUniformLoad(&nearest_hit);
    if (hit != 0xffffffffu) { return bitcast<i32>(hit); }
    part += reach * 64u;
  }
  return last + 1;
}

