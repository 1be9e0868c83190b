// to_integer, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_toInteger_2: i32 = 0;
  var v_toInteger_3: i32 = 0;
  switch 0 {
    default: {
      let v_sign: i32 = select(0, byte0(start0), 0 < (stop0 - start0));
      let v_isNegative: bool = v_sign == 45;
      let v_at: i32 = select(0, 1, v_isNegative || (v_sign == 43));
      if (v_at == (stop0 - start0)) {
        row_is_null = true;
        return;
      }
      if (((stop0 - start0) - v_at) <= 9) {
        let v_digit: i32 = select(0, byte0(start0 + v_at), v_at < (stop0 - start0)) - 48;
        let v_top: i32 = select(0, v_digit, ((stop0 - start0) - v_at) == 9);
        let v_end: i32 = (stop0 - start0) - 4;
        let v_count: i32 = v_end - select(select(v_at, 0, v_at < 0), stop0 - start0, (stop0 - start0) < v_at);
        let v_mask: i32 = select(-1, select((-1) << (bitcast<u32>(32 - (v_count << 3u)) & 31u), 0, v_count < 1), v_count < 4);
        let v_at_2: i32 = start0 + (v_end - 4);
        let v_high: i32 = ((((byte0(v_at_2) | (byte0(v_at_2 + 1) << 8u)) | (byte0(v_at_2 + 2) << 16u)) | (byte0(v_at_2 + 3) << 24u)) & v_mask) | (808464432 & (~v_mask));
        let v_count_2: i32 = (stop0 - start0) - select(select(v_at, 0, v_at < 0), stop0 - start0, (stop0 - start0) < v_at);
        let v_mask_2: i32 = select(-1, select((-1) << (bitcast<u32>(32 - (v_count_2 << 3u)) & 31u), 0, v_count_2 < 1), v_count_2 < 4);
        let v_at_3: i32 = start0 + ((stop0 - start0) - 4);
        let v_low: i32 = ((((byte0(v_at_3) | (byte0(v_at_3 + 1) << 8u)) | (byte0(v_at_3 + 2) << 16u)) | (byte0(v_at_3 + 3) << 24u)) & v_mask_2) | (808464432 & (~v_mask_2));
        if ((((v_top < 0) || (v_top > 9)) || (((v_high & (-252645136)) | (bitcast<i32>(bitcast<u32>((v_high + 101058054) & (-252645136)) >> 4u))) != 858993459)) || (((v_low & (-252645136)) | (bitcast<i32>(bitcast<u32>((v_low + 101058054) & (-252645136)) >> 4u))) != 858993459)) {
          row_is_null = true;
          return;
        }
        let v_digits: i32 = v_high & 252645135;
        let v_pairs: i32 = ((v_digits * 10) + (bitcast<i32>(bitcast<u32>(v_digits) >> 8u))) & 16711935;
        let v_head: i32 = (v_top * 10000) + (((v_pairs * 100) + (bitcast<i32>(bitcast<u32>(v_pairs) >> 16u))) & 65535);
        let v_digits_2: i32 = v_low & 252645135;
        let v_pairs_2: i32 = ((v_digits_2 * 10) + (bitcast<i32>(bitcast<u32>(v_digits_2) >> 8u))) & 16711935;
        let v_size: i32 = (v_head * 10000) + (((v_pairs_2 * 100) + (bitcast<i32>(bitcast<u32>(v_pairs_2) >> 16u))) & 65535);
        let v_value: i32 = select(v_size, -v_size, v_isNegative);
        let v_high_2: i32 = v_value >> 31u;
        v_toInteger_2 = v_value;
        v_toInteger_3 = v_high_2;
        break;
      }
      var v_at_4: i32 = v_at;
      var v_loop_SgoesOn = v_at_4 < ((stop0 - start0) - 1);
      for (; v_loop_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_at_5: i32 = v_at_4;
        if (select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0)) != 48) {
          v_loop_SgoesOn = false;
          continue;
        }
        v_at_4 = v_at_4 + 1;
        v_loop_SgoesOn = v_at_4 < ((stop0 - start0) - 1);
      }
      if (((stop0 - start0) - v_at_4) > 19) {
        row_is_null = true;
        return;
      }
      var v_limb0: i32 = 0;
      var v_limb1: i32 = 0;
      var v_limb2: i32 = 0;
      var v_limb3: i32 = 0;
      for (; v_at_4 < (stop0 - start0); ) {
        if (out_of_steps()) { return; }
        var v_group: i32 = 0;
        var v_scale: i32 = 1;
        for (; (v_at_4 < (stop0 - start0)) && (v_scale < 10000); v_at_4 = v_at_4 + 1) {
          if (out_of_steps()) { return; }
          let v_at_6: i32 = v_at_4;
          let v_digit_2: i32 = select(0, byte0(start0 + v_at_6), bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0)) - 48;
          if ((v_digit_2 < 0) || (v_digit_2 > 9)) {
            row_is_null = true;
            return;
          }
          v_group = (v_group * 10) + v_digit_2;
          v_scale = v_scale * 10;
        }
        v_limb0 = (v_limb0 * v_scale) + v_group;
        v_limb1 = (v_limb1 * v_scale) + (v_limb0 >> 16u);
        v_limb2 = (v_limb2 * v_scale) + (v_limb1 >> 16u);
        v_limb3 = (v_limb3 * v_scale) + (v_limb2 >> 16u);
        v_limb0 = v_limb0 & 65535;
        v_limb1 = v_limb1 & 65535;
        v_limb2 = v_limb2 & 65535;
      }
      let v_low_2: i32 = v_limb0 | (v_limb1 << 16u);
      let v_high_2_2: i32 = v_limb2 | (v_limb3 << 16u);
      if (!v_isNegative) {
        if (v_limb3 > 32767) {
          row_is_null = true;
          return;
        }
        v_toInteger_2 = v_low_2;
        v_toInteger_3 = v_high_2_2;
        break;
      }
      if ((v_limb3 > 32768) || ((v_limb3 == 32768) && ((v_low_2 != 0) || (v_limb2 != 0)))) {
        row_is_null = true;
        return;
      }
      let v_low_3: i32 = -v_low_2;
      let v_high_3: i32 = (~v_high_2_2) + select(0, 1, v_low_2 == 0);
      v_toInteger_2 = v_low_3;
      v_toInteger_3 = v_high_3;
    }
  }
  result0 = v_toInteger_2;
  result1 = v_toInteger_3;
}

// to_integer, UTF-8, nulls
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
  var v_toInteger_2: i32 = 0;
  var v_toInteger_3: i32 = 0;
  switch 0 {
    default: {
      let v_sign: i32 = select(0, byte0(start0), 0 < (stop0 - start0));
      let v_isNegative: bool = v_sign == 45;
      let v_at: i32 = select(0, 1, v_isNegative || (v_sign == 43));
      if (v_at == (stop0 - start0)) {
        row_is_null = true;
        return;
      }
      if (((stop0 - start0) - v_at) <= 9) {
        let v_digit: i32 = select(0, byte0(start0 + v_at), v_at < (stop0 - start0)) - 48;
        let v_top: i32 = select(0, v_digit, ((stop0 - start0) - v_at) == 9);
        let v_end: i32 = (stop0 - start0) - 4;
        let v_count: i32 = v_end - select(select(v_at, 0, v_at < 0), stop0 - start0, (stop0 - start0) < v_at);
        let v_mask: i32 = select(-1, select((-1) << (bitcast<u32>(32 - (v_count << 3u)) & 31u), 0, v_count < 1), v_count < 4);
        let v_at_2: i32 = start0 + (v_end - 4);
        let v_high: i32 = ((((byte0(v_at_2) | (byte0(v_at_2 + 1) << 8u)) | (byte0(v_at_2 + 2) << 16u)) | (byte0(v_at_2 + 3) << 24u)) & v_mask) | (808464432 & (~v_mask));
        let v_count_2: i32 = (stop0 - start0) - select(select(v_at, 0, v_at < 0), stop0 - start0, (stop0 - start0) < v_at);
        let v_mask_2: i32 = select(-1, select((-1) << (bitcast<u32>(32 - (v_count_2 << 3u)) & 31u), 0, v_count_2 < 1), v_count_2 < 4);
        let v_at_3: i32 = start0 + ((stop0 - start0) - 4);
        let v_low: i32 = ((((byte0(v_at_3) | (byte0(v_at_3 + 1) << 8u)) | (byte0(v_at_3 + 2) << 16u)) | (byte0(v_at_3 + 3) << 24u)) & v_mask_2) | (808464432 & (~v_mask_2));
        if ((((v_top < 0) || (v_top > 9)) || (((v_high & (-252645136)) | (bitcast<i32>(bitcast<u32>((v_high + 101058054) & (-252645136)) >> 4u))) != 858993459)) || (((v_low & (-252645136)) | (bitcast<i32>(bitcast<u32>((v_low + 101058054) & (-252645136)) >> 4u))) != 858993459)) {
          row_is_null = true;
          return;
        }
        let v_digits: i32 = v_high & 252645135;
        let v_pairs: i32 = ((v_digits * 10) + (bitcast<i32>(bitcast<u32>(v_digits) >> 8u))) & 16711935;
        let v_head: i32 = (v_top * 10000) + (((v_pairs * 100) + (bitcast<i32>(bitcast<u32>(v_pairs) >> 16u))) & 65535);
        let v_digits_2: i32 = v_low & 252645135;
        let v_pairs_2: i32 = ((v_digits_2 * 10) + (bitcast<i32>(bitcast<u32>(v_digits_2) >> 8u))) & 16711935;
        let v_size: i32 = (v_head * 10000) + (((v_pairs_2 * 100) + (bitcast<i32>(bitcast<u32>(v_pairs_2) >> 16u))) & 65535);
        let v_value: i32 = select(v_size, -v_size, v_isNegative);
        let v_high_2: i32 = v_value >> 31u;
        v_toInteger_2 = v_value;
        v_toInteger_3 = v_high_2;
        break;
      }
      var v_at_4: i32 = v_at;
      var v_loop_SgoesOn = v_at_4 < ((stop0 - start0) - 1);
      for (; v_loop_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_at_5: i32 = v_at_4;
        if (select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0)) != 48) {
          v_loop_SgoesOn = false;
          continue;
        }
        v_at_4 = v_at_4 + 1;
        v_loop_SgoesOn = v_at_4 < ((stop0 - start0) - 1);
      }
      if (((stop0 - start0) - v_at_4) > 19) {
        row_is_null = true;
        return;
      }
      var v_limb0: i32 = 0;
      var v_limb1: i32 = 0;
      var v_limb2: i32 = 0;
      var v_limb3: i32 = 0;
      for (; v_at_4 < (stop0 - start0); ) {
        if (out_of_steps()) { return; }
        var v_group: i32 = 0;
        var v_scale: i32 = 1;
        for (; (v_at_4 < (stop0 - start0)) && (v_scale < 10000); v_at_4 = v_at_4 + 1) {
          if (out_of_steps()) { return; }
          let v_at_6: i32 = v_at_4;
          let v_digit_2: i32 = select(0, byte0(start0 + v_at_6), bitcast<u32>(v_at_6) < bitcast<u32>(stop0 - start0)) - 48;
          if ((v_digit_2 < 0) || (v_digit_2 > 9)) {
            row_is_null = true;
            return;
          }
          v_group = (v_group * 10) + v_digit_2;
          v_scale = v_scale * 10;
        }
        v_limb0 = (v_limb0 * v_scale) + v_group;
        v_limb1 = (v_limb1 * v_scale) + (v_limb0 >> 16u);
        v_limb2 = (v_limb2 * v_scale) + (v_limb1 >> 16u);
        v_limb3 = (v_limb3 * v_scale) + (v_limb2 >> 16u);
        v_limb0 = v_limb0 & 65535;
        v_limb1 = v_limb1 & 65535;
        v_limb2 = v_limb2 & 65535;
      }
      let v_low_2: i32 = v_limb0 | (v_limb1 << 16u);
      let v_high_2_2: i32 = v_limb2 | (v_limb3 << 16u);
      if (!v_isNegative) {
        if (v_limb3 > 32767) {
          row_is_null = true;
          return;
        }
        v_toInteger_2 = v_low_2;
        v_toInteger_3 = v_high_2_2;
        break;
      }
      if ((v_limb3 > 32768) || ((v_limb3 == 32768) && ((v_low_2 != 0) || (v_limb2 != 0)))) {
        row_is_null = true;
        return;
      }
      let v_low_3: i32 = -v_low_2;
      let v_high_3: i32 = (~v_high_2_2) + select(0, 1, v_low_2 == 0);
      v_toInteger_2 = v_low_3;
      v_toInteger_3 = v_high_3;
    }
  }
  result0 = v_toInteger_2;
  result1 = v_toInteger_3;
}

