// lower_head, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let v_moved: i32 = select(20, stop0 - start0, 20 > (stop0 - start0));
  var v_at: i32 = start0;
  for (; v_at < (start0 + v_moved); v_at = v_at + 1) {
    if (out_of_steps()) { return; }
    let v_char: i32 = byte0(v_at);
    grow(1u);
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
  let v_moved: i32 = select(20, stop0 - start0, 20 > (stop0 - start0));
  var v_at: i32 = start0;
  for (; v_at < (start0 + v_moved); v_at = v_at + 1) {
    let v_char: i32 = byte0(v_at);
    push(bitcast<u32>(select(v_char, v_char + 32, bitcast<u32>(v_char - 65) < 26u)) & 255u, 1u);
  }
}

// lower_head, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  var leave_v_head_text = false;
  switch 0 {
    default: {
      var v_state_position: i32 = 0;
      if (!valid0) {
        row_is_null = true;
        return;
      }
      var v_at: i32 = start0;
      var v_copy_SgoesOn = v_at < stop0;
      for (; v_copy_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_lead: i32 = byte0(v_at);
        if (v_lead < 128) {
          let v_char: i32 = select(v_lead, v_lead + 32, bitcast<u32>(v_lead - 65) < 26u);
          if (v_state_position >= 20) {
            leave_v_head_text = true;
            v_copy_SgoesOn = false;
            continue;
          }
          grow(1u);
          v_state_position = v_state_position + 1;
          v_at = v_at + 1;
        } else {
          let v_size: i32 = select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
          var v_char_2: i32 = v_lead;
          if (v_char_2 >= 128) {
            if (v_char_2 < 224) {
              v_char_2 = select(((v_char_2 & 31) << 6u) | (byte0(v_at + 1) & 63), 65533, v_char_2 < 192);
            } else if (v_char_2 < 240) {
              v_char_2 = (((v_char_2 & 15) << 12u) | ((byte0(v_at + 1) & 63) << 6u)) | (byte0(v_at + 2) & 63);
            } else {
              v_char_2 = ((((v_char_2 & 7) << 18u) | ((byte0(v_at + 1) & 63) << 12u)) | ((byte0(v_at + 2) & 63) << 6u)) | (byte0(v_at + 3) & 63);
            }
          }
          v_at = v_at + v_size;
          let v_char_3: i32 = v_char_2;
          switch 0 {
            default: {
              if ((v_char_3 >= 65) && (v_char_3 <= 90)) {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                if (bitcast<u32>(v_char_3 + 32) < 128u) {
                  grow(1u);
                } else if (bitcast<u32>(v_char_3 + 32) < 2048u) {
                  grow(2u);
                } else {
                  let v_valid: i32 = select(65533, v_char_3 + 32, (bitcast<u32>(v_char_3 + 32) < 1114112u) && (((v_char_3 + 32) < 55296) || ((v_char_3 + 32) >= 57344)));
                  if (v_valid < 65536) {
                    grow(1u);
                  } else {
                    grow(2u);
                  }
                  grow(2u);
                }
                v_state_position = v_state_position + 1;
                break;
              }
              if (v_char_3 == 201) {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                grow(2u);
                v_state_position = v_state_position + 1;
              } else {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                if (bitcast<u32>(v_char_3) < 128u) {
                  grow(1u);
                } else if (bitcast<u32>(v_char_3) < 2048u) {
                  grow(2u);
                } else {
                  let v_valid_2: i32 = select(65533, v_char_3, (bitcast<u32>(v_char_3) < 1114112u) && ((v_char_3 < 55296) || (v_char_3 >= 57344)));
                  if (v_valid_2 < 65536) {
                    grow(1u);
                  } else {
                    grow(2u);
                  }
                  grow(2u);
                }
                v_state_position = v_state_position + 1;
              }
            }
          }
          if (leave_v_head_text) { v_copy_SgoesOn = false; continue; }
        }
        v_copy_SgoesOn = v_at < stop0;
      }
      if (leave_v_head_text) { break; }
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
  var leave_v_head_text = false;
  switch 0 {
    default: {
      var v_state_position: i32 = 0;
      if (!valid0) {
        row_is_null = true;
        return;
      }
      var v_at: i32 = start0;
      var v_copy_SgoesOn = v_at < stop0;
      for (; v_copy_SgoesOn; ) {
        let v_lead: i32 = byte0(v_at);
        if (v_lead < 128) {
          let v_char: i32 = select(v_lead, v_lead + 32, bitcast<u32>(v_lead - 65) < 26u);
          if (v_state_position >= 20) {
            leave_v_head_text = true;
            v_copy_SgoesOn = false;
            continue;
          }
          push(bitcast<u32>(v_char) & 255u, 1u);
          v_state_position = v_state_position + 1;
          v_at = v_at + 1;
        } else {
          let v_size: i32 = select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
          var v_char_2: i32 = v_lead;
          if (v_char_2 >= 128) {
            if (v_char_2 < 224) {
              v_char_2 = select(((v_char_2 & 31) << 6u) | (byte0(v_at + 1) & 63), 65533, v_char_2 < 192);
            } else if (v_char_2 < 240) {
              v_char_2 = (((v_char_2 & 15) << 12u) | ((byte0(v_at + 1) & 63) << 6u)) | (byte0(v_at + 2) & 63);
            } else {
              v_char_2 = ((((v_char_2 & 7) << 18u) | ((byte0(v_at + 1) & 63) << 12u)) | ((byte0(v_at + 2) & 63) << 6u)) | (byte0(v_at + 3) & 63);
            }
          }
          v_at = v_at + v_size;
          let v_char_3: i32 = v_char_2;
          switch 0 {
            default: {
              if ((v_char_3 >= 65) && (v_char_3 <= 90)) {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                if (bitcast<u32>(v_char_3 + 32) < 128u) {
                  push(bitcast<u32>(v_char_3 + 32) & 255u, 1u);
                } else if (bitcast<u32>(v_char_3 + 32) < 2048u) {
                  push((bitcast<u32>(((v_char_3 + 32) >> 6u) | 192) & 255u) | ((bitcast<u32>(((v_char_3 + 32) & 63) | 128) & 255u) << 8u), 2u);
                } else {
                  let v_valid: i32 = select(65533, v_char_3 + 32, (bitcast<u32>(v_char_3 + 32) < 1114112u) && (((v_char_3 + 32) < 55296) || ((v_char_3 + 32) >= 57344)));
                  if (v_valid < 65536) {
                    push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
                  } else {
                    push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
                  }
                  push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
                }
                v_state_position = v_state_position + 1;
                break;
              }
              if (v_char_3 == 201) {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                push(0xa9c3u, 2u);
                v_state_position = v_state_position + 1;
              } else {
                if (v_state_position >= 20) {
                  leave_v_head_text = true;
                  break;
                }
                if (bitcast<u32>(v_char_3) < 128u) {
                  push(bitcast<u32>(v_char_3) & 255u, 1u);
                } else if (bitcast<u32>(v_char_3) < 2048u) {
                  push((bitcast<u32>((v_char_3 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_3 & 63) | 128) & 255u) << 8u), 2u);
                } else {
                  let v_valid_2: i32 = select(65533, v_char_3, (bitcast<u32>(v_char_3) < 1114112u) && ((v_char_3 < 55296) || (v_char_3 >= 57344)));
                  if (v_valid_2 < 65536) {
                    push(bitcast<u32>((v_valid_2 >> 12u) | 224) & 255u, 1u);
                  } else {
                    push((bitcast<u32>((v_valid_2 >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid_2 >> 12u) & 63) | 128) & 255u) << 8u), 2u);
                  }
                  push((bitcast<u32>(((v_valid_2 >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid_2 & 63) | 128) & 255u) << 8u), 2u);
                }
                v_state_position = v_state_position + 1;
              }
            }
          }
          if (leave_v_head_text) { v_copy_SgoesOn = false; continue; }
        }
        v_copy_SgoesOn = v_at < stop0;
      }
      if (leave_v_head_text) { break; }
    }
  }
}

