// list_item, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[4].w + index;
  let low1 = bitcast<i32>(column1[params[4].z + row1]);
  let v_arg: i32 = low1;
  let v_present: bool = (bitcast<u32>(v_arg) < bitcast<u32>(stop0 - start0)) && item_valid0(start0 + v_arg);
  var v_both: bool = !v_present;
  if (!v_both) {
    let v_item: i32 = start0 + (v_arg - 1);
    let v_present_2: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item);
    v_both = !v_present_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  let v_item_2: i32 = start0 + (v_arg - 1);
  let v_present_3: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item_2);
  let v_item_start: i32 = select(0, item_start0(start0 + (v_arg - 1)), v_present_3);
  let v_item_stop: i32 = select(0, item_start0((start0 + (v_arg - 1)) + 1), v_present_3);
  grow(bitcast<u32>(v_item_stop) - bitcast<u32>(v_item_start));
  grow(4u);
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[4].w + index;
  let low1 = bitcast<i32>(column1[params[4].z + row1]);
  let v_arg: i32 = low1;
  let v_present: bool = (bitcast<u32>(v_arg) < bitcast<u32>(stop0 - start0)) && item_valid0(start0 + v_arg);
  var v_both: bool = !v_present;
  if (!v_both) {
    let v_item: i32 = start0 + (v_arg - 1);
    let v_present_2: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item);
    v_both = !v_present_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  let v_item_2: i32 = start0 + (v_arg - 1);
  let v_present_3: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item_2);
  let v_item_start: i32 = select(0, item_start0(start0 + (v_arg - 1)), v_present_3);
  let v_item_stop: i32 = select(0, item_start0((start0 + (v_arg - 1)) + 1), v_present_3);
  copy0(bitcast<u32>(v_item_start), bitcast<u32>(v_item_stop));
  push(0x9e849df0u, 4u);
}

// list_item, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[4].w + index;
  let valid1 = ((column1[params[4].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  let low1 = bitcast<i32>(column1[params[4].z + row1]);
  if (!valid0) {
    row_is_null = true;
    return;
  }
  if (!valid1) {
    row_is_null = true;
    return;
  }
  let v_arg: i32 = low1;
  let v_present: bool = (bitcast<u32>(v_arg) < bitcast<u32>(stop0 - start0)) && item_valid0(start0 + v_arg);
  var v_both: bool = !v_present;
  if (!v_both) {
    let v_item: i32 = start0 + (v_arg - 1);
    let v_present_2: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item);
    v_both = !v_present_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  let v_item_2: i32 = start0 + (v_arg - 1);
  let v_present_3: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item_2);
  let v_item_start: i32 = select(0, item_start0(start0 + (v_arg - 1)), v_present_3);
  let v_item_stop: i32 = select(0, item_start0((start0 + (v_arg - 1)) + 1), v_present_3);
  grow(bitcast<u32>(v_item_stop) - bitcast<u32>(v_item_start));
  grow(4u);
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[4].w + index;
  let valid1 = ((column1[params[4].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  let low1 = bitcast<i32>(column1[params[4].z + row1]);
  if (!valid0) {
    row_is_null = true;
    return;
  }
  if (!valid1) {
    row_is_null = true;
    return;
  }
  let v_arg: i32 = low1;
  let v_present: bool = (bitcast<u32>(v_arg) < bitcast<u32>(stop0 - start0)) && item_valid0(start0 + v_arg);
  var v_both: bool = !v_present;
  if (!v_both) {
    let v_item: i32 = start0 + (v_arg - 1);
    let v_present_2: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item);
    v_both = !v_present_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  let v_item_2: i32 = start0 + (v_arg - 1);
  let v_present_3: bool = (bitcast<u32>(v_arg - 1) < bitcast<u32>(stop0 - start0)) && item_valid0(v_item_2);
  let v_item_start: i32 = select(0, item_start0(start0 + (v_arg - 1)), v_present_3);
  let v_item_stop: i32 = select(0, item_start0((start0 + (v_arg - 1)) + 1), v_present_3);
  copy0(bitcast<u32>(v_item_start), bitcast<u32>(v_item_stop));
  push(0x9e849df0u, 4u);
}

