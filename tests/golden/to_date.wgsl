// to_date, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  if ((stop0 - start0) != 10) {
    row_is_null = true;
    return;
  }
  let v_tens: i32 = select(0, byte0(start0), 0 < (stop0 - start0)) - 48;
  let v_ones: i32 = select(0, byte0(start0 + 1), 1 < (stop0 - start0)) - 48;
  let v_century: i32 = select((v_tens * 10) + v_ones, -1, (((v_tens < 0) || (v_tens > 9)) || (v_ones < 0)) || (v_ones > 9));
  let v_tens_2: i32 = select(0, byte0(start0 + 2), 2 < (stop0 - start0)) - 48;
  let v_ones_2: i32 = select(0, byte0(start0 + 3), 3 < (stop0 - start0)) - 48;
  let v_year: i32 = select((v_tens_2 * 10) + v_ones_2, -1, (((v_tens_2 < 0) || (v_tens_2 > 9)) || (v_ones_2 < 0)) || (v_ones_2 > 9));
  let v_tens_3: i32 = select(0, byte0(start0 + 5), 5 < (stop0 - start0)) - 48;
  let v_ones_3: i32 = select(0, byte0(start0 + 6), 6 < (stop0 - start0)) - 48;
  let v_month: i32 = select((v_tens_3 * 10) + v_ones_3, -1, (((v_tens_3 < 0) || (v_tens_3 > 9)) || (v_ones_3 < 0)) || (v_ones_3 > 9));
  let v_tens_4: i32 = select(0, byte0(start0 + 8), 8 < (stop0 - start0)) - 48;
  let v_ones_4: i32 = select(0, byte0(start0 + 9), 9 < (stop0 - start0)) - 48;
  let v_day: i32 = select((v_tens_4 * 10) + v_ones_4, -1, (((v_tens_4 < 0) || (v_tens_4 > 9)) || (v_ones_4 < 0)) || (v_ones_4 > 9));
  var v_chosen: i32 = 0;
  if ((((v_century < 0) || (v_year < 0)) || (select(0, byte0(start0 + 4), 4 < (stop0 - start0)) != 45)) || (select(0, byte0(start0 + 7), 7 < (stop0 - start0)) != 45)) {
    v_chosen = i32(-2147483647 - 1);
  } else {
    var v_daysOfCivil_2: i32 = 0;
    switch 0 {
      default: {
        let v_year_2: i32 = (v_century * 100) + v_year;
        if (((v_month < 1) || (v_month > 12)) || (v_day < 1)) {
          v_daysOfCivil_2 = i32(-2147483647 - 1);
          break;
        }
        let v_isLeap: bool = (rest(v_year_2, 4) == 0) && ((rest(v_year_2, 100) != 0) || (rest(v_year_2, 400) == 0));
        let v_most: i32 = select(((v_month + (v_month >> 3u)) & 1) + 30, select(28, 29, v_isLeap), v_month == 2);
        if (v_day > v_most) {
          v_daysOfCivil_2 = i32(-2147483647 - 1);
          break;
        }
        let v_from: i32 = (v_year_2 + 400) - select(0, 1, v_month <= 2);
        let v_dayOfYear: i32 = ((((153 * rest(v_month + 9, 12)) + 2) / 5) + v_day) - 1;
        let v_leapDays: i32 = ((v_from / 4) - (v_from / 100)) + (v_from / 400);
        v_daysOfCivil_2 = (((365 * v_from) + v_leapDays) + v_dayOfYear) - 865565;
      }
    }
    v_chosen = v_daysOfCivil_2;
  }
  let v_day_2: i32 = v_chosen;
  if (v_day_2 == (i32(-2147483647 - 1))) {
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
  if ((stop0 - start0) != 10) {
    row_is_null = true;
    return;
  }
  let v_tens: i32 = select(0, byte0(start0), 0 < (stop0 - start0)) - 48;
  let v_ones: i32 = select(0, byte0(start0 + 1), 1 < (stop0 - start0)) - 48;
  let v_century: i32 = select((v_tens * 10) + v_ones, -1, (((v_tens < 0) || (v_tens > 9)) || (v_ones < 0)) || (v_ones > 9));
  let v_tens_2: i32 = select(0, byte0(start0 + 2), 2 < (stop0 - start0)) - 48;
  let v_ones_2: i32 = select(0, byte0(start0 + 3), 3 < (stop0 - start0)) - 48;
  let v_year: i32 = select((v_tens_2 * 10) + v_ones_2, -1, (((v_tens_2 < 0) || (v_tens_2 > 9)) || (v_ones_2 < 0)) || (v_ones_2 > 9));
  let v_tens_3: i32 = select(0, byte0(start0 + 5), 5 < (stop0 - start0)) - 48;
  let v_ones_3: i32 = select(0, byte0(start0 + 6), 6 < (stop0 - start0)) - 48;
  let v_month: i32 = select((v_tens_3 * 10) + v_ones_3, -1, (((v_tens_3 < 0) || (v_tens_3 > 9)) || (v_ones_3 < 0)) || (v_ones_3 > 9));
  let v_tens_4: i32 = select(0, byte0(start0 + 8), 8 < (stop0 - start0)) - 48;
  let v_ones_4: i32 = select(0, byte0(start0 + 9), 9 < (stop0 - start0)) - 48;
  let v_day: i32 = select((v_tens_4 * 10) + v_ones_4, -1, (((v_tens_4 < 0) || (v_tens_4 > 9)) || (v_ones_4 < 0)) || (v_ones_4 > 9));
  var v_chosen: i32 = 0;
  if ((((v_century < 0) || (v_year < 0)) || (select(0, byte0(start0 + 4), 4 < (stop0 - start0)) != 45)) || (select(0, byte0(start0 + 7), 7 < (stop0 - start0)) != 45)) {
    v_chosen = i32(-2147483647 - 1);
  } else {
    var v_daysOfCivil_2: i32 = 0;
    switch 0 {
      default: {
        let v_year_2: i32 = (v_century * 100) + v_year;
        if (((v_month < 1) || (v_month > 12)) || (v_day < 1)) {
          v_daysOfCivil_2 = i32(-2147483647 - 1);
          break;
        }
        let v_isLeap: bool = (rest(v_year_2, 4) == 0) && ((rest(v_year_2, 100) != 0) || (rest(v_year_2, 400) == 0));
        let v_most: i32 = select(((v_month + (v_month >> 3u)) & 1) + 30, select(28, 29, v_isLeap), v_month == 2);
        if (v_day > v_most) {
          v_daysOfCivil_2 = i32(-2147483647 - 1);
          break;
        }
        let v_from: i32 = (v_year_2 + 400) - select(0, 1, v_month <= 2);
        let v_dayOfYear: i32 = ((((153 * rest(v_month + 9, 12)) + 2) / 5) + v_day) - 1;
        let v_leapDays: i32 = ((v_from / 4) - (v_from / 100)) + (v_from / 400);
        v_daysOfCivil_2 = (((365 * v_from) + v_leapDays) + v_dayOfYear) - 865565;
      }
    }
    v_chosen = v_daysOfCivil_2;
  }
  let v_day_2: i32 = v_chosen;
  if (v_day_2 == (i32(-2147483647 - 1))) {
    row_is_null = true;
    return;
  }
  result0 = v_day_2;
}

