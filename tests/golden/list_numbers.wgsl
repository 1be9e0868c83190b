// list_numbers, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek0(v_at, stop0 - 1, 45u);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps()) { return; }
    row_size = add_saturating(row_size, 1u);
    let v_from: i32 = v_at_2 + 1;
    let v_operand_2: i32 = max(0, v_from);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  var v_found: bool = false;
  var v_at_4: i32 = start0;
  var v_search_SgoesOn = v_at_4 < stop0;
  for (; v_search_SgoesOn; ) {
    if (out_of_steps()) { return; }
    let v_item: i32 = byte0(v_at_4);
    if (v_item == 33) {
      v_found = true;
      v_search_SgoesOn = false;
      continue;
    }
    v_at_4 = v_at_4 + 1;
    v_search_SgoesOn = v_at_4 < stop0;
  }
  if (v_found) {
    row_is_null = true;
    return;
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let v_operand: i32 = (stop0 - start0) + 1;
  var v_at: i32 = start0;
  v_at = seek0(v_at, stop0 - 1, 45u);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    put_number(-v_at_2);
    let v_from: i32 = v_at_2 + 1;
    let v_operand_2: i32 = max(0, v_from);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  var v_found: bool = false;
  var v_at_4: i32 = start0;
  var v_search_SgoesOn = v_at_4 < stop0;
  for (; v_search_SgoesOn; ) {
    let v_item: i32 = byte0(v_at_4);
    if (v_item == 33) {
      v_found = true;
      v_search_SgoesOn = false;
      continue;
    }
    v_at_4 = v_at_4 + 1;
    v_search_SgoesOn = v_at_4 < stop0;
  }
  if (v_found) {
    row_is_null = true;
    return;
  }
}

// list_numbers, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

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
  v_at = seek0(v_at, stop0 - 1, 45u);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps()) { return; }
    row_size = add_saturating(row_size, 1u);
    let v_from: i32 = v_at_2 + 1;
    let v_operand_2: i32 = max(0, v_from);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  var v_found: bool = false;
  var v_at_4: i32 = start0;
  var v_search_SgoesOn = v_at_4 < stop0;
  for (; v_search_SgoesOn; ) {
    if (out_of_steps()) { return; }
    var v_item: i32 = byte0(v_at_4);
    let v_size: i32 = select(select(select(4, 3, v_item < 240), 2, v_item < 224), 1, v_item < 192);
    if (v_item >= 128) {
      if (v_item < 224) {
        v_item = select(((v_item & 31) << 6u) | (byte0(v_at_4 + 1) & 63), 65533, v_item < 192);
      } else if (v_item < 240) {
        v_item = (((v_item & 15) << 12u) | ((byte0(v_at_4 + 1) & 63) << 6u)) | (byte0(v_at_4 + 2) & 63);
      } else {
        v_item = ((((v_item & 7) << 18u) | ((byte0(v_at_4 + 1) & 63) << 12u)) | ((byte0(v_at_4 + 2) & 63) << 6u)) | (byte0(v_at_4 + 3) & 63);
      }
    }
    if (v_item == 33) {
      v_found = true;
      v_search_SgoesOn = false;
      continue;
    }
    v_at_4 = v_at_4 + v_size;
    v_search_SgoesOn = v_at_4 < stop0;
  }
  if (v_found) {
    row_is_null = true;
    return;
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

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
  v_at = seek0(v_at, stop0 - 1, 45u);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    put_number(-v_at_2);
    let v_from: i32 = v_at_2 + 1;
    let v_operand_2: i32 = max(0, v_from);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  var v_found: bool = false;
  var v_at_4: i32 = start0;
  var v_search_SgoesOn = v_at_4 < stop0;
  for (; v_search_SgoesOn; ) {
    var v_item: i32 = byte0(v_at_4);
    let v_size: i32 = select(select(select(4, 3, v_item < 240), 2, v_item < 224), 1, v_item < 192);
    if (v_item >= 128) {
      if (v_item < 224) {
        v_item = select(((v_item & 31) << 6u) | (byte0(v_at_4 + 1) & 63), 65533, v_item < 192);
      } else if (v_item < 240) {
        v_item = (((v_item & 15) << 12u) | ((byte0(v_at_4 + 1) & 63) << 6u)) | (byte0(v_at_4 + 2) & 63);
      } else {
        v_item = ((((v_item & 7) << 18u) | ((byte0(v_at_4 + 1) & 63) << 12u)) | ((byte0(v_at_4 + 2) & 63) << 6u)) | (byte0(v_at_4 + 3) & 63);
      }
    }
    if (v_item == 33) {
      v_found = true;
      v_search_SgoesOn = false;
      continue;
    }
    v_at_4 = v_at_4 + v_size;
    v_search_SgoesOn = v_at_4 < stop0;
  }
  if (v_found) {
    row_is_null = true;
    return;
  }
}

// pass sizes of long rows
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;
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
  v_at = seek_together0(v_at, stop0 - 1, steps);
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps(steps)) { return; }
    row_size = add_saturating(row_size, 1u);
    let v_from: i32 = v_at_2 + 1;
    let v_operand_2: i32 = max(0, v_from);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek_together0(v_at_3, stop0 - 1, steps);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  var v_found: bool = false;
  var v_at_4: i32 = start0;
  var v_search_SgoesOn = v_at_4 < stop0;
  for (; v_search_SgoesOn; ) {
    if (out_of_steps(steps)) { return; }
    var v_item: i32 = byte0(v_at_4);
    let v_size: i32 = select(select(select(4, 3, v_item < 240), 2, v_item < 224), 1, v_item < 192);
    if (v_item >= 128) {
      if (v_item < 224) {
        v_item = select(((v_item & 31) << 6u) | (byte0(v_at_4 + 1) & 63), 65533, v_item < 192);
      } else if (v_item < 240) {
        v_item = (((v_item & 15) << 12u) | ((byte0(v_at_4 + 1) & 63) << 6u)) | (byte0(v_at_4 + 2) & 63);
      } else {
        v_item = ((((v_item & 7) << 18u) | ((byte0(v_at_4 + 1) & 63) << 12u)) | ((byte0(v_at_4 + 2) & 63) << 6u)) | (byte0(v_at_4 + 3) & 63);
      }
    }
    if (v_item == 33) {
      v_found = true;
      v_search_SgoesOn = false;
      continue;
    }
    v_at_4 = v_at_4 + v_size;
    v_search_SgoesOn = v_at_4 < stop0;
  }
  if (v_found) {
    row_is_null = true;
    return;
  }
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

