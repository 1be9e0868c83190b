// helpers, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_firstLetter_2: i32 = 0;
  var leave_v_firstLetter = false;
  switch 0 {
    default: {
      var v_at: i32 = 0;
      var v_loop_SgoesOn = v_at < (stop0 - start0);
      for (; v_loop_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_at_2: i32 = v_at;
        let v_char: i32 = byte0(start0 + v_at_2);
        if ((v_char >= 65) && ((v_char <= 90) || ((v_char >= 97) && (v_char <= 122)))) {
          v_firstLetter_2 = v_at_2;
          leave_v_firstLetter = true;
          v_loop_SgoesOn = false;
          continue;
        }
        let v_at_3: i32 = v_at;
        v_at = v_at_3 + 1;
        v_loop_SgoesOn = v_at < (stop0 - start0);
      }
      if (leave_v_firstLetter) { break; }
      let v_at_4: i32 = v_at;
      v_firstLetter_2 = -1;
    }
  }
  let v_start: i32 = v_firstLetter_2;
  if (v_start < 0) {
    row_is_null = true;
    return;
  }
  var v_stop: i32 = v_start;
  var v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  for (; v_loop_2_SgoesOn; ) {
    if (out_of_steps()) { return; }
    let v_at_5: i32 = v_stop;
    let v_char_3: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
    if (!((v_char_3 >= 65) && ((v_char_3 <= 90) || ((v_char_3 >= 97) && (v_char_3 <= 122))))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_6: i32 = v_stop;
    let v_next: i32 = select(select(stop0 - start0, 0, v_at_6 < 0), v_at_6 + 1, bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0));
    v_stop = v_next;
    v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  }
  let v_upper: i32 = min(stop0 - start0, v_start);
  let v_upper_2: i32 = min(stop0 - start0, v_stop);
  let v_high: i32 = max(v_upper, v_upper_2);
  var v_at_7: i32 = start0 + v_upper;
  for (; v_at_7 < (start0 + v_high); v_at_7 = v_at_7 + 1) {
    if (out_of_steps()) { return; }
    let v_char_4: i32 = byte0(v_at_7);
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
  var v_firstLetter_2: i32 = 0;
  var leave_v_firstLetter = false;
  switch 0 {
    default: {
      var v_at: i32 = 0;
      var v_loop_SgoesOn = v_at < (stop0 - start0);
      for (; v_loop_SgoesOn; ) {
        let v_at_2: i32 = v_at;
        let v_char: i32 = byte0(start0 + v_at_2);
        if ((v_char >= 65) && ((v_char <= 90) || ((v_char >= 97) && (v_char <= 122)))) {
          v_firstLetter_2 = v_at_2;
          leave_v_firstLetter = true;
          v_loop_SgoesOn = false;
          continue;
        }
        let v_at_3: i32 = v_at;
        v_at = v_at_3 + 1;
        v_loop_SgoesOn = v_at < (stop0 - start0);
      }
      if (leave_v_firstLetter) { break; }
      let v_at_4: i32 = v_at;
      v_firstLetter_2 = -1;
    }
  }
  let v_start: i32 = v_firstLetter_2;
  if (v_start < 0) {
    row_is_null = true;
    return;
  }
  var v_stop: i32 = v_start;
  var v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  for (; v_loop_2_SgoesOn; ) {
    let v_at_5: i32 = v_stop;
    let v_char_3: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
    if (!((v_char_3 >= 65) && ((v_char_3 <= 90) || ((v_char_3 >= 97) && (v_char_3 <= 122))))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_6: i32 = v_stop;
    let v_next: i32 = select(select(stop0 - start0, 0, v_at_6 < 0), v_at_6 + 1, bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0));
    v_stop = v_next;
    v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  }
  let v_upper: i32 = min(stop0 - start0, v_start);
  let v_upper_2: i32 = min(stop0 - start0, v_stop);
  let v_high: i32 = max(v_upper, v_upper_2);
  var v_at_7: i32 = start0 + v_upper;
  for (; v_at_7 < (start0 + v_high); v_at_7 = v_at_7 + 1) {
    let v_char_4: i32 = byte0(v_at_7);
    push(bitcast<u32>(select(select(select(select(v_char_4, v_char_4 + 13, bitcast<u32>(v_char_4 - 65) < 13u), v_char_4 - 13, bitcast<u32>(v_char_4 - 78) < 13u), v_char_4 + 13, bitcast<u32>(v_char_4 - 97) < 13u), v_char_4 - 13, bitcast<u32>(v_char_4 - 110) < 13u)) & 255u, 1u);
  }
}

// helpers, UTF-8, nulls
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
  var v_firstLetter_2: i32 = 0;
  var leave_v_firstLetter = false;
  switch 0 {
    default: {
      var v_at: i32 = 0;
      var v_loop_SgoesOn = v_at < (stop0 - start0);
      for (; v_loop_SgoesOn; ) {
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
        if ((v_char_2 >= 65) && ((v_char_2 <= 90) || ((v_char_2 >= 97) && (v_char_2 <= 122)))) {
          v_firstLetter_2 = v_at_2;
          leave_v_firstLetter = true;
          v_loop_SgoesOn = false;
          continue;
        }
        let v_at_3: i32 = v_at;
        let v_lead: i32 = byte0(start0 + v_at_3);
        let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
        let v_next: i32 = min(stop0 - start0, v_operand);
        v_at = v_next;
        v_loop_SgoesOn = v_at < (stop0 - start0);
      }
      if (leave_v_firstLetter) { break; }
      let v_at_4: i32 = v_at;
      v_firstLetter_2 = -1;
    }
  }
  let v_start: i32 = v_firstLetter_2;
  if (v_start < 0) {
    row_is_null = true;
    return;
  }
  var v_stop: i32 = v_start;
  var v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  for (; v_loop_2_SgoesOn; ) {
    if (out_of_steps()) { return; }
    let v_at_5: i32 = v_stop;
    var v_char_5: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
    if (v_char_5 >= 128) {
      if (v_char_5 < 224) {
        v_char_5 = select(((v_char_5 & 31) << 6u) | (byte0((start0 + v_at_5) + 1) & 63), 65533, v_char_5 < 192);
      } else if (v_char_5 < 240) {
        v_char_5 = (((v_char_5 & 15) << 12u) | ((byte0((start0 + v_at_5) + 1) & 63) << 6u)) | (byte0((start0 + v_at_5) + 2) & 63);
      } else {
        v_char_5 = ((((v_char_5 & 7) << 18u) | ((byte0((start0 + v_at_5) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_5) + 2) & 63) << 6u)) | (byte0((start0 + v_at_5) + 3) & 63);
      }
    }
    let v_char_6: i32 = v_char_5;
    if (!((v_char_6 >= 65) && ((v_char_6 <= 90) || ((v_char_6 >= 97) && (v_char_6 <= 122))))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_6: i32 = v_stop;
    let v_lead_2: i32 = byte0(start0 + v_at_6);
    let v_operand_2: i32 = v_at_6 + select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
    let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_6 < 0), min(stop0 - start0, v_operand_2), bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0));
    v_stop = v_next_2;
    v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  }
  let v_upper: i32 = min(stop0 - start0, v_start);
  let v_upper_2: i32 = min(stop0 - start0, v_stop);
  let v_high: i32 = max(v_upper, v_upper_2);
  var v_at_7: i32 = start0 + v_upper;
  var v_copy_SgoesOn = v_at_7 < (start0 + v_high);
  for (; v_copy_SgoesOn; ) {
    if (out_of_steps()) { return; }
    if (byte0(v_at_7) < 128) {
      let v_from: i32 = v_at_7;
      var v_run_SgoesOn = v_at_7 < (start0 + v_high);
      for (; v_run_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_char_7: i32 = byte0(v_at_7);
        if (v_char_7 >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        grow(1u);
        v_at_7 = v_at_7 + 1;
        v_run_SgoesOn = v_at_7 < (start0 + v_high);
      }
      if (v_at_7 >= (start0 + v_high)) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead_3: i32 = byte0(v_at_7);
    let v_size: i32 = select(select(select(4, 3, v_lead_3 < 240), 2, v_lead_3 < 224), 1, v_lead_3 < 192);
    var v_char_8: i32 = v_lead_3;
    if (v_char_8 >= 128) {
      if (v_char_8 < 224) {
        v_char_8 = select(((v_char_8 & 31) << 6u) | (byte0(v_at_7 + 1) & 63), 65533, v_char_8 < 192);
      } else if (v_char_8 < 240) {
        v_char_8 = (((v_char_8 & 15) << 12u) | ((byte0(v_at_7 + 1) & 63) << 6u)) | (byte0(v_at_7 + 2) & 63);
      } else {
        v_char_8 = ((((v_char_8 & 7) << 18u) | ((byte0(v_at_7 + 1) & 63) << 12u)) | ((byte0(v_at_7 + 2) & 63) << 6u)) | (byte0(v_at_7 + 3) & 63);
      }
    }
    v_at_7 = v_at_7 + v_size;
    let v_char_9: i32 = v_char_8;
    var v_rotated_2: i32 = 0;
    switch 0 {
      default: {
        if (!((v_char_9 >= 65) && ((v_char_9 <= 90) || ((v_char_9 >= 97) && (v_char_9 <= 122))))) {
          v_rotated_2 = v_char_9;
          break;
        }
        let v_first: i32 = select(65, 97, v_char_9 >= 97);
        let v_at_8: i32 = (v_char_9 - v_first) + 13;
        var v_at_9: i32 = v_at_8;
        for (; v_at_9 >= 26; ) {
          if (out_of_steps()) { return; }
          v_at_9 = v_at_9 - 26;
        }
        v_rotated_2 = v_first + v_at_9;
      }
    }
    let v_char_10: i32 = v_rotated_2;
    if (bitcast<u32>(v_char_10) < 128u) {
      grow(1u);
    } else if (bitcast<u32>(v_char_10) < 2048u) {
      grow(2u);
    } else {
      let v_valid: i32 = select(65533, v_char_10, (bitcast<u32>(v_char_10) < 1114112u) && ((v_char_10 < 55296) || (v_char_10 >= 57344)));
      if (v_valid < 65536) {
        grow(1u);
      } else {
        grow(2u);
      }
      grow(2u);
    }
    v_copy_SgoesOn = v_at_7 < (start0 + v_high);
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
  var v_firstLetter_2: i32 = 0;
  var leave_v_firstLetter = false;
  switch 0 {
    default: {
      var v_at: i32 = 0;
      var v_loop_SgoesOn = v_at < (stop0 - start0);
      for (; v_loop_SgoesOn; ) {
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
        if ((v_char_2 >= 65) && ((v_char_2 <= 90) || ((v_char_2 >= 97) && (v_char_2 <= 122)))) {
          v_firstLetter_2 = v_at_2;
          leave_v_firstLetter = true;
          v_loop_SgoesOn = false;
          continue;
        }
        let v_at_3: i32 = v_at;
        let v_lead: i32 = byte0(start0 + v_at_3);
        let v_operand: i32 = v_at_3 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
        let v_next: i32 = min(stop0 - start0, v_operand);
        v_at = v_next;
        v_loop_SgoesOn = v_at < (stop0 - start0);
      }
      if (leave_v_firstLetter) { break; }
      let v_at_4: i32 = v_at;
      v_firstLetter_2 = -1;
    }
  }
  let v_start: i32 = v_firstLetter_2;
  if (v_start < 0) {
    row_is_null = true;
    return;
  }
  var v_stop: i32 = v_start;
  var v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  for (; v_loop_2_SgoesOn; ) {
    let v_at_5: i32 = v_stop;
    var v_char_5: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
    if (v_char_5 >= 128) {
      if (v_char_5 < 224) {
        v_char_5 = select(((v_char_5 & 31) << 6u) | (byte0((start0 + v_at_5) + 1) & 63), 65533, v_char_5 < 192);
      } else if (v_char_5 < 240) {
        v_char_5 = (((v_char_5 & 15) << 12u) | ((byte0((start0 + v_at_5) + 1) & 63) << 6u)) | (byte0((start0 + v_at_5) + 2) & 63);
      } else {
        v_char_5 = ((((v_char_5 & 7) << 18u) | ((byte0((start0 + v_at_5) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_5) + 2) & 63) << 6u)) | (byte0((start0 + v_at_5) + 3) & 63);
      }
    }
    let v_char_6: i32 = v_char_5;
    if (!((v_char_6 >= 65) && ((v_char_6 <= 90) || ((v_char_6 >= 97) && (v_char_6 <= 122))))) {
      v_loop_2_SgoesOn = false;
      continue;
    }
    let v_at_6: i32 = v_stop;
    let v_lead_2: i32 = byte0(start0 + v_at_6);
    let v_operand_2: i32 = v_at_6 + select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
    let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_6 < 0), min(stop0 - start0, v_operand_2), bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0));
    v_stop = v_next_2;
    v_loop_2_SgoesOn = v_stop < (stop0 - start0);
  }
  let v_upper: i32 = min(stop0 - start0, v_start);
  let v_upper_2: i32 = min(stop0 - start0, v_stop);
  let v_high: i32 = max(v_upper, v_upper_2);
  var v_at_7: i32 = start0 + v_upper;
  var v_copy_SgoesOn = v_at_7 < (start0 + v_high);
  for (; v_copy_SgoesOn; ) {
    if (byte0(v_at_7) < 128) {
      let v_from: i32 = v_at_7;
      var v_run_SgoesOn = v_at_7 < (start0 + v_high);
      for (; v_run_SgoesOn; ) {
        let v_char_7: i32 = byte0(v_at_7);
        if (v_char_7 >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        push(bitcast<u32>(select(select(select(select(v_char_7, v_char_7 + 13, bitcast<u32>(v_char_7 - 65) < 13u), v_char_7 - 13, bitcast<u32>(v_char_7 - 78) < 13u), v_char_7 + 13, bitcast<u32>(v_char_7 - 97) < 13u), v_char_7 - 13, bitcast<u32>(v_char_7 - 110) < 13u)) & 255u, 1u);
        v_at_7 = v_at_7 + 1;
        v_run_SgoesOn = v_at_7 < (start0 + v_high);
      }
      if (v_at_7 >= (start0 + v_high)) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead_3: i32 = byte0(v_at_7);
    let v_size: i32 = select(select(select(4, 3, v_lead_3 < 240), 2, v_lead_3 < 224), 1, v_lead_3 < 192);
    var v_char_8: i32 = v_lead_3;
    if (v_char_8 >= 128) {
      if (v_char_8 < 224) {
        v_char_8 = select(((v_char_8 & 31) << 6u) | (byte0(v_at_7 + 1) & 63), 65533, v_char_8 < 192);
      } else if (v_char_8 < 240) {
        v_char_8 = (((v_char_8 & 15) << 12u) | ((byte0(v_at_7 + 1) & 63) << 6u)) | (byte0(v_at_7 + 2) & 63);
      } else {
        v_char_8 = ((((v_char_8 & 7) << 18u) | ((byte0(v_at_7 + 1) & 63) << 12u)) | ((byte0(v_at_7 + 2) & 63) << 6u)) | (byte0(v_at_7 + 3) & 63);
      }
    }
    v_at_7 = v_at_7 + v_size;
    let v_char_9: i32 = v_char_8;
    var v_rotated_2: i32 = 0;
    switch 0 {
      default: {
        if (!((v_char_9 >= 65) && ((v_char_9 <= 90) || ((v_char_9 >= 97) && (v_char_9 <= 122))))) {
          v_rotated_2 = v_char_9;
          break;
        }
        let v_first: i32 = select(65, 97, v_char_9 >= 97);
        let v_at_8: i32 = (v_char_9 - v_first) + 13;
        var v_at_9: i32 = v_at_8;
        for (; v_at_9 >= 26; ) {
          v_at_9 = v_at_9 - 26;
        }
        v_rotated_2 = v_first + v_at_9;
      }
    }
    let v_char_10: i32 = v_rotated_2;
    if (bitcast<u32>(v_char_10) < 128u) {
      push(bitcast<u32>(v_char_10) & 255u, 1u);
    } else if (bitcast<u32>(v_char_10) < 2048u) {
      push((bitcast<u32>((v_char_10 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_10 & 63) | 128) & 255u) << 8u), 2u);
    } else {
      let v_valid: i32 = select(65533, v_char_10, (bitcast<u32>(v_char_10) < 1114112u) && ((v_char_10 < 55296) || (v_char_10 >= 57344)));
      if (v_valid < 65536) {
        push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
      } else {
        push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
      }
      push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
    }
    v_copy_SgoesOn = v_at_7 < (start0 + v_high);
  }
}

