// list_backward, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_at: i32 = stop0 - start0;
  var v_stop: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    if (out_of_steps()) { return; }
    let v_at_2: i32 = min(stop0 - start0, v_at);
    let v_previous: i32 = max(0, v_at_2 - 1);
    v_at = v_previous;
    let v_at_3: i32 = v_at;
    let v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
    if (v_char == 63) {
      row_is_null = true;
      return;
    }
    if ((v_char == 97) || (v_char == 98)) {
      let v_upper: i32 = min(stop0 - start0, v_at);
      let v_low: i32 = max(0, v_upper);
      let v_upper_2: i32 = min(stop0 - start0, v_stop);
      let v_high: i32 = max(v_low, v_upper_2);
      grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_low));
      row_items++;
      row_steps++;
      v_stop = v_at;
    }
  }
  let v_upper_3: i32 = min(stop0 - start0, v_stop);
  let v_high_2: i32 = max(0, v_upper_3);
  grow(bitcast<u32>(start0 + v_high_2) - bitcast<u32>(start0));
  row_items++;
  row_steps++;
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
  var v_at: i32 = stop0 - start0;
  var v_stop: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    let v_at_2: i32 = min(stop0 - start0, v_at);
    let v_previous: i32 = max(0, v_at_2 - 1);
    v_at = v_previous;
    let v_at_3: i32 = v_at;
    let v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
    if (v_char == 63) {
      row_is_null = true;
      return;
    }
    if ((v_char == 97) || (v_char == 98)) {
      let v_upper: i32 = min(stop0 - start0, v_at);
      let v_low: i32 = max(0, v_upper);
      let v_upper_2: i32 = min(stop0 - start0, v_stop);
      let v_high: i32 = max(v_low, v_upper_2);
      begin_item(bitcast<u32>(v_high - v_low));
      copy0(bitcast<u32>(start0 + v_low), bitcast<u32>(start0 + v_high));
      end_item();
      v_stop = v_at;
    }
  }
  let v_upper_3: i32 = min(stop0 - start0, v_stop);
  let v_high_2: i32 = max(0, v_upper_3);
  begin_item(bitcast<u32>(v_high_2));
  copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_high_2));
  end_item();
}

// list_backward, UTF-8, nulls
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
  var v_at: i32 = stop0 - start0;
  var v_stop: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    if (out_of_steps()) { return; }
    let v_at_2: i32 = min(stop0 - start0, v_at);
    var v_previous: i32 = max(0, v_at_2 - 1);
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      if (out_of_steps()) { return; }
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    v_at = v_previous_2;
    let v_at_3: i32 = v_at;
    var v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
    if (v_char >= 128) {
      if (v_char < 224) {
        v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_3) + 1) & 63), 65533, v_char < 192);
      } else if (v_char < 240) {
        v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_3) + 1) & 63) << 6u)) | (byte0((start0 + v_at_3) + 2) & 63);
      } else {
        v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_3) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_3) + 2) & 63) << 6u)) | (byte0((start0 + v_at_3) + 3) & 63);
      }
    }
    let v_char_2: i32 = v_char;
    if (v_char_2 == 63) {
      row_is_null = true;
      return;
    }
    if ((v_char_2 == 97) || (v_char_2 == 98)) {
      let v_upper: i32 = min(stop0 - start0, v_at);
      let v_low: i32 = max(0, v_upper);
      let v_upper_2: i32 = min(stop0 - start0, v_stop);
      let v_high: i32 = max(v_low, v_upper_2);
      grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_low));
      row_items++;
      row_steps++;
      v_stop = v_at;
    }
  }
  let v_upper_3: i32 = min(stop0 - start0, v_stop);
  let v_high_2: i32 = max(0, v_upper_3);
  grow(bitcast<u32>(start0 + v_high_2) - bitcast<u32>(start0));
  row_items++;
  row_steps++;
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
  var v_at: i32 = stop0 - start0;
  var v_stop: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    let v_at_2: i32 = min(stop0 - start0, v_at);
    var v_previous: i32 = max(0, v_at_2 - 1);
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    v_at = v_previous_2;
    let v_at_3: i32 = v_at;
    var v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
    if (v_char >= 128) {
      if (v_char < 224) {
        v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_3) + 1) & 63), 65533, v_char < 192);
      } else if (v_char < 240) {
        v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_3) + 1) & 63) << 6u)) | (byte0((start0 + v_at_3) + 2) & 63);
      } else {
        v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_3) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_3) + 2) & 63) << 6u)) | (byte0((start0 + v_at_3) + 3) & 63);
      }
    }
    let v_char_2: i32 = v_char;
    if (v_char_2 == 63) {
      row_is_null = true;
      return;
    }
    if ((v_char_2 == 97) || (v_char_2 == 98)) {
      let v_upper: i32 = min(stop0 - start0, v_at);
      let v_low: i32 = max(0, v_upper);
      let v_upper_2: i32 = min(stop0 - start0, v_stop);
      let v_high: i32 = max(v_low, v_upper_2);
      begin_item(bitcast<u32>(v_high - v_low));
      copy0(bitcast<u32>(start0 + v_low), bitcast<u32>(start0 + v_high));
      end_item();
      v_stop = v_at;
    }
  }
  let v_upper_3: i32 = min(stop0 - start0, v_stop);
  let v_high_2: i32 = max(0, v_upper_3);
  begin_item(bitcast<u32>(v_high_2));
  copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_high_2));
  end_item();
}

