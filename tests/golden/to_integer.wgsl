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
      var v_at_2: i32 = v_at;
      for (; v_at_2 < ((stop0 - start0) - 1); ) {
        if (out_of_steps()) { return; }
        let v_at_3: i32 = v_at_2;
        if (select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0)) != 48) {
          break;
        }
        v_at_2 = v_at_2 + 1;
      }
      if (((stop0 - start0) - v_at_2) > 19) {
        row_is_null = true;
        return;
      }
      if (((stop0 - start0) - v_at_2) <= 9) {
        var v_value: i32 = 0;
        for (; v_at_2 < (stop0 - start0); v_at_2 = v_at_2 + 1) {
          if (out_of_steps()) { return; }
          let v_at_4: i32 = v_at_2;
          let v_digit: i32 = select(0, byte0(start0 + v_at_4), bitcast<u32>(v_at_4) < bitcast<u32>(stop0 - start0)) - 48;
          if ((v_digit < 0) || (v_digit > 9)) {
            row_is_null = true;
            return;
          }
          v_value = (v_value * 10) + v_digit;
        }
        if (v_isNegative) {
          v_value = -v_value;
        }
        let v_low: i32 = v_value;
        let v_high: i32 = v_value >> 31u;
        v_toInteger_2 = v_low;
        v_toInteger_3 = v_high;
        break;
      }
      var v_limb0: i32 = 0;
      var v_limb1: i32 = 0;
      var v_limb2: i32 = 0;
      var v_limb3: i32 = 0;
      for (; v_at_2 < (stop0 - start0); ) {
        if (out_of_steps()) { return; }
        var v_group: i32 = 0;
        var v_scale: i32 = 1;
        for (; (v_at_2 < (stop0 - start0)) && (v_scale < 10000); v_at_2 = v_at_2 + 1) {
          if (out_of_steps()) { return; }
          let v_at_5: i32 = v_at_2;
          let v_digit_2: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0)) - 48;
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
      let v_high_2: i32 = v_limb2 | (v_limb3 << 16u);
      if (!v_isNegative) {
        if (v_limb3 > 32767) {
          row_is_null = true;
          return;
        }
        v_toInteger_2 = v_low_2;
        v_toInteger_3 = v_high_2;
        break;
      }
      if ((v_limb3 > 32768) || ((v_limb3 == 32768) && ((v_low_2 != 0) || (v_limb2 != 0)))) {
        row_is_null = true;
        return;
      }
      let v_low_3: i32 = -v_low_2;
      let v_high_3: i32 = (~v_high_2) + select(0, 1, v_low_2 == 0);
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
      var v_at_2: i32 = v_at;
      for (; v_at_2 < ((stop0 - start0) - 1); ) {
        if (out_of_steps()) { return; }
        let v_at_3: i32 = v_at_2;
        if (select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0)) != 48) {
          break;
        }
        v_at_2 = v_at_2 + 1;
      }
      if (((stop0 - start0) - v_at_2) > 19) {
        row_is_null = true;
        return;
      }
      if (((stop0 - start0) - v_at_2) <= 9) {
        var v_value: i32 = 0;
        for (; v_at_2 < (stop0 - start0); v_at_2 = v_at_2 + 1) {
          if (out_of_steps()) { return; }
          let v_at_4: i32 = v_at_2;
          let v_digit: i32 = select(0, byte0(start0 + v_at_4), bitcast<u32>(v_at_4) < bitcast<u32>(stop0 - start0)) - 48;
          if ((v_digit < 0) || (v_digit > 9)) {
            row_is_null = true;
            return;
          }
          v_value = (v_value * 10) + v_digit;
        }
        if (v_isNegative) {
          v_value = -v_value;
        }
        let v_low: i32 = v_value;
        let v_high: i32 = v_value >> 31u;
        v_toInteger_2 = v_low;
        v_toInteger_3 = v_high;
        break;
      }
      var v_limb0: i32 = 0;
      var v_limb1: i32 = 0;
      var v_limb2: i32 = 0;
      var v_limb3: i32 = 0;
      for (; v_at_2 < (stop0 - start0); ) {
        if (out_of_steps()) { return; }
        var v_group: i32 = 0;
        var v_scale: i32 = 1;
        for (; (v_at_2 < (stop0 - start0)) && (v_scale < 10000); v_at_2 = v_at_2 + 1) {
          if (out_of_steps()) { return; }
          let v_at_5: i32 = v_at_2;
          let v_digit_2: i32 = select(0, byte0(start0 + v_at_5), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0)) - 48;
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
      let v_high_2: i32 = v_limb2 | (v_limb3 << 16u);
      if (!v_isNegative) {
        if (v_limb3 > 32767) {
          row_is_null = true;
          return;
        }
        v_toInteger_2 = v_low_2;
        v_toInteger_3 = v_high_2;
        break;
      }
      if ((v_limb3 > 32768) || ((v_limb3 == 32768) && ((v_low_2 != 0) || (v_limb2 != 0)))) {
        row_is_null = true;
        return;
      }
      let v_low_3: i32 = -v_low_2;
      let v_high_3: i32 = (~v_high_2) + select(0, 1, v_low_2 == 0);
      v_toInteger_2 = v_low_3;
      v_toInteger_3 = v_high_3;
    }
  }
  result0 = v_toInteger_2;
  result1 = v_toInteger_3;
}

