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
        if ((($stop0 - $start0 | 0) - at | 0) <= 9) {
          const digit = (at < ($stop0 - $start0 | 0) ? $data0[$start0 + at | 0] : 0) - 48 | 0;
          const top = (($stop0 - $start0 | 0) - at | 0) === 9 ? digit : 0;
          const end = ($stop0 - $start0 | 0) - 4 | 0;
          const count = end - (($stop0 - $start0 | 0) < at ? $stop0 - $start0 | 0 : at < 0 ? 0 : at) | 0;
          const mask = count < 4 ? (count < 1 ? 0 : -1 << (32 - (count << 3) | 0)) : -1;
          const at_2 = $start0 + (end - 4 | 0) | 0;
          const high = (((($data0[at_2] | $data0[at_2 + 1 | 0] << 8) | $data0[at_2 + 2 | 0] << 16) | $data0[at_2 + 3 | 0] << 24) & mask) | (808464432 & ~mask);
          const count_2 = ($stop0 - $start0 | 0) - (($stop0 - $start0 | 0) < at ? $stop0 - $start0 | 0 : at < 0 ? 0 : at) | 0;
          const mask_2 = count_2 < 4 ? (count_2 < 1 ? 0 : -1 << (32 - (count_2 << 3) | 0)) : -1;
          const at_3 = $start0 + (($stop0 - $start0 | 0) - 4 | 0) | 0;
          const low = (((($data0[at_3] | $data0[at_3 + 1 | 0] << 8) | $data0[at_3 + 2 | 0] << 16) | $data0[at_3 + 3 | 0] << 24) & mask_2) | (808464432 & ~mask_2);
          if (top < 0 || top > 9 || ((high & -252645136) | (((high + 101058054 | 0) & -252645136) >>> 4 | 0)) !== 858993459 || ((low & -252645136) | (((low + 101058054 | 0) & -252645136) >>> 4 | 0)) !== 858993459) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          const digits = high & 252645135;
          const pairs = (Math.imul(digits, 10) + (digits >>> 8 | 0) | 0) & 16711935;
          const head = Math.imul(top, 10000) + ((Math.imul(pairs, 100) + (pairs >>> 16 | 0) | 0) & 65535) | 0;
          const digits_2 = low & 252645135;
          const pairs_2 = (Math.imul(digits_2, 10) + (digits_2 >>> 8 | 0) | 0) & 16711935;
          const size = Math.imul(head, 10000) + ((Math.imul(pairs_2, 100) + (pairs_2 >>> 16 | 0) | 0) & 65535) | 0;
          const value = isNegative ? 0 - size | 0 : size;
          const high_2 = value >> 31;
          toInteger_2 = value;
          toInteger_3 = high_2;
          break $toInteger;
        }
        let at_4 = at;
        $loop: for (; at_4 < (($stop0 - $start0 | 0) - 1 | 0); ) {
          const at_5 = at_4;
          if ((at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0) !== 48) {
            break $loop;
          }
          at_4 = at_4 + 1 | 0;
        }
        if ((($stop0 - $start0 | 0) - at_4 | 0) > 19) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        let limb0 = 0;
        let limb1 = 0;
        let limb2 = 0;
        let limb3 = 0;
        $loop_2: for (; at_4 < ($stop0 - $start0 | 0); ) {
          let group = 0;
          let scale = 1;
          $loop_3: for (; at_4 < ($stop0 - $start0 | 0) && scale < 10000; at_4 = at_4 + 1 | 0) {
            const at_6 = at_4;
            const digit_2 = (at_6 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_6 | 0] : 0) - 48 | 0;
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
        const high_2_2 = limb2 | limb3 << 16;
        if (!isNegative) {
          if (limb3 > 32767) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          toInteger_2 = low_2;
          toInteger_3 = high_2_2;
          break $toInteger;
        }
        if (limb3 > 32768 || limb3 === 32768 && (low_2 !== 0 || limb2 !== 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        const low_3 = 0 - low_2 | 0;
        const high_3 = ~high_2_2 + ((low_2 === 0) | 0) | 0;
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
        if ((($stop0 - $start0 | 0) - at | 0) <= 9) {
          const digit = (at < ($stop0 - $start0 | 0) ? $data0[$start0 + at | 0] : 0) - 48 | 0;
          const top = (($stop0 - $start0 | 0) - at | 0) === 9 ? digit : 0;
          const end = ($stop0 - $start0 | 0) - 4 | 0;
          const count = end - (($stop0 - $start0 | 0) < at ? $stop0 - $start0 | 0 : at < 0 ? 0 : at) | 0;
          const mask = count < 4 ? (count < 1 ? 0 : -1 << (32 - (count << 3) | 0)) : -1;
          const at_2 = $start0 + (end - 4 | 0) | 0;
          const high = (((($data0[at_2] | $data0[at_2 + 1 | 0] << 8) | $data0[at_2 + 2 | 0] << 16) | $data0[at_2 + 3 | 0] << 24) & mask) | (808464432 & ~mask);
          const count_2 = ($stop0 - $start0 | 0) - (($stop0 - $start0 | 0) < at ? $stop0 - $start0 | 0 : at < 0 ? 0 : at) | 0;
          const mask_2 = count_2 < 4 ? (count_2 < 1 ? 0 : -1 << (32 - (count_2 << 3) | 0)) : -1;
          const at_3 = $start0 + (($stop0 - $start0 | 0) - 4 | 0) | 0;
          const low = (((($data0[at_3] | $data0[at_3 + 1 | 0] << 8) | $data0[at_3 + 2 | 0] << 16) | $data0[at_3 + 3 | 0] << 24) & mask_2) | (808464432 & ~mask_2);
          if (top < 0 || top > 9 || ((high & -252645136) | (((high + 101058054 | 0) & -252645136) >>> 4 | 0)) !== 858993459 || ((low & -252645136) | (((low + 101058054 | 0) & -252645136) >>> 4 | 0)) !== 858993459) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          const digits = high & 252645135;
          const pairs = (Math.imul(digits, 10) + (digits >>> 8 | 0) | 0) & 16711935;
          const head = Math.imul(top, 10000) + ((Math.imul(pairs, 100) + (pairs >>> 16 | 0) | 0) & 65535) | 0;
          const digits_2 = low & 252645135;
          const pairs_2 = (Math.imul(digits_2, 10) + (digits_2 >>> 8 | 0) | 0) & 16711935;
          const size = Math.imul(head, 10000) + ((Math.imul(pairs_2, 100) + (pairs_2 >>> 16 | 0) | 0) & 65535) | 0;
          const value = isNegative ? 0 - size | 0 : size;
          const high_2 = value >> 31;
          toInteger_2 = value;
          toInteger_3 = high_2;
          break $toInteger;
        }
        let at_4 = at;
        $loop: for (; at_4 < (($stop0 - $start0 | 0) - 1 | 0); ) {
          const at_5 = at_4;
          if ((at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0) !== 48) {
            break $loop;
          }
          at_4 = at_4 + 1 | 0;
        }
        if ((($stop0 - $start0 | 0) - at_4 | 0) > 19) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        let limb0 = 0;
        let limb1 = 0;
        let limb2 = 0;
        let limb3 = 0;
        $loop_2: for (; at_4 < ($stop0 - $start0 | 0); ) {
          let group = 0;
          let scale = 1;
          $loop_3: for (; at_4 < ($stop0 - $start0 | 0) && scale < 10000; at_4 = at_4 + 1 | 0) {
            const at_6 = at_4;
            const digit_2 = (at_6 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_6 | 0] : 0) - 48 | 0;
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
        const high_2_2 = limb2 | limb3 << 16;
        if (!isNegative) {
          if (limb3 > 32767) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            break $body;
          }
          toInteger_2 = low_2;
          toInteger_3 = high_2_2;
          break $toInteger;
        }
        if (limb3 > 32768 || limb3 === 32768 && (low_2 !== 0 || limb2 !== 0)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          break $body;
        }
        const low_3 = 0 - low_2 | 0;
        const high_3 = ~high_2_2 + ((low_2 === 0) | 0) | 0;
        toInteger_2 = low_3;
        toInteger_3 = high_3;
      }
      $result[2 * $row] = toInteger_2;
      $result[2 * $row + 1] = toInteger_3;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

