// to_date, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_readIsoDate_2: i32 = 0;
  switch 0 {
    default: {
      let v_tens: i32 = select(0, byte0(start0), 0 < (stop0 - start0)) - 48;
      let v_ones: i32 = select(0, byte0(start0 + 1), 1 < (stop0 - start0)) - 48;
      let v_century: i32 = select((v_tens * 10) + v_ones, -1, (((v_tens < 0) || (v_tens > 9)) || (v_ones < 0)) || (v_ones > 9));
      let v_tens_2: i32 = select(0, byte0(start0 + 2), 2 < (stop0 - start0)) - 48;
      let v_ones_2: i32 = select(0, byte0(start0 + 3), 3 < (stop0 - start0)) - 48;
      let v_rest: i32 = select((v_tens_2 * 10) + v_ones_2, -1, (((v_tens_2 < 0) || (v_tens_2 > 9)) || (v_ones_2 < 0)) || (v_ones_2 > 9));
      let v_year: i32 = (v_century * 100) + v_rest;
      scratch[9] = 4;
      var v_year_2: i32 = v_year;
      if (((v_century < 0) || (v_rest < 0)) || (select(0, byte0(start0 + 4), 4 < (stop0 - start0)) != 45)) {
        var v_readLongYear_2: i32 = 0;
        switch 0 {
          default: {
            let v_sign: i32 = select(0, byte0(start0), 0 < (stop0 - start0));
            let v_start: i32 = select(0, 1, (v_sign == 43) || (v_sign == 45));
            let v_digit: i32 = select(0, byte0(start0 + v_start), v_start < (stop0 - start0)) - 48;
            var v_year_3: i32 = 0;
            var v_at: i32 = v_start;
            var v_digit_2: i32 = v_digit;
            for (; ((v_digit_2 >= 0) && (v_digit_2 <= 9)) && (v_at < (v_start + 8)); ) {
              if (out_of_steps()) { return; }
              v_year_3 = (v_year_3 * 10) + v_digit_2;
              v_at = v_at + 1;
              let v_at_2: i32 = v_at;
              v_digit_2 = select(0, byte0(start0 + v_at_2), bitcast<u32>(v_at_2) < bitcast<u32>(stop0 - start0)) - 48;
            }
            let v_least: i32 = select(select(6, 4, v_sign == 45), 5, v_start == 0);
            if ((v_at < (v_start + v_least)) || (v_at > (v_start + 7))) {
              v_readLongYear_2 = i32(-2147483647 - 1);
              break;
            }
            scratch[9] = v_at;
            v_readLongYear_2 = select(select(v_year_3, i32(-2147483647 - 1), (v_year_3 > 5881579) || ((v_start == 0) && (v_year_3 < 10000))), select(-v_year_3, i32(-2147483647 - 1), (v_year_3 == 0) || ((-v_year_3) < (-5877640))), v_sign == 45);
          }
        }
        v_year_2 = v_readLongYear_2;
      }
      let v_word: i32 = scratch[9];
      if (((v_year_2 == (i32(-2147483647 - 1))) || (select(0, byte0(start0 + v_word), bitcast<u32>(v_word) < bitcast<u32>(stop0 - start0)) != 45)) || (select(0, byte0(start0 + (v_word + 3)), bitcast<u32>(v_word + 3) < bitcast<u32>(stop0 - start0)) != 45)) {
        v_readIsoDate_2 = i32(-2147483647 - 1);
        break;
      }
      scratch[9] = v_word + 6;
      let v_tens_3: i32 = select(0, byte0(start0 + (v_word + 1)), bitcast<u32>(v_word + 1) < bitcast<u32>(stop0 - start0)) - 48;
      let v_ones_3: i32 = select(0, byte0(start0 + (v_word + 2)), bitcast<u32>(v_word + 2) < bitcast<u32>(stop0 - start0)) - 48;
      let v_tens_4: i32 = select(0, byte0(start0 + (v_word + 4)), bitcast<u32>(v_word + 4) < bitcast<u32>(stop0 - start0)) - 48;
      let v_ones_4: i32 = select(0, byte0(start0 + (v_word + 5)), bitcast<u32>(v_word + 5) < bitcast<u32>(stop0 - start0)) - 48;
      var v_daysOfCivil_2: i32 = 0;
      switch 0 {
        default: {
          let v_year_4: i32 = v_year_2;
          let v_month: i32 = select((v_tens_3 * 10) + v_ones_3, -1, (((v_tens_3 < 0) || (v_tens_3 > 9)) || (v_ones_3 < 0)) || (v_ones_3 > 9));
          let v_day: i32 = select((v_tens_4 * 10) + v_ones_4, -1, (((v_tens_4 < 0) || (v_tens_4 > 9)) || (v_ones_4 < 0)) || (v_ones_4 > 9));
          if (((v_month < 1) || (v_month > 12)) || (v_day < 1)) {
            v_daysOfCivil_2 = i32(-2147483647 - 1);
            break;
          }
          let v_isLeap: bool = (rest(v_year_4, 4) == 0) && ((rest(v_year_4, 100) != 0) || (rest(v_year_4, 400) == 0));
          let v_most: i32 = select(((v_month + (v_month >> 3u)) & 1) + 30, select(28, 29, v_isLeap), v_month == 2);
          if (v_day > v_most) {
            v_daysOfCivil_2 = i32(-2147483647 - 1);
            break;
          }
          let v_from: i32 = (v_year_4 + 5880000) - select(0, 1, v_month <= 2);
          let v_dayOfYear: i32 = ((((153 * rest(v_month + 9, 12)) + 2) / 5) + v_day) - 1;
          let v_leapDays: i32 = ((v_from / 4) - (v_from / 100)) + (v_from / 400);
          v_daysOfCivil_2 = (((365 * v_from) + v_leapDays) + v_dayOfYear) + 2146621928;
        }
      }
      v_readIsoDate_2 = v_daysOfCivil_2;
    }
  }
  let v_day_2: i32 = v_readIsoDate_2;
  var v_both: bool = v_day_2 == (i32(-2147483647 - 1));
  if (!v_both) {
    let v_word_2: i32 = scratch[9];
    v_both = (stop0 - start0) != v_word_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  result0 = v_day_2;
}

// to_date, UTF-8, nulls
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
  var v_readIsoDate_2: i32 = 0;
  switch 0 {
    default: {
      let v_tens: i32 = select(0, byte0(start0), 0 < (stop0 - start0)) - 48;
      let v_ones: i32 = select(0, byte0(start0 + 1), 1 < (stop0 - start0)) - 48;
      let v_century: i32 = select((v_tens * 10) + v_ones, -1, (((v_tens < 0) || (v_tens > 9)) || (v_ones < 0)) || (v_ones > 9));
      let v_tens_2: i32 = select(0, byte0(start0 + 2), 2 < (stop0 - start0)) - 48;
      let v_ones_2: i32 = select(0, byte0(start0 + 3), 3 < (stop0 - start0)) - 48;
      let v_rest: i32 = select((v_tens_2 * 10) + v_ones_2, -1, (((v_tens_2 < 0) || (v_tens_2 > 9)) || (v_ones_2 < 0)) || (v_ones_2 > 9));
      let v_year: i32 = (v_century * 100) + v_rest;
      scratch[9] = 4;
      var v_year_2: i32 = v_year;
      if (((v_century < 0) || (v_rest < 0)) || (select(0, byte0(start0 + 4), 4 < (stop0 - start0)) != 45)) {
        var v_readLongYear_2: i32 = 0;
        switch 0 {
          default: {
            let v_sign: i32 = select(0, byte0(start0), 0 < (stop0 - start0));
            let v_start: i32 = select(0, 1, (v_sign == 43) || (v_sign == 45));
            let v_digit: i32 = select(0, byte0(start0 + v_start), v_start < (stop0 - start0)) - 48;
            var v_year_3: i32 = 0;
            var v_at: i32 = v_start;
            var v_digit_2: i32 = v_digit;
            for (; ((v_digit_2 >= 0) && (v_digit_2 <= 9)) && (v_at < (v_start + 8)); ) {
              if (out_of_steps()) { return; }
              v_year_3 = (v_year_3 * 10) + v_digit_2;
              v_at = v_at + 1;
              let v_at_2: i32 = v_at;
              v_digit_2 = select(0, byte0(start0 + v_at_2), bitcast<u32>(v_at_2) < bitcast<u32>(stop0 - start0)) - 48;
            }
            let v_least: i32 = select(select(6, 4, v_sign == 45), 5, v_start == 0);
            if ((v_at < (v_start + v_least)) || (v_at > (v_start + 7))) {
              v_readLongYear_2 = i32(-2147483647 - 1);
              break;
            }
            scratch[9] = v_at;
            v_readLongYear_2 = select(select(v_year_3, i32(-2147483647 - 1), (v_year_3 > 5881579) || ((v_start == 0) && (v_year_3 < 10000))), select(-v_year_3, i32(-2147483647 - 1), (v_year_3 == 0) || ((-v_year_3) < (-5877640))), v_sign == 45);
          }
        }
        v_year_2 = v_readLongYear_2;
      }
      let v_word: i32 = scratch[9];
      if (((v_year_2 == (i32(-2147483647 - 1))) || (select(0, byte0(start0 + v_word), bitcast<u32>(v_word) < bitcast<u32>(stop0 - start0)) != 45)) || (select(0, byte0(start0 + (v_word + 3)), bitcast<u32>(v_word + 3) < bitcast<u32>(stop0 - start0)) != 45)) {
        v_readIsoDate_2 = i32(-2147483647 - 1);
        break;
      }
      scratch[9] = v_word + 6;
      let v_tens_3: i32 = select(0, byte0(start0 + (v_word + 1)), bitcast<u32>(v_word + 1) < bitcast<u32>(stop0 - start0)) - 48;
      let v_ones_3: i32 = select(0, byte0(start0 + (v_word + 2)), bitcast<u32>(v_word + 2) < bitcast<u32>(stop0 - start0)) - 48;
      let v_tens_4: i32 = select(0, byte0(start0 + (v_word + 4)), bitcast<u32>(v_word + 4) < bitcast<u32>(stop0 - start0)) - 48;
      let v_ones_4: i32 = select(0, byte0(start0 + (v_word + 5)), bitcast<u32>(v_word + 5) < bitcast<u32>(stop0 - start0)) - 48;
      var v_daysOfCivil_2: i32 = 0;
      switch 0 {
        default: {
          let v_year_4: i32 = v_year_2;
          let v_month: i32 = select((v_tens_3 * 10) + v_ones_3, -1, (((v_tens_3 < 0) || (v_tens_3 > 9)) || (v_ones_3 < 0)) || (v_ones_3 > 9));
          let v_day: i32 = select((v_tens_4 * 10) + v_ones_4, -1, (((v_tens_4 < 0) || (v_tens_4 > 9)) || (v_ones_4 < 0)) || (v_ones_4 > 9));
          if (((v_month < 1) || (v_month > 12)) || (v_day < 1)) {
            v_daysOfCivil_2 = i32(-2147483647 - 1);
            break;
          }
          let v_isLeap: bool = (rest(v_year_4, 4) == 0) && ((rest(v_year_4, 100) != 0) || (rest(v_year_4, 400) == 0));
          let v_most: i32 = select(((v_month + (v_month >> 3u)) & 1) + 30, select(28, 29, v_isLeap), v_month == 2);
          if (v_day > v_most) {
            v_daysOfCivil_2 = i32(-2147483647 - 1);
            break;
          }
          let v_from: i32 = (v_year_4 + 5880000) - select(0, 1, v_month <= 2);
          let v_dayOfYear: i32 = ((((153 * rest(v_month + 9, 12)) + 2) / 5) + v_day) - 1;
          let v_leapDays: i32 = ((v_from / 4) - (v_from / 100)) + (v_from / 400);
          v_daysOfCivil_2 = (((365 * v_from) + v_leapDays) + v_dayOfYear) + 2146621928;
        }
      }
      v_readIsoDate_2 = v_daysOfCivil_2;
    }
  }
  let v_day_2: i32 = v_readIsoDate_2;
  var v_both: bool = v_day_2 == (i32(-2147483647 - 1));
  if (!v_both) {
    let v_word_2: i32 = scratch[9];
    v_both = (stop0 - start0) != v_word_2;
  }
  if (v_both) {
    row_is_null = true;
    return;
  }
  result0 = v_day_2;
}

