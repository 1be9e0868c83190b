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
  for (; v_at <= v_last; v_at = v_at + 1) {
    if (out_of_steps()) { return; }
    var v_offset: i32 = 0;
    for (; (v_offset < (stop1 - start1)) && (byte0(v_at + v_offset) == byte1(start1 + v_offset)); v_offset = v_offset + 1) {
      if (out_of_steps()) { return; }
    }
    if (v_offset >= (stop1 - start1)) {
      break;
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
  for (; v_at <= v_last; v_at = v_at + 1) {
    if (out_of_steps()) { return; }
    var v_offset: i32 = 0;
    for (; (v_offset < (stop1 - start1)) && (byte0(v_at + v_offset) == byte1(start1 + v_offset)); v_offset = v_offset + 1) {
      if (out_of_steps()) { return; }
    }
    if (v_offset >= (stop1 - start1)) {
      break;
    }
  }
  let v_find: i32 = select(-1, v_at - start0, v_at <= v_last);
  result0 = v_find >= 0;
}

