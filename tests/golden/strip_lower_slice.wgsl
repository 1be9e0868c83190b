// lower(strip($0, " \t")), ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_start: i32 = 0;
  var v_loop_SgoesOn = v_start < (stop0 - start0);
  for (; v_loop_SgoesOn; ) {
    if (out_of_steps()) { return; }
    let v_at: i32 = v_start;
    let v_wanted_2: i32 = byte0(start0 + v_at);
    if (!((v_wanted_2 == 32) || (v_wanted_2 == 9))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_2: i32 = v_start;
    v_start = v_at_2 + 1;
    v_loop_SgoesOn = v_start < (stop0 - start0);
  }
  let v_start_2: i32 = v_start;
  var v_stop: i32 = stop0 - start0;
  var v_loop_2_SgoesOn = v_stop > v_start_2;
  for (; v_loop_2_SgoesOn; ) {
    if (out_of_steps()) { return; }
    let v_at_3: i32 = v_stop;
    let v_wanted_3: i32 = byte0(start0 + (v_at_3 - 1));
    if (!((v_wanted_3 == 32) || (v_wanted_3 == 9))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    v_stop = v_at_3 - 1;
    v_loop_2_SgoesOn = v_stop > v_start_2;
  }
  let v_stop_2: i32 = v_stop;
  var v_at_4: i32 = start0 + v_start_2;
  for (; v_at_4 < (start0 + v_stop_2); v_at_4 = v_at_4 + 1) {
    if (out_of_steps()) { return; }
    let v_char: i32 = byte0(v_at_4);
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
  var v_start: i32 = 0;
  var v_loop_SgoesOn = v_start < (stop0 - start0);
  for (; v_loop_SgoesOn; ) {
    let v_at: i32 = v_start;
    let v_wanted_2: i32 = byte0(start0 + v_at);
    if (!((v_wanted_2 == 32) || (v_wanted_2 == 9))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_2: i32 = v_start;
    v_start = v_at_2 + 1;
    v_loop_SgoesOn = v_start < (stop0 - start0);
  }
  let v_start_2: i32 = v_start;
  var v_stop: i32 = stop0 - start0;
  var v_loop_2_SgoesOn = v_stop > v_start_2;
  for (; v_loop_2_SgoesOn; ) {
    let v_at_3: i32 = v_stop;
    let v_wanted_3: i32 = byte0(start0 + (v_at_3 - 1));
    if (!((v_wanted_3 == 32) || (v_wanted_3 == 9))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    v_stop = v_at_3 - 1;
    v_loop_2_SgoesOn = v_stop > v_start_2;
  }
  let v_stop_2: i32 = v_stop;
  var v_at_4: i32 = start0 + v_start_2;
  for (; v_at_4 < (start0 + v_stop_2); v_at_4 = v_at_4 + 1) {
    let v_char: i32 = byte0(v_at_4);
    push(bitcast<u32>(select(v_char, v_char + 32, bitcast<u32>(v_char - 65) < 26u)) & 255u, 1u);
  }
}

// strip_lower_slice, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let v_moved: i32 = select(3, stop0 - start0, 3 > (stop0 - start0));
  grow(bitcast<u32>(start0 + v_moved) - bitcast<u32>(start0));
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
  let v_moved: i32 = select(3, stop0 - start0, 3 > (stop0 - start0));
  copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_moved));
}

// lower(strip($0, " \t")), UTF-8, nulls
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
  var v_start: i32 = 0;
  var v_loop_SgoesOn = v_start < (stop0 - start0);
  for (; v_loop_SgoesOn; ) {
    if (out_of_steps()) { return; }
    var v_ascii_SgoesOn = v_start < (stop0 - start0);
    for (; v_ascii_SgoesOn; ) {
      if (out_of_steps()) { return; }
      let v_at: i32 = v_start;
      let v_wanted: i32 = byte0(start0 + v_at);
      if ((byte0(start0 + v_start) >= 128) || (!((v_wanted == 32) || (v_wanted == 9)))) {
        v_ascii_SgoesOn = false;
        continue;
      }
      v_start = v_start + 1;
      v_ascii_SgoesOn = v_start < (stop0 - start0);
    }
    if (!((v_start < (stop0 - start0)) && (byte0(start0 + v_start) >= 128))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_2: i32 = v_start;
    var v_char_3: i32 = byte0(start0 + v_at_2);
    if (v_char_3 >= 128) {
      if (v_char_3 < 224) {
        v_char_3 = select(((v_char_3 & 31) << 6u) | (byte0((start0 + v_at_2) + 1) & 63), 65533, v_char_3 < 192);
      } else if (v_char_3 < 240) {
        v_char_3 = (((v_char_3 & 15) << 12u) | ((byte0((start0 + v_at_2) + 1) & 63) << 6u)) | (byte0((start0 + v_at_2) + 2) & 63);
      } else {
        v_char_3 = ((((v_char_3 & 7) << 18u) | ((byte0((start0 + v_at_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_2) + 2) & 63) << 6u)) | (byte0((start0 + v_at_2) + 3) & 63);
      }
    }
    let v_char_4: i32 = v_char_3;
    if (!((v_char_4 == 32) || (v_char_4 == 9))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_3: i32 = v_start;
    let v_lead: i32 = byte0(start0 + v_at_3);
    let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    let v_next: i32 = min(stop0 - start0, v_operand);
    v_start = v_next;
    v_loop_SgoesOn = v_start < (stop0 - start0);
  }
  let v_start_2: i32 = v_start;
  var v_stop: i32 = stop0 - start0;
  var v_loop_2_SgoesOn = v_stop > v_start_2;
  for (; v_loop_2_SgoesOn; ) {
    if (out_of_steps()) { return; }
    var v_ascii_2_SgoesOn = v_stop > v_start_2;
    for (; v_ascii_2_SgoesOn; ) {
      if (out_of_steps()) { return; }
      let v_at_4: i32 = v_stop;
      let v_wanted_2: i32 = byte0(start0 + (v_at_4 - 1));
      if ((byte0(start0 + (v_stop - 1)) >= 128) || (!((v_wanted_2 == 32) || (v_wanted_2 == 9)))) {
        v_ascii_2_SgoesOn = false;
        continue;
      }
      v_stop = v_stop - 1;
      v_ascii_2_SgoesOn = v_stop > v_start_2;
    }
    if (!((v_stop > v_start_2) && (byte0(start0 + (v_stop - 1)) >= 128))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_5: i32 = v_stop;
    var v_previous: i32 = v_at_5 - 1;
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      if (out_of_steps()) { return; }
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    var v_char_5: i32 = byte0(start0 + v_previous_2);
    if (v_char_5 >= 128) {
      if (v_char_5 < 224) {
        v_char_5 = select(((v_char_5 & 31) << 6u) | (byte0((start0 + v_previous_2) + 1) & 63), 65533, v_char_5 < 192);
      } else if (v_char_5 < 240) {
        v_char_5 = (((v_char_5 & 15) << 12u) | ((byte0((start0 + v_previous_2) + 1) & 63) << 6u)) | (byte0((start0 + v_previous_2) + 2) & 63);
      } else {
        v_char_5 = ((((v_char_5 & 7) << 18u) | ((byte0((start0 + v_previous_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_previous_2) + 2) & 63) << 6u)) | (byte0((start0 + v_previous_2) + 3) & 63);
      }
    }
    let v_char_6: i32 = v_char_5;
    if (!((v_char_6 == 32) || (v_char_6 == 9))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    v_stop = v_previous_2;
    v_loop_2_SgoesOn = v_stop > v_start_2;
  }
  let v_stop_2: i32 = v_stop;
  let v_high: i32 = max(v_start_2, v_stop_2);
  var v_at_6: i32 = start0 + v_start_2;
  var v_copy_SgoesOn = v_at_6 < (start0 + v_high);
  for (; v_copy_SgoesOn; ) {
    if (out_of_steps()) { return; }
    if (byte0(v_at_6) < 128) {
      let v_from: i32 = v_at_6;
      var v_run_SgoesOn = v_at_6 < (start0 + v_high);
      for (; v_run_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_char_7: i32 = byte0(v_at_6);
        if (v_char_7 >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        grow(1u);
        v_at_6 = v_at_6 + 1;
        v_run_SgoesOn = v_at_6 < (start0 + v_high);
      }
      if (v_at_6 >= (start0 + v_high)) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead_2: i32 = byte0(v_at_6);
    let v_size: i32 = select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
    var v_char_8: i32 = v_lead_2;
    if (v_char_8 >= 128) {
      if (v_char_8 < 224) {
        v_char_8 = select(((v_char_8 & 31) << 6u) | (byte0(v_at_6 + 1) & 63), 65533, v_char_8 < 192);
      } else if (v_char_8 < 240) {
        v_char_8 = (((v_char_8 & 15) << 12u) | ((byte0(v_at_6 + 1) & 63) << 6u)) | (byte0(v_at_6 + 2) & 63);
      } else {
        v_char_8 = ((((v_char_8 & 7) << 18u) | ((byte0(v_at_6 + 1) & 63) << 12u)) | ((byte0(v_at_6 + 2) & 63) << 6u)) | (byte0(v_at_6 + 3) & 63);
      }
    }
    v_at_6 = v_at_6 + v_size;
    let v_char_9: i32 = v_char_8;
    switch 0 {
      default: {
        if ((v_char_9 >= 65) && (v_char_9 <= 90)) {
          if (bitcast<u32>(v_char_9 + 32) < 128u) {
            grow(1u);
          } else if (bitcast<u32>(v_char_9 + 32) < 2048u) {
            grow(2u);
          } else {
            let v_valid: i32 = select(65533, v_char_9 + 32, (bitcast<u32>(v_char_9 + 32) < 1114112u) && (((v_char_9 + 32) < 55296) || ((v_char_9 + 32) >= 57344)));
            if (v_valid < 65536) {
              grow(1u);
            } else {
              grow(2u);
            }
            grow(2u);
          }
          break;
        }
        if (v_char_9 == 201) {
          grow(2u);
        } else if (bitcast<u32>(v_char_9) < 128u) {
          grow(1u);
        } else if (bitcast<u32>(v_char_9) < 2048u) {
          grow(2u);
        } else {
          let v_valid_2: i32 = select(65533, v_char_9, (bitcast<u32>(v_char_9) < 1114112u) && ((v_char_9 < 55296) || (v_char_9 >= 57344)));
          if (v_valid_2 < 65536) {
            grow(1u);
          } else {
            grow(2u);
          }
          grow(2u);
        }
      }
    }
    v_copy_SgoesOn = v_at_6 < (start0 + v_high);
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
  var v_start: i32 = 0;
  var v_loop_SgoesOn = v_start < (stop0 - start0);
  for (; v_loop_SgoesOn; ) {
    var v_ascii_SgoesOn = v_start < (stop0 - start0);
    for (; v_ascii_SgoesOn; ) {
      let v_at: i32 = v_start;
      let v_wanted: i32 = byte0(start0 + v_at);
      if ((byte0(start0 + v_start) >= 128) || (!((v_wanted == 32) || (v_wanted == 9)))) {
        v_ascii_SgoesOn = false;
        continue;
      }
      v_start = v_start + 1;
      v_ascii_SgoesOn = v_start < (stop0 - start0);
    }
    if (!((v_start < (stop0 - start0)) && (byte0(start0 + v_start) >= 128))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_2: i32 = v_start;
    var v_char_3: i32 = byte0(start0 + v_at_2);
    if (v_char_3 >= 128) {
      if (v_char_3 < 224) {
        v_char_3 = select(((v_char_3 & 31) << 6u) | (byte0((start0 + v_at_2) + 1) & 63), 65533, v_char_3 < 192);
      } else if (v_char_3 < 240) {
        v_char_3 = (((v_char_3 & 15) << 12u) | ((byte0((start0 + v_at_2) + 1) & 63) << 6u)) | (byte0((start0 + v_at_2) + 2) & 63);
      } else {
        v_char_3 = ((((v_char_3 & 7) << 18u) | ((byte0((start0 + v_at_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_2) + 2) & 63) << 6u)) | (byte0((start0 + v_at_2) + 3) & 63);
      }
    }
    let v_char_4: i32 = v_char_3;
    if (!((v_char_4 == 32) || (v_char_4 == 9))) {
      v_loop_SgoesOn = false;
      continue;
    }
    let v_at_3: i32 = v_start;
    let v_lead: i32 = byte0(start0 + v_at_3);
    let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    let v_next: i32 = min(stop0 - start0, v_operand);
    v_start = v_next;
    v_loop_SgoesOn = v_start < (stop0 - start0);
  }
  let v_start_2: i32 = v_start;
  var v_stop: i32 = stop0 - start0;
  var v_loop_2_SgoesOn = v_stop > v_start_2;
  for (; v_loop_2_SgoesOn; ) {
    var v_ascii_2_SgoesOn = v_stop > v_start_2;
    for (; v_ascii_2_SgoesOn; ) {
      let v_at_4: i32 = v_stop;
      let v_wanted_2: i32 = byte0(start0 + (v_at_4 - 1));
      if ((byte0(start0 + (v_stop - 1)) >= 128) || (!((v_wanted_2 == 32) || (v_wanted_2 == 9)))) {
        v_ascii_2_SgoesOn = false;
        continue;
      }
      v_stop = v_stop - 1;
      v_ascii_2_SgoesOn = v_stop > v_start_2;
    }
    if (!((v_stop > v_start_2) && (byte0(start0 + (v_stop - 1)) >= 128))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_5: i32 = v_stop;
    var v_previous: i32 = v_at_5 - 1;
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    var v_char_5: i32 = byte0(start0 + v_previous_2);
    if (v_char_5 >= 128) {
      if (v_char_5 < 224) {
        v_char_5 = select(((v_char_5 & 31) << 6u) | (byte0((start0 + v_previous_2) + 1) & 63), 65533, v_char_5 < 192);
      } else if (v_char_5 < 240) {
        v_char_5 = (((v_char_5 & 15) << 12u) | ((byte0((start0 + v_previous_2) + 1) & 63) << 6u)) | (byte0((start0 + v_previous_2) + 2) & 63);
      } else {
        v_char_5 = ((((v_char_5 & 7) << 18u) | ((byte0((start0 + v_previous_2) + 1) & 63) << 12u)) | ((byte0((start0 + v_previous_2) + 2) & 63) << 6u)) | (byte0((start0 + v_previous_2) + 3) & 63);
      }
    }
    let v_char_6: i32 = v_char_5;
    if (!((v_char_6 == 32) || (v_char_6 == 9))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    v_stop = v_previous_2;
    v_loop_2_SgoesOn = v_stop > v_start_2;
  }
  let v_stop_2: i32 = v_stop;
  let v_high: i32 = max(v_start_2, v_stop_2);
  var v_at_6: i32 = start0 + v_start_2;
  var v_copy_SgoesOn = v_at_6 < (start0 + v_high);
  for (; v_copy_SgoesOn; ) {
    if (byte0(v_at_6) < 128) {
      let v_from: i32 = v_at_6;
      var v_run_SgoesOn = v_at_6 < (start0 + v_high);
      for (; v_run_SgoesOn; ) {
        let v_char_7: i32 = byte0(v_at_6);
        if (v_char_7 >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        push(bitcast<u32>(select(v_char_7, v_char_7 + 32, bitcast<u32>(v_char_7 - 65) < 26u)) & 255u, 1u);
        v_at_6 = v_at_6 + 1;
        v_run_SgoesOn = v_at_6 < (start0 + v_high);
      }
      if (v_at_6 >= (start0 + v_high)) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead_2: i32 = byte0(v_at_6);
    let v_size: i32 = select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
    var v_char_8: i32 = v_lead_2;
    if (v_char_8 >= 128) {
      if (v_char_8 < 224) {
        v_char_8 = select(((v_char_8 & 31) << 6u) | (byte0(v_at_6 + 1) & 63), 65533, v_char_8 < 192);
      } else if (v_char_8 < 240) {
        v_char_8 = (((v_char_8 & 15) << 12u) | ((byte0(v_at_6 + 1) & 63) << 6u)) | (byte0(v_at_6 + 2) & 63);
      } else {
        v_char_8 = ((((v_char_8 & 7) << 18u) | ((byte0(v_at_6 + 1) & 63) << 12u)) | ((byte0(v_at_6 + 2) & 63) << 6u)) | (byte0(v_at_6 + 3) & 63);
      }
    }
    v_at_6 = v_at_6 + v_size;
    let v_char_9: i32 = v_char_8;
    switch 0 {
      default: {
        if ((v_char_9 >= 65) && (v_char_9 <= 90)) {
          if (bitcast<u32>(v_char_9 + 32) < 128u) {
            push(bitcast<u32>(v_char_9 + 32) & 255u, 1u);
          } else if (bitcast<u32>(v_char_9 + 32) < 2048u) {
            push((bitcast<u32>(((v_char_9 + 32) >> 6u) | 192) & 255u) | ((bitcast<u32>(((v_char_9 + 32) & 63) | 128) & 255u) << 8u), 2u);
          } else {
            let v_valid: i32 = select(65533, v_char_9 + 32, (bitcast<u32>(v_char_9 + 32) < 1114112u) && (((v_char_9 + 32) < 55296) || ((v_char_9 + 32) >= 57344)));
            if (v_valid < 65536) {
              push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
            } else {
              push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
            }
            push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
          }
          break;
        }
        if (v_char_9 == 201) {
          push(0xa9c3u, 2u);
        } else if (bitcast<u32>(v_char_9) < 128u) {
          push(bitcast<u32>(v_char_9) & 255u, 1u);
        } else if (bitcast<u32>(v_char_9) < 2048u) {
          push((bitcast<u32>((v_char_9 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_9 & 63) | 128) & 255u) << 8u), 2u);
        } else {
          let v_valid_2: i32 = select(65533, v_char_9, (bitcast<u32>(v_char_9) < 1114112u) && ((v_char_9 < 55296) || (v_char_9 >= 57344)));
          if (v_valid_2 < 65536) {
            push(bitcast<u32>((v_valid_2 >> 12u) | 224) & 255u, 1u);
          } else {
            push((bitcast<u32>((v_valid_2 >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid_2 >> 12u) & 63) | 128) & 255u) << 8u), 2u);
          }
          push((bitcast<u32>(((v_valid_2 >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid_2 & 63) | 128) & 255u) << 8u), 2u);
        }
      }
    }
    v_copy_SgoesOn = v_at_6 < (start0 + v_high);
  }
}

// strip_lower_slice, UTF-8, nulls
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
  var v_left: i32 = 3;
  for (; (v_left > 0) && (v_at < (stop0 - start0)); v_left = v_left - 1) {
    if (out_of_steps()) { return; }
    let v_lead: i32 = byte0(start0 + v_at);
    v_at = v_at + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
  }
  let v_moved: i32 = min(stop0 - start0, v_at);
  grow(bitcast<u32>(start0 + v_moved) - bitcast<u32>(start0));
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
  var v_left: i32 = 3;
  for (; (v_left > 0) && (v_at < (stop0 - start0)); v_left = v_left - 1) {
    let v_lead: i32 = byte0(start0 + v_at);
    v_at = v_at + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
  }
  let v_moved: i32 = min(stop0 - start0, v_at);
  copy0(bitcast<u32>(start0), bitcast<u32>(start0 + v_moved));
}

