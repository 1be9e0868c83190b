// to_date, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  const $scratch = new Int32Array(14);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    $body: {
      let readIsoDate_2 = 0;
      $readIsoDate: {
        const tens = (0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0) - 48 | 0;
        const ones = (1 < ($stop0 - $start0 | 0) ? $data0[$start0 + 1 | 0] : 0) - 48 | 0;
        const century = tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : Math.imul(tens, 10) + ones | 0;
        const tens_2 = (2 < ($stop0 - $start0 | 0) ? $data0[$start0 + 2 | 0] : 0) - 48 | 0;
        const ones_2 = (3 < ($stop0 - $start0 | 0) ? $data0[$start0 + 3 | 0] : 0) - 48 | 0;
        const rest = tens_2 < 0 || tens_2 > 9 || ones_2 < 0 || ones_2 > 9 ? -1 : Math.imul(tens_2, 10) + ones_2 | 0;
        const year = Math.imul(century, 100) + rest | 0;
        $scratch[9] = 4;
        let year_2 = year;
        if (century < 0 || rest < 0 || (4 < ($stop0 - $start0 | 0) ? $data0[$start0 + 4 | 0] : 0) !== 45) {
          let readLongYear_2 = 0;
          $readLongYear: {
            const sign = 0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0;
            const start = (sign === 43 || sign === 45) | 0;
            const digit = (start < ($stop0 - $start0 | 0) ? $data0[$start0 + start | 0] : 0) - 48 | 0;
            let year_3 = 0;
            let at = start;
            let digit_2 = digit;
            $loop: for (; digit_2 >= 0 && digit_2 <= 9 && at < (start + 8 | 0); ) {
              year_3 = Math.imul(year_3, 10) + digit_2 | 0;
              at = at + 1 | 0;
              const at_2 = at;
              digit_2 = (at_2 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_2 | 0] : 0) - 48 | 0;
            }
            const least = start === 0 ? 5 : sign === 45 ? 4 : 6;
            if (at < (start + least | 0) || at > (start + 7 | 0)) {
              readLongYear_2 = -2147483648;
              break $readLongYear;
            }
            $scratch[9] = at;
            readLongYear_2 = sign === 45 ? (year_3 === 0 || (0 - year_3 | 0) < -5877640 ? -2147483648 : 0 - year_3 | 0) : year_3 > 5881579 || start === 0 && year_3 < 10000 ? -2147483648 : year_3;
          }
          year_2 = readLongYear_2;
        }
        const word = $scratch[9];
        if (year_2 === -2147483648 || (word >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + word | 0] : 0) !== 45 || ((word + 3 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 3 | 0) | 0] : 0) !== 45) {
          readIsoDate_2 = -2147483648;
          break $readIsoDate;
        }
        $scratch[9] = word + 6 | 0;
        const tens_3 = ((word + 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 1 | 0) | 0] : 0) - 48 | 0;
        const ones_3 = ((word + 2 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 2 | 0) | 0] : 0) - 48 | 0;
        const tens_4 = ((word + 4 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 4 | 0) | 0] : 0) - 48 | 0;
        const ones_4 = ((word + 5 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 5 | 0) | 0] : 0) - 48 | 0;
        let daysOfCivil_2 = 0;
        $daysOfCivil: {
          const year_4 = year_2;
          const month = tens_3 < 0 || tens_3 > 9 || ones_3 < 0 || ones_3 > 9 ? -1 : Math.imul(tens_3, 10) + ones_3 | 0;
          const day = tens_4 < 0 || tens_4 > 9 || ones_4 < 0 || ones_4 > 9 ? -1 : Math.imul(tens_4, 10) + ones_4 | 0;
          if (month < 1 || month > 12 || day < 1) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const isLeap = (year_4 % 4 | 0) === 0 && ((year_4 % 100 | 0) !== 0 || (year_4 % 400 | 0) === 0);
          const most = month === 2 ? (isLeap ? 29 : 28) : ((month + (month >> 3) | 0) & 1) + 30 | 0;
          if (day > most) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const from = (year_4 + 5880000 | 0) - ((month <= 2) | 0) | 0;
          const dayOfYear = (((Math.imul(153, (month + 9 | 0) % 12 | 0) + 2 | 0) / 5 | 0) + day | 0) - 1 | 0;
          const leapDays = ((from / 4 | 0) - (from / 100 | 0) | 0) + (from / 400 | 0) | 0;
          daysOfCivil_2 = ((Math.imul(365, from) + leapDays | 0) + dayOfYear | 0) + 2146621928 | 0;
        }
        readIsoDate_2 = daysOfCivil_2;
      }
      const day_2 = readIsoDate_2;
      let both = day_2 === -2147483648;
      if (!both) {
        const word_2 = $scratch[9];
        both = ($stop0 - $start0 | 0) !== word_2;
      }
      if (both) {
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
  const $scratch = new Int32Array(14);
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
      let readIsoDate_2 = 0;
      $readIsoDate: {
        const tens = (0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0) - 48 | 0;
        const ones = (1 < ($stop0 - $start0 | 0) ? $data0[$start0 + 1 | 0] : 0) - 48 | 0;
        const century = tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : Math.imul(tens, 10) + ones | 0;
        const tens_2 = (2 < ($stop0 - $start0 | 0) ? $data0[$start0 + 2 | 0] : 0) - 48 | 0;
        const ones_2 = (3 < ($stop0 - $start0 | 0) ? $data0[$start0 + 3 | 0] : 0) - 48 | 0;
        const rest = tens_2 < 0 || tens_2 > 9 || ones_2 < 0 || ones_2 > 9 ? -1 : Math.imul(tens_2, 10) + ones_2 | 0;
        const year = Math.imul(century, 100) + rest | 0;
        $scratch[9] = 4;
        let year_2 = year;
        if (century < 0 || rest < 0 || (4 < ($stop0 - $start0 | 0) ? $data0[$start0 + 4 | 0] : 0) !== 45) {
          let readLongYear_2 = 0;
          $readLongYear: {
            const sign = 0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0;
            const start = (sign === 43 || sign === 45) | 0;
            const digit = (start < ($stop0 - $start0 | 0) ? $data0[$start0 + start | 0] : 0) - 48 | 0;
            let year_3 = 0;
            let at = start;
            let digit_2 = digit;
            $loop: for (; digit_2 >= 0 && digit_2 <= 9 && at < (start + 8 | 0); ) {
              year_3 = Math.imul(year_3, 10) + digit_2 | 0;
              at = at + 1 | 0;
              const at_2 = at;
              digit_2 = (at_2 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_2 | 0] : 0) - 48 | 0;
            }
            const least = start === 0 ? 5 : sign === 45 ? 4 : 6;
            if (at < (start + least | 0) || at > (start + 7 | 0)) {
              readLongYear_2 = -2147483648;
              break $readLongYear;
            }
            $scratch[9] = at;
            readLongYear_2 = sign === 45 ? (year_3 === 0 || (0 - year_3 | 0) < -5877640 ? -2147483648 : 0 - year_3 | 0) : year_3 > 5881579 || start === 0 && year_3 < 10000 ? -2147483648 : year_3;
          }
          year_2 = readLongYear_2;
        }
        const word = $scratch[9];
        if (year_2 === -2147483648 || (word >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + word | 0] : 0) !== 45 || ((word + 3 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 3 | 0) | 0] : 0) !== 45) {
          readIsoDate_2 = -2147483648;
          break $readIsoDate;
        }
        $scratch[9] = word + 6 | 0;
        const tens_3 = ((word + 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 1 | 0) | 0] : 0) - 48 | 0;
        const ones_3 = ((word + 2 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 2 | 0) | 0] : 0) - 48 | 0;
        const tens_4 = ((word + 4 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 4 | 0) | 0] : 0) - 48 | 0;
        const ones_4 = ((word + 5 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + (word + 5 | 0) | 0] : 0) - 48 | 0;
        let daysOfCivil_2 = 0;
        $daysOfCivil: {
          const year_4 = year_2;
          const month = tens_3 < 0 || tens_3 > 9 || ones_3 < 0 || ones_3 > 9 ? -1 : Math.imul(tens_3, 10) + ones_3 | 0;
          const day = tens_4 < 0 || tens_4 > 9 || ones_4 < 0 || ones_4 > 9 ? -1 : Math.imul(tens_4, 10) + ones_4 | 0;
          if (month < 1 || month > 12 || day < 1) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const isLeap = (year_4 % 4 | 0) === 0 && ((year_4 % 100 | 0) !== 0 || (year_4 % 400 | 0) === 0);
          const most = month === 2 ? (isLeap ? 29 : 28) : ((month + (month >> 3) | 0) & 1) + 30 | 0;
          if (day > most) {
            daysOfCivil_2 = -2147483648;
            break $daysOfCivil;
          }
          const from = (year_4 + 5880000 | 0) - ((month <= 2) | 0) | 0;
          const dayOfYear = (((Math.imul(153, (month + 9 | 0) % 12 | 0) + 2 | 0) / 5 | 0) + day | 0) - 1 | 0;
          const leapDays = ((from / 4 | 0) - (from / 100 | 0) | 0) + (from / 400 | 0) | 0;
          daysOfCivil_2 = ((Math.imul(365, from) + leapDays | 0) + dayOfYear | 0) + 2146621928 | 0;
        }
        readIsoDate_2 = daysOfCivil_2;
      }
      const day_2 = readIsoDate_2;
      let both = day_2 === -2147483648;
      if (!both) {
        const word_2 = $scratch[9];
        both = ($stop0 - $start0 | 0) !== word_2;
      }
      if (both) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[$row] = day_2;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

