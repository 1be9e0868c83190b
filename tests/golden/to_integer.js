// to_integer, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    $body: {
      let toInteger_2 = 0;
      let toInteger_3 = 0;
      $toInteger: {
        const sign = 0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0;
        const isNegative = sign === 45;
        const at = (isNegative || sign === 43) | 0;
        if (at === ($stop0 - $start0 | 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        let at_2 = at;
        $loop: for (; at_2 < (($stop0 - $start0 | 0) - 1 | 0); ) {
          const at_3 = at_2;
          if ((at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0) !== 48) {
            break $loop;
          }
          at_2 = at_2 + 1 | 0;
        }
        if ((($stop0 - $start0 | 0) - at_2 | 0) > 19) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        if ((($stop0 - $start0 | 0) - at_2 | 0) <= 9) {
          let value = 0;
          $loop_2: for (; at_2 < ($stop0 - $start0 | 0); at_2 = at_2 + 1 | 0) {
            const at_4 = at_2;
            const digit = (at_4 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_4 | 0] : 0) - 48 | 0;
            if (digit < 0 || digit > 9) {
              $nulls++;
              $validity[$row >> 3] &= ~(1 << ($row & 7));
              break $body;
            }
            value = Math.imul(value, 10) + digit | 0;
          }
          if (isNegative) {
            value = 0 - value | 0;
          }
          const low = value;
          const high = value >> 31;
          toInteger_2 = low;
          toInteger_3 = high;
          break $toInteger;
        }
        let limb0 = 0;
        let limb1 = 0;
        let limb2 = 0;
        let limb3 = 0;
        $loop_3: for (; at_2 < ($stop0 - $start0 | 0); ) {
          let group = 0;
          let scale = 1;
          $loop_4: for (; at_2 < ($stop0 - $start0 | 0) && scale < 10000; at_2 = at_2 + 1 | 0) {
            const at_5 = at_2;
            const digit_2 = (at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0) - 48 | 0;
            if (digit_2 < 0 || digit_2 > 9) {
              $nulls++;
              $validity[$row >> 3] &= ~(1 << ($row & 7));
              break $body;
            }
            group = Math.imul(group, 10) + digit_2 | 0;
            scale = Math.imul(scale, 10);
          }
          limb0 = Math.imul(limb0, scale) + group | 0;
          limb1 = Math.imul(limb1, scale) + (limb0 >> 16) | 0;
          limb2 = Math.imul(limb2, scale) + (limb1 >> 16) | 0;
          limb3 = Math.imul(limb3, scale) + (limb2 >> 16) | 0;
          limb0 = limb0 & 65535;
          limb1 = limb1 & 65535;
          limb2 = limb2 & 65535;
        }
        const low_2 = limb0 | limb1 << 16;
        const high_2 = limb2 | limb3 << 16;
        if (!isNegative) {
          if (limb3 > 32767) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          toInteger_2 = low_2;
          toInteger_3 = high_2;
          break $toInteger;
        }
        if (limb3 > 32768 || limb3 === 32768 && (low_2 !== 0 || limb2 !== 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        const low_3 = 0 - low_2 | 0;
        const high_3 = ~high_2 + ((low_2 === 0) | 0) | 0;
        toInteger_2 = low_3;
        toInteger_3 = high_3;
      }
      $result[2 * $row] = toInteger_2;
      $result[2 * $row + 1] = toInteger_3;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// to_integer, UTF-8, nulls
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
      let toInteger_2 = 0;
      let toInteger_3 = 0;
      $toInteger: {
        const sign = 0 < ($stop0 - $start0 | 0) ? $data0[$start0] : 0;
        const isNegative = sign === 45;
        const at = (isNegative || sign === 43) | 0;
        if (at === ($stop0 - $start0 | 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        let at_2 = at;
        $loop: for (; at_2 < (($stop0 - $start0 | 0) - 1 | 0); ) {
          const at_3 = at_2;
          if ((at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0) !== 48) {
            break $loop;
          }
          at_2 = at_2 + 1 | 0;
        }
        if ((($stop0 - $start0 | 0) - at_2 | 0) > 19) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        if ((($stop0 - $start0 | 0) - at_2 | 0) <= 9) {
          let value = 0;
          $loop_2: for (; at_2 < ($stop0 - $start0 | 0); at_2 = at_2 + 1 | 0) {
            const at_4 = at_2;
            const digit = (at_4 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_4 | 0] : 0) - 48 | 0;
            if (digit < 0 || digit > 9) {
              $nulls++;
              $validity[$row >> 3] &= ~(1 << ($row & 7));
              break $body;
            }
            value = Math.imul(value, 10) + digit | 0;
          }
          if (isNegative) {
            value = 0 - value | 0;
          }
          const low = value;
          const high = value >> 31;
          toInteger_2 = low;
          toInteger_3 = high;
          break $toInteger;
        }
        let limb0 = 0;
        let limb1 = 0;
        let limb2 = 0;
        let limb3 = 0;
        $loop_3: for (; at_2 < ($stop0 - $start0 | 0); ) {
          let group = 0;
          let scale = 1;
          $loop_4: for (; at_2 < ($stop0 - $start0 | 0) && scale < 10000; at_2 = at_2 + 1 | 0) {
            const at_5 = at_2;
            const digit_2 = (at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0) - 48 | 0;
            if (digit_2 < 0 || digit_2 > 9) {
              $nulls++;
              $validity[$row >> 3] &= ~(1 << ($row & 7));
              break $body;
            }
            group = Math.imul(group, 10) + digit_2 | 0;
            scale = Math.imul(scale, 10);
          }
          limb0 = Math.imul(limb0, scale) + group | 0;
          limb1 = Math.imul(limb1, scale) + (limb0 >> 16) | 0;
          limb2 = Math.imul(limb2, scale) + (limb1 >> 16) | 0;
          limb3 = Math.imul(limb3, scale) + (limb2 >> 16) | 0;
          limb0 = limb0 & 65535;
          limb1 = limb1 & 65535;
          limb2 = limb2 & 65535;
        }
        const low_2 = limb0 | limb1 << 16;
        const high_2 = limb2 | limb3 << 16;
        if (!isNegative) {
          if (limb3 > 32767) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          toInteger_2 = low_2;
          toInteger_3 = high_2;
          break $toInteger;
        }
        if (limb3 > 32768 || limb3 === 32768 && (low_2 !== 0 || limb2 !== 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        const low_3 = 0 - low_2 | 0;
        const high_3 = ~high_2 + ((low_2 === 0) | 0) | 0;
        toInteger_2 = low_3;
        toInteger_3 = high_3;
      }
      $result[2 * $row] = toInteger_2;
      $result[2 * $row + 1] = toInteger_3;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

