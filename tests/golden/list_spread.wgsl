// list_spread, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    if (out_of_steps()) { return; }
    let v_at_2: i32 = v_at;
    let v_char: i32 = byte0(start0 + v_at_2);
    var v_i: i32 = 0;
    for (; v_i <= v_at_2; v_i = v_i + 1) {
      if (out_of_steps()) { return; }
      grow(bitcast<u32>(start0 + v_at_2) - bitcast<u32>(start0));
      grow(1u);
      row_items++;
      row_steps++;
    }
    if (v_char == 33) {
      row_is_null = true;
      return;
    }
    continuing {
      let v_at_3: i32 = v_at;
      v_at = v_at_3 + 1;
    }
  }
  let v_at_4: i32 = v_at;
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
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    let v_at_2: i32 = v_at;
    let v_char: i32 = byte0(start0 + v_at_2);
    var v_i: i32 = 0;
    for (; v_i <= v_at_2; v_i = v_i + 1) {
      push(bitcast<u32>(v_char) & 255u, 1u);
      copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_at_2));
      end_item();
    }
    if (v_char == 33) {
      row_is_null = true;
      return;
    }
    continuing {
      let v_at_3: i32 = v_at;
      v_at = v_at_3 + 1;
    }
  }
  let v_at_4: i32 = v_at;
}

// list_spread, UTF-8, nulls
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
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    if (out_of_steps()) { return; }
    let v_at_2: i32 = v_at;
    var v_char: i32 = byte0(start0 + v_at_2);
    if (v_char >= 128) {
      if (v_char < 224) {
        v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_2) + 1) & 63), 65533, v_char < 192);
      } else if (v_char < 240) {
        v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_2) + 1) & 63) << 6u)) | (byte0((start0 + v_at_2) + 2) & 63);
      } else {
        v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_2) + 2) & 63) << 6u)) | (byte0((start0 + v_at_2) + 3) & 63);
      }
    }
    let v_char_2: i32 = v_char;
    var v_i: i32 = 0;
    for (; v_i <= v_at_2; v_i = v_i + 1) {
      if (out_of_steps()) { return; }
      if (bitcast<u32>(v_char_2) < 128u) {
        grow(1u);
      } else if (bitcast<u32>(v_char_2) < 2048u) {
        grow(2u);
      } else {
        let v_valid_2: i32 = select(65533, v_char_2, (bitcast<u32>(v_char_2) < 1114112u) && ((v_char_2 < 55296) || (v_char_2 >= 57344)));
        if (v_valid_2 < 65536) {
          grow(1u);
        } else {
          grow(2u);
        }
        grow(2u);
      }
      grow(bitcast<u32>(start0 + v_at_2) - bitcast<u32>(start0));
      row_items++;
      row_steps++;
    }
    if (v_char_2 == 33) {
      row_is_null = true;
      return;
    }
    continuing {
      let v_at_3: i32 = v_at;
      let v_lead: i32 = byte0(start0 + v_at_3);
      let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
      let v_next: i32 = min(stop0 - start0, v_operand);
      v_at = v_next;
    }
  }
  let v_at_4: i32 = v_at;
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
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    let v_at_2: i32 = v_at;
    var v_char: i32 = byte0(start0 + v_at_2);
    if (v_char >= 128) {
      if (v_char < 224) {
        v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_2) + 1) & 63), 65533, v_char < 192);
      } else if (v_char < 240) {
        v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_2) + 1) & 63) << 6u)) | (byte0((start0 + v_at_2) + 2) & 63);
      } else {
        v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_2) + 2) & 63) << 6u)) | (byte0((start0 + v_at_2) + 3) & 63);
      }
    }
    let v_char_2: i32 = v_char;
    var v_i: i32 = 0;
    for (; v_i <= v_at_2; v_i = v_i + 1) {
      if (bitcast<u32>(v_char_2) < 128u) {
        push(bitcast<u32>(v_char_2) & 255u, 1u);
      } else if (bitcast<u32>(v_char_2) < 2048u) {
        push((bitcast<u32>((v_char_2 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_2 & 63) | 128) & 255u) << 8u), 2u);
      } else {
        let v_valid_2: i32 = select(65533, v_char_2, (bitcast<u32>(v_char_2) < 1114112u) && ((v_char_2 < 55296) || (v_char_2 >= 57344)));
        if (v_valid_2 < 65536) {
          push(bitcast<u32>((v_valid_2 >> 12u) | 224) & 255u, 1u);
        } else {
          push((bitcast<u32>((v_valid_2 >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid_2 >> 12u) & 63) | 128) & 255u) << 8u), 2u);
        }
        push((bitcast<u32>(((v_valid_2 >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid_2 & 63) | 128) & 255u) << 8u), 2u);
      }
      copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_at_2));
      end_item();
    }
    if (v_char_2 == 33) {
      row_is_null = true;
      return;
    }
    continuing {
      let v_at_3: i32 = v_at;
      let v_lead: i32 = byte0(start0 + v_at_3);
      let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
      let v_next: i32 = min(stop0 - start0, v_operand);
      v_at = v_next;
    }
  }
  let v_at_4: i32 = v_at;
}

