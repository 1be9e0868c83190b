// contains, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek0(v_at, stop0 - 6, 110u);
  for (; (v_at <= (stop0 - 6)) && (!((((four_bytes0(bitcast<u32>(v_at)) ^ 0x6465656eu) | (four_bytes0(bitcast<u32>(v_at + 2)) ^ 0x656c6465u)) == 0u))); v_at = seek0(v_at + 1, stop0 - 6, 110u)) {
    if (out_of_steps()) { return; }
  }
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 6));
  result0 = v_find >= 0;
}

// contains, UTF-8, nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek0(v_at, stop0 - 6, 110u);
  for (; (v_at <= (stop0 - 6)) && (!((((four_bytes0(bitcast<u32>(v_at)) ^ 0x6465656eu) | (four_bytes0(bitcast<u32>(v_at + 2)) ^ 0x656c6465u)) == 0u))); v_at = seek0(v_at + 1, stop0 - 6, 110u)) {
    if (out_of_steps()) { return; }
  }
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 6));
  result0 = v_find >= 0;
}

// pass single of long rows
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> output: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> long_rows: array<u32>;

fn compute_row(index: u32, steps: ptr<function, u32>) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek_together0(v_at, stop0 - 6, steps);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 6));
  result0 = v_find >= 0;
}

fn rest_follows0(at: u32) -> bool {
  return ((four_bytes0(at + 4u) ^ 0x656cu) & 0xffffu) == 0u;
}

// The places in a word at which the first bytes are those of the needle, up to 4, as bits.
fn starts0(low: u32, high: u32) -> u32 {
  var places = select(0u, 1u, ((low ^ 0x6465656eu) & 0xffffffffu) == 0u);
  places |= select(0u, 2u, ((((low >> 8u) | (high << 24u)) ^ 0x6465656eu) & 0xffffffffu) == 0u);
  places |= select(0u, 4u, ((((low >> 16u) | (high << 16u)) ^ 0x6465656eu) & 0xffffffffu) == 0u);
  places |= select(0u, 8u, ((((low >> 24u) | (high << 8u)) ^ 0x6465656eu) & 0xffffffffu) == 0u);
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
  let word4 = column0[(params[2].z >> 2u) + (((part * 4u + 4u)) >> 2u)][((part * 4u + 4u)) & 3u];
  var places = starts0(word0, word1) | (starts0(word1, word2) << 4u) | (starts0(word2, word3) << 8u) | (starts0(word3, word4) << 12u);
  places &= 0xffffu << select(0u, lowest - place, place < lowest);
  places &= 0xffffu >> select(0u, place + 15u - highest, place + 15u > highest);
  while (places != 0u) {
    let nearest = countTrailingZeros(places);
    if (rest_follows0(place + nearest)) { return place + nearest; }
    places &= ~(1u << nearest);
  }
  return 0xffffffffu;
}

// The first place from `first` to `last` at which the needle starts, or one after `last`.
fn seek_together0(first: i32, last: i32, steps: ptr<function, u32>) -> i32 {
  if (last < first) { return first; }
  let lowest = bitcast<u32>(first);
  let highest = bitcast<u32>(last);
  var part = lowest >> 4u;
  let far = min(part + 2u, (highest >> 4u) + 1u);
  for (; part < far; part++) {
    *steps += 17u;
    let place = look0(part, lowest, highest);
    if (place != 0xffffffffu) { return bitcast<i32>(place); }
  }
  begin_round(0xffffffffu);
  for (var reach = 1u; part * 16u <= highest; reach = min(reach * 2u, 16u)) {
    *steps += 1u + reach * 17u;
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

