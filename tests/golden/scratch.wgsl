// scratch, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_count: i32 = 0;
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    if (out_of_steps()) { return; }
    let v_at_2: i32 = v_at;
    let v_at_3: i32 = v_count;
    let v_char: i32 = byte0(start0 + v_at_2);
    let v_index: i32 = v_at_3 & 7;
    scratch[v_index] = v_char;
    v_count = v_at_3 + 1;
    continuing {
      let v_at_4: i32 = v_at;
      v_at = v_at_4 + 1;
    }
  }
  let v_at_5: i32 = v_at;
  let v_at_6: i32 = v_count;
  let v_index_2: i32 = v_at_6 & 7;
  scratch[v_index_2] = 33;
  let v_i: i32 = select(v_count - 7, 0, v_count < 7);
  var v_i_2: i32 = v_i;
  for (; v_i_2 <= v_count; v_i_2 = v_i_2 + 1) {
    if (out_of_steps()) { return; }
    let v_index_3: i32 = v_i_2 & 7;
    let v_word: i32 = scratch[v_index_3];
    scratch[10] = v_word;
    scratch[8] = v_word + 1;
    let v_word_2: i32 = scratch[8];
    if (bitcast<u32>(v_word_2 - 1) < 128u) {
      grow(1u);
    } else if (bitcast<u32>(v_word_2 - 1) < 2048u) {
      grow(2u);
    } else {
      let v_valid: i32 = select(65533, v_word_2 - 1, (bitcast<u32>(v_word_2 - 1) < 1114112u) && (((v_word_2 - 1) < 55296) || ((v_word_2 - 1) >= 57344)));
      if (v_valid < 65536) {
        grow(1u);
      } else {
        grow(2u);
      }
      grow(2u);
    }
    if ((v_word >= 97) && (v_word <= 122)) {
      let v_word_3: i32 = scratch[10];
      if (bitcast<u32>(v_word_3) < 128u) {
        grow(1u);
      } else if (bitcast<u32>(v_word_3) < 2048u) {
        grow(2u);
      } else {
        let v_valid_2: i32 = select(65533, v_word_3, (bitcast<u32>(v_word_3) < 1114112u) && ((v_word_3 < 55296) || (v_word_3 >= 57344)));
        if (v_valid_2 < 65536) {
          grow(1u);
        } else {
          grow(2u);
        }
        grow(2u);
      }
    }
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
  var v_count: i32 = 0;
  var v_at: i32 = 0;
  loop {
    if (!(v_at < (stop0 - start0))) { break; }
    let v_at_2: i32 = v_at;
    let v_at_3: i32 = v_count;
    let v_char: i32 = byte0(start0 + v_at_2);
    let v_index: i32 = v_at_3 & 7;
    scratch[v_index] = v_char;
    v_count = v_at_3 + 1;
    continuing {
      let v_at_4: i32 = v_at;
      v_at = v_at_4 + 1;
    }
  }
  let v_at_5: i32 = v_at;
  let v_at_6: i32 = v_count;
  let v_index_2: i32 = v_at_6 & 7;
  scratch[v_index_2] = 33;
  let v_i: i32 = select(v_count - 7, 0, v_count < 7);
  var v_i_2: i32 = v_i;
  for (; v_i_2 <= v_count; v_i_2 = v_i_2 + 1) {
    let v_index_3: i32 = v_i_2 & 7;
    let v_word: i32 = scratch[v_index_3];
    scratch[10] = v_word;
    scratch[8] = v_word + 1;
    let v_word_2: i32 = scratch[8];
    if (bitcast<u32>(v_word_2 - 1) < 128u) {
      push(bitcast<u32>(v_word_2 - 1) & 255u, 1u);
    } else if (bitcast<u32>(v_word_2 - 1) < 2048u) {
      push((bitcast<u32>(((v_word_2 - 1) >> 6u) | 192) & 255u) | ((bitcast<u32>(((v_word_2 - 1) & 63) | 128) & 255u) << 8u), 2u);
    } else {
      let v_valid: i32 = select(65533, v_word_2 - 1, (bitcast<u32>(v_word_2 - 1) < 1114112u) && (((v_word_2 - 1) < 55296) || ((v_word_2 - 1) >= 57344)));
      if (v_valid < 65536) {
        push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
      } else {
        push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
      }
      push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
    }
    if ((v_word >= 97) && (v_word <= 122)) {
      let v_word_3: i32 = scratch[10];
      if (bitcast<u32>(v_word_3) < 128u) {
        push(bitcast<u32>(v_word_3) & 255u, 1u);
      } else if (bitcast<u32>(v_word_3) < 2048u) {
        push((bitcast<u32>((v_word_3 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_word_3 & 63) | 128) & 255u) << 8u), 2u);
      } else {
        let v_valid_2: i32 = select(65533, v_word_3, (bitcast<u32>(v_word_3) < 1114112u) && ((v_word_3 < 55296) || (v_word_3 >= 57344)));
        if (v_valid_2 < 65536) {
          push(bitcast<u32>((v_valid_2 >> 12u) | 224) & 255u, 1u);
        } else {
          push((bitcast<u32>((v_valid_2 >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid_2 >> 12u) & 63) | 128) & 255u) << 8u), 2u);
        }
        push((bitcast<u32>(((v_valid_2 >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid_2 & 63) | 128) & 255u) << 8u), 2u);
      }
    }
  }
}

// scratch, UTF-8, nulls
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
  var v_count: i32 = 0;
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
    let v_at_3: i32 = v_count;
    let v_index: i32 = v_at_3 & 7;
    scratch[v_index] = v_char_2;
    v_count = v_at_3 + 1;
    continuing {
      let v_at_4: i32 = v_at;
      let v_lead: i32 = byte0(start0 + v_at_4);
      let v_operand: i32 = v_at_4 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
      let v_next: i32 = min(stop0 - start0, v_operand);
      v_at = v_next;
    }
  }
  let v_at_5: i32 = v_at;
  let v_at_6: i32 = v_count;
  let v_index_2: i32 = v_at_6 & 7;
  scratch[v_index_2] = 33;
  let v_i: i32 = select(v_count - 7, 0, v_count < 7);
  var v_i_2: i32 = v_i;
  for (; v_i_2 <= v_count; v_i_2 = v_i_2 + 1) {
    if (out_of_steps()) { return; }
    let v_index_3: i32 = v_i_2 & 7;
    let v_word: i32 = scratch[v_index_3];
    scratch[10] = v_word;
    scratch[8] = v_word + 1;
    let v_word_2: i32 = scratch[8];
    if (bitcast<u32>(v_word_2 - 1) < 128u) {
      grow(1u);
    } else if (bitcast<u32>(v_word_2 - 1) < 2048u) {
      grow(2u);
    } else {
      let v_valid: i32 = select(65533, v_word_2 - 1, (bitcast<u32>(v_word_2 - 1) < 1114112u) && (((v_word_2 - 1) < 55296) || ((v_word_2 - 1) >= 57344)));
      if (v_valid < 65536) {
        grow(1u);
      } else {
        grow(2u);
      }
      grow(2u);
    }
    if ((v_word >= 97) && (v_word <= 122)) {
      let v_word_3: i32 = scratch[10];
      if (bitcast<u32>(v_word_3) < 128u) {
        grow(1u);
      } else if (bitcast<u32>(v_word_3) < 2048u) {
        grow(2u);
      } else {
        let v_valid_2: i32 = select(65533, v_word_3, (bitcast<u32>(v_word_3) < 1114112u) && ((v_word_3 < 55296) || (v_word_3 >= 57344)));
        if (v_valid_2 < 65536) {
          grow(1u);
        } else {
          grow(2u);
        }
        grow(2u);
      }
    }
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
  var v_count: i32 = 0;
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
    let v_at_3: i32 = v_count;
    let v_index: i32 = v_at_3 & 7;
    scratch[v_index] = v_char_2;
    v_count = v_at_3 + 1;
    continuing {
      let v_at_4: i32 = v_at;
      let v_lead: i32 = byte0(start0 + v_at_4);
      let v_operand: i32 = v_at_4 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
      let v_next: i32 = min(stop0 - start0, v_operand);
      v_at = v_next;
    }
  }
  let v_at_5: i32 = v_at;
  let v_at_6: i32 = v_count;
  let v_index_2: i32 = v_at_6 & 7;
  scratch[v_index_2] = 33;
  let v_i: i32 = select(v_count - 7, 0, v_count < 7);
  var v_i_2: i32 = v_i;
  for (; v_i_2 <= v_count; v_i_2 = v_i_2 + 1) {
    let v_index_3: i32 = v_i_2 & 7;
    let v_word: i32 = scratch[v_index_3];
    scratch[10] = v_word;
    scratch[8] = v_word + 1;
    let v_word_2: i32 = scratch[8];
    if (bitcast<u32>(v_word_2 - 1) < 128u) {
      push(bitcast<u32>(v_word_2 - 1) & 255u, 1u);
    } else if (bitcast<u32>(v_word_2 - 1) < 2048u) {
      push((bitcast<u32>(((v_word_2 - 1) >> 6u) | 192) & 255u) | ((bitcast<u32>(((v_word_2 - 1) & 63) | 128) & 255u) << 8u), 2u);
    } else {
      let v_valid: i32 = select(65533, v_word_2 - 1, (bitcast<u32>(v_word_2 - 1) < 1114112u) && (((v_word_2 - 1) < 55296) || ((v_word_2 - 1) >= 57344)));
      if (v_valid < 65536) {
        push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
      } else {
        push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
      }
      push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
    }
    if ((v_word >= 97) && (v_word <= 122)) {
      let v_word_3: i32 = scratch[10];
      if (bitcast<u32>(v_word_3) < 128u) {
        push(bitcast<u32>(v_word_3) & 255u, 1u);
      } else if (bitcast<u32>(v_word_3) < 2048u) {
        push((bitcast<u32>((v_word_3 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_word_3 & 63) | 128) & 255u) << 8u), 2u);
      } else {
        let v_valid_2: i32 = select(65533, v_word_3, (bitcast<u32>(v_word_3) < 1114112u) && ((v_word_3 < 55296) || (v_word_3 >= 57344)));
        if (v_valid_2 < 65536) {
          push(bitcast<u32>((v_valid_2 >> 12u) | 224) & 255u, 1u);
        } else {
          push((bitcast<u32>((v_valid_2 >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid_2 >> 12u) & 63) | 128) & 255u) << 8u), 2u);
        }
        push((bitcast<u32>(((v_valid_2 >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid_2 & 63) | 128) & 255u) << 8u), 2u);
      }
    }
  }
}

