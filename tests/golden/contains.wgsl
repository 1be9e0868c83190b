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
  for (; (v_at <= (stop0 - 6)) && (!((((((byte0(v_at) == 110) && (byte0(v_at + 1) == 101)) && (byte0(v_at + 2) == 101)) && (byte0(v_at + 3) == 100)) && (byte0(v_at + 4) == 108)) && (byte0(v_at + 5) == 101))); v_at = seek0(v_at + 1, stop0 - 6, 110u)) {
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
  for (; (v_at <= (stop0 - 6)) && (!((((((byte0(v_at) == 110) && (byte0(v_at + 1) == 101)) && (byte0(v_at + 2) == 101)) && (byte0(v_at + 3) == 100)) && (byte0(v_at + 4) == 108)) && (byte0(v_at + 5) == 101))); v_at = seek0(v_at + 1, stop0 - 6, 110u)) {
    if (out_of_steps()) { return; }
  }
  let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 6));
  result0 = v_find >= 0;
}

