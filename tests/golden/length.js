// length, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    $result[$row] = $stop0 - $start0 | 0;
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// length, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      let length_2 = 0;
      let at = $start0;
      $count: for (; at < $stop0; at = at + 1 | 0) {
        length_2 = length_2 + ((($data0[at] & 192) !== 128) | 0) | 0;
      }
      const length_3 = length_2;
      $result[$row] = length_3;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

