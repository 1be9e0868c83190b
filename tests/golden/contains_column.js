// contains_column, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $offsets1, $data0, $data1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
    const operand = ($stop0 - $start0 | 0) + 1 | 0;
    let at = $start0;
    const last = $stop0 - ($stop1 - $start1 | 0) | 0;
    $seek: for (; at <= last; at = at + 1 | 0) {
      let offset = 0;
      $match: for (; offset < ($stop1 - $start1 | 0) && $data0[at + offset | 0] === $data1[$start1 + offset | 0]; offset = offset + 1 | 0) {
      }
      if (offset >= ($stop1 - $start1 | 0)) {
        break $seek;
      }
    }
    const find = at <= last ? at - $start0 | 0 : -1;
    $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// contains_column, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $valid1, $offsets0, $offsets1, $data0, $data1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
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
      const operand = ($stop0 - $start0 | 0) + 1 | 0;
      let at = $start0;
      const last = $stop0 - ($stop1 - $start1 | 0) | 0;
      $seek: for (; at <= last; at = at + 1 | 0) {
        let offset = 0;
        $match: for (; offset < ($stop1 - $start1 | 0) && $data0[at + offset | 0] === $data1[$start1 + offset | 0]; offset = offset + 1 | 0) {
        }
        if (offset >= ($stop1 - $start1 | 0)) {
          break $seek;
        }
      }
      const find = at <= last ? at - $start0 | 0 : -1;
      $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

