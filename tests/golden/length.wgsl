// length, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  result0 = stop0 - start0;
}

// length, UTF-8, nulls
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
  var v_length_2: i32 = 0;
  var v_at: i32 = start0;
  v_length_2 = v_length_2 + count_characters0(v_at, stop0);
  v_at = max(v_at, stop0);
  let v_length_3: i32 = v_length_2;
  result0 = v_length_3;
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
  var v_length_2: i32 = 0;
  var v_at: i32 = start0;
  v_length_2 = v_length_2 + count_characters0(v_at, stop0, steps);
  v_at = max(v_at, stop0);
  let v_length_3: i32 = v_length_2;
  result0 = v_length_3;
}

