// replace, ASCII, no nulls
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
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps()) { return; }
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_low));
    grow(2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  grow(bitcast<u32>(stop0) - bitcast<u32>(start0 + v_low_2));
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
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    copy0(bitcast<u32>(start0 + v_low), bitcast<u32>(start0 + v_high));
    push(0x202cu, 2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  copy0(bitcast<u32>(start0 + v_low_2), bitcast<u32>(stop0));
}

// replace, UTF-8, nulls
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
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    if (out_of_steps()) { return; }
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_low));
    grow(2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  grow(bitcast<u32>(stop0) - bitcast<u32>(start0 + v_low_2));
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
  var v_from: i32 = 0;
  var v_at_2: i32 = v_find;
  for (; v_at_2 >= 0; ) {
    let v_upper: i32 = min(stop0 - start0, v_from);
    let v_low: i32 = max(0, v_upper);
    let v_upper_2: i32 = min(stop0 - start0, v_at_2);
    let v_high: i32 = max(v_low, v_upper_2);
    copy0(bitcast<u32>(start0 + v_low), bitcast<u32>(start0 + v_high));
    push(0x202cu, 2u);
    v_from = v_at_2 + 1;
    let v_from_2: i32 = v_from;
    let v_operand_2: i32 = max(0, v_from_2);
    let v_operand_3: i32 = (stop0 - start0) + 1;
    var v_at_3: i32 = start0 + min(v_operand_3, v_operand_2);
    v_at_3 = seek0(v_at_3, stop0 - 1, 45u);
    let v_find_2: i32 = select(-1, v_at_3 - start0, v_at_3 <= (stop0 - 1));
    v_at_2 = v_find_2;
  }
  let v_upper_3: i32 = min(stop0 - start0, v_from);
  let v_low_2: i32 = max(0, v_upper_3);
  copy0(bitcast<u32>(start0 + v_low_2), bitcast<u32>(stop0));
}

