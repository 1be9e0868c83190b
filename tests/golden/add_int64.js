// add_int64, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $words0, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_0 = $words0[2 * $row + 0];
    const $word0_1 = $words1[2 * $row + 0];
    const $word1_0 = $words0[2 * $row + 1];
    const $word1_1 = $words1[2 * $row + 1];
    $body: {
      const low$0 = $word0_0 + $word0_1 | 0;
      const carry$1 = (low$0 >>> 0 < $word0_1 >>> 0) | 0;
      const high$2 = ($word1_0 + $word1_1 | 0) + carry$1 | 0;
      if ((($word1_0 ^ high$2) & ($word1_1 ^ high$2)) < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[2 * $row] = low$0;
      $result[2 * $row + 1] = high$2;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// add_int64, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $words0, $valid1, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_0 = $words0[2 * $row + 0];
    const $word0_1 = $words1[2 * $row + 0];
    const $word1_0 = $words0[2 * $row + 1];
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
      const low$0 = $word0_0 + $word0_1 | 0;
      const carry$1 = (low$0 >>> 0 < $word0_1 >>> 0) | 0;
      const high$2 = ($word1_0 + $word1_1 | 0) + carry$1 | 0;
      if ((($word1_0 ^ high$2) & ($word1_1 ^ high$2)) < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      $result[2 * $row] = low$0;
      $result[2 * $row + 1] = high$2;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

