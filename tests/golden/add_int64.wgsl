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
  let v_low_S0: i32 = low0 + low1;
  let v_carry_S1: i32 = select(0, 1, bitcast<u32>(v_low_S0) < bitcast<u32>(low1));
  let v_high_S2: i32 = (high0 + high1) + v_carry_S1;
  if (((high0 ^ v_high_S2) & (high1 ^ v_high_S2)) < 0) {
    row_is_null = true;
    return;
  }
  result0 = v_low_S0;
  result1 = v_high_S2;
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
  let v_low_S0: i32 = low0 + low1;
  let v_carry_S1: i32 = select(0, 1, bitcast<u32>(v_low_S0) < bitcast<u32>(low1));
  let v_high_S2: i32 = (high0 + high1) + v_carry_S1;
  if (((high0 ^ v_high_S2) & (high1 ^ v_high_S2)) < 0) {
    row_is_null = true;
    return;
  }
  result0 = v_low_S0;
  result1 = v_high_S2;
}

