// contains_re, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $table0, $data0, $table1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    let state = 512;
    let at = $start0;
    $follow: for (; at < $stop0; ) {
      const stop = ($stop0 - at | 0) < 64 ? $stop0 : at + 64 | 0;
      $walk: for (; at < stop; at = at + 1 | 0) {
        state = $table0[state + $data0[at] | 0];
      }
      if (at < $stop0 && state < 512) {
        break $follow;
      }
    }
    $result[$row >> 3] |= ($table1[state >> 8 & 1023] === 1 | 0) << ($row & 7);
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// contains_re, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $table0, $data0, $table1) {
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
      let state = 512;
      let at = $start0;
      $follow: for (; at < $stop0; ) {
        const stop = ($stop0 - at | 0) < 64 ? $stop0 : at + 64 | 0;
        $walk: for (; at < stop; at = at + 1 | 0) {
          state = $table0[state + $data0[at] | 0];
        }
        if (at < $stop0 && state < 512) {
          break $follow;
        }
      }
      $result[$row >> 3] |= ($table1[state >> 8 & 1023] === 1 | 0) << ($row & 7);
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

