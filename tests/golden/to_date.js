// to_date, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    $body: {
      if (($stop0 - $start0 | 0) !== 10) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const tens = (0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0) - 48 | 0;
      const ones = (1 < ($stop0 - $start0 | 0) ? $data0[$start0 + 1 | 0] : 0) - 48 | 0;
      const century = tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : Math.imul(tens, 10) + ones | 0;
      const tens_2 = (2 < ($stop0 - $start0 | 0) ? $data0[$start0 + 2 | 0] : 0) - 48 | 0;
      const ones_2 = (3 < ($stop0 - $start0 | 0) ? $data0[$start0 + 3 | 0] : 0) - 48 | 0;
      const year = tens_2 < 0 || tens_2 > 9 || ones_2 < 0 || ones_2 > 9 ? -1 : Math.imul(tens_2, 10) + ones_2 | 0;
      const tens_3 = (5 < ($stop0 - $start0 | 0) ? $data0[$start0 + 5 | 0] : 0) - 48 | 0;
      const ones_3 = (6 < ($stop0 - $start0 | 0) ? $data0[$start0 + 6 | 0] : 0) - 48 | 0;
      const month = tens_3 < 0 || tens_3 > 9 || ones_3 < 0 || ones_3 > 9 ? -1 : Math.imul(tens_3, 10) + ones_3 | 0;
      const tens_4 = (8 < ($stop0 - $start0 | 0) ? $data0[$start0 + 8 | 0] : 0) - 48 | 0;
      const ones_4 = (9 < ($stop0 - $start0 | 0) ? $data0[$start0 + 9 | 0] : 0) - 48 | 0;
      const day = tens_4 < 0 || tens_4 > 9 || ones_4 < 0 || ones_4 > 9 ? -1 : Math.imul(tens_4, 10) + ones_4 | 0;
      let chosen = 0;
      if (century < 0 || year < 0 || (4 < ($stop0 - $start0 | 0) ? $data0[$start0 + 4 | 0] : 0) !== 45 || (7 < ($stop0 - $start0 | 0) ? $data0[$start0 + 7 | 0] : 0) !== 45) {
        chosen = -2147483648;
      } else {
        let daysOfCivil_2 = 0;
        $daysOfCivil: {
          const year_2 = Math.imul(century, 100) + year | 0;
          if (month < 1 || month > 12 || day < 1) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const isLeap = (year_2 % 4 | 0) === 0 && ((year_2 % 100 | 0) !== 0 || (year_2 % 400 | 0) === 0);
          const most = month === 2 ? (isLeap ? 29 : 28) : ((month + (month >> 3) | 0) & 1) + 30 | 0;
          if (day > most) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const from = (year_2 + 400 | 0) - ((month <= 2) | 0) | 0;
          const dayOfYear = (((Math.imul(153, (month + 9 | 0) % 12 | 0) + 2 | 0) / 5 | 0) + day | 0) - 1 | 0;
          const leapDays = ((from / 4 | 0) - (from / 100 | 0) | 0) + (from / 400 | 0) | 0;
          daysOfCivil_2 = ((Math.imul(365, from) + leapDays | 0) + dayOfYear | 0) - 865565 | 0;
        }
        chosen = daysOfCivil_2;
      }
      const day_2 = chosen;
      if (day_2 === -2147483648) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[$row] = day_2;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// to_date, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      if (($stop0 - $start0 | 0) !== 10) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const tens = (0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0) - 48 | 0;
      const ones = (1 < ($stop0 - $start0 | 0) ? $data0[$start0 + 1 | 0] : 0) - 48 | 0;
      const century = tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : Math.imul(tens, 10) + ones | 0;
      const tens_2 = (2 < ($stop0 - $start0 | 0) ? $data0[$start0 + 2 | 0] : 0) - 48 | 0;
      const ones_2 = (3 < ($stop0 - $start0 | 0) ? $data0[$start0 + 3 | 0] : 0) - 48 | 0;
      const year = tens_2 < 0 || tens_2 > 9 || ones_2 < 0 || ones_2 > 9 ? -1 : Math.imul(tens_2, 10) + ones_2 | 0;
      const tens_3 = (5 < ($stop0 - $start0 | 0) ? $data0[$start0 + 5 | 0] : 0) - 48 | 0;
      const ones_3 = (6 < ($stop0 - $start0 | 0) ? $data0[$start0 + 6 | 0] : 0) - 48 | 0;
      const month = tens_3 < 0 || tens_3 > 9 || ones_3 < 0 || ones_3 > 9 ? -1 : Math.imul(tens_3, 10) + ones_3 | 0;
      const tens_4 = (8 < ($stop0 - $start0 | 0) ? $data0[$start0 + 8 | 0] : 0) - 48 | 0;
      const ones_4 = (9 < ($stop0 - $start0 | 0) ? $data0[$start0 + 9 | 0] : 0) - 48 | 0;
      const day = tens_4 < 0 || tens_4 > 9 || ones_4 < 0 || ones_4 > 9 ? -1 : Math.imul(tens_4, 10) + ones_4 | 0;
      let chosen = 0;
      if (century < 0 || year < 0 || (4 < ($stop0 - $start0 | 0) ? $data0[$start0 + 4 | 0] : 0) !== 45 || (7 < ($stop0 - $start0 | 0) ? $data0[$start0 + 7 | 0] : 0) !== 45) {
        chosen = -2147483648;
      } else {
        let daysOfCivil_2 = 0;
        $daysOfCivil: {
          const year_2 = Math.imul(century, 100) + year | 0;
          if (month < 1 || month > 12 || day < 1) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const isLeap = (year_2 % 4 | 0) === 0 && ((year_2 % 100 | 0) !== 0 || (year_2 % 400 | 0) === 0);
          const most = month === 2 ? (isLeap ? 29 : 28) : ((month + (month >> 3) | 0) & 1) + 30 | 0;
          if (day > most) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const from = (year_2 + 400 | 0) - ((month <= 2) | 0) | 0;
          const dayOfYear = (((Math.imul(153, (month + 9 | 0) % 12 | 0) + 2 | 0) / 5 | 0) + day | 0) - 1 | 0;
          const leapDays = ((from / 4 | 0) - (from / 100 | 0) | 0) + (from / 400 | 0) | 0;
          daysOfCivil_2 = ((Math.imul(365, from) + leapDays | 0) + dayOfYear | 0) - 865565 | 0;
        }
        chosen = daysOfCivil_2;
      }
      const day_2 = chosen;
      if (day_2 === -2147483648) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[$row] = day_2;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

