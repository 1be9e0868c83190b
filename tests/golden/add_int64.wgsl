// add_int64, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let low0 = bitcast<i32>(column0[params[2].z + 2u * row0]);
  let high0 = bitcast<i32>(column0[params[2].z + 2u * row0 + 1u]);
  let row1 = params[3].w + index;
  let low1 = bitcast<i32>(column1[params[3].z + 2u * row1]);
  let high1 = bitcast<i32>(column1[params[3].z + 2u * row1 + 1u]);
  let v_addend: i32 = low0;
  let v_addend_2: i32 = high0;
  let v_addend_3: i32 = low1;
  let v_addend_4: i32 = high1;
  let v_carry: i32 = select(0, 1, bitcast<u32>(v_addend + v_addend_3) < bitcast<u32>(v_addend));
  let v_high: i32 = (v_addend_2 + v_addend_4) + v_carry;
  if (((v_addend_2 ^ v_high) & (v_addend_4 ^ v_high)) < 0) {
    row_is_null = true;
    return;
  }
  result0 = v_addend + v_addend_3;
  result1 = v_high;
}

// add_int64, UTF-8, nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let low0 = bitcast<i32>(column0[params[2].z + 2u * row0]);
  let high0 = bitcast<i32>(column0[params[2].z + 2u * row0 + 1u]);
  let row1 = params[3].w + index;
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  let low1 = bitcast<i32>(column1[params[3].z + 2u * row1]);
  let high1 = bitcast<i32>(column1[params[3].z + 2u * row1 + 1u]);
  if (!valid0) {
    row_is_null = true;
    return;
  }
  if (!valid1) {
    row_is_null = true;
    return;
  }
  let v_addend: i32 = low0;
  let v_addend_2: i32 = high0;
  let v_addend_3: i32 = low1;
  let v_addend_4: i32 = high1;
  let v_carry: i32 = select(0, 1, bitcast<u32>(v_addend + v_addend_3) < bitcast<u32>(v_addend));
  let v_high: i32 = (v_addend_2 + v_addend_4) + v_carry;
  if (((v_addend_2 ^ v_high) & (v_addend_4 ^ v_high)) < 0) {
    row_is_null = true;
    return;
  }
  result0 = v_addend + v_addend_3;
  result1 = v_high;
}

