// add_int64, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $words0, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_0 = $words0[2 * $row + 0];
    const $word1_0 = $words0[2 * $row + 1];
    const $word0_1 = $words1[2 * $row + 0];
    const $word1_1 = $words1[2 * $row + 1];
    $body: {
      const addend = $word0_0;
      const addend_2 = $word1_0;
      const addend_3 = $word0_1;
      const addend_4 = $word1_1;
      const carry = (addend + addend_3 | 0) >>> 0 < addend >>> 0 ? 1 : 0;
      const high = (addend_2 + addend_4 | 0) + carry | 0;
      if (((addend_2 ^ high) & (addend_4 ^ high)) < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[2 * $row] = addend + addend_3 | 0;
      $result[2 * $row + 1] = high;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// add_int64, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $valid1, $words0, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_0 = $words0[2 * $row + 0];
    const $word1_0 = $words0[2 * $row + 1];
    const $word0_1 = $words1[2 * $row + 0];
    const $word1_1 = $words1[2 * $row + 1];
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      if (!(($valid1[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const addend = $word0_0;
      const addend_2 = $word1_0;
      const addend_3 = $word0_1;
      const addend_4 = $word1_1;
      const carry = (addend + addend_3 | 0) >>> 0 < addend >>> 0 ? 1 : 0;
      const high = (addend_2 + addend_4 | 0) + carry | 0;
      if (((addend_2 ^ high) & (addend_4 ^ high)) < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[2 * $row] = addend + addend_3 | 0;
      $result[2 * $row + 1] = high;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

