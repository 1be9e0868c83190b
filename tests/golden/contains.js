// contains, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const operand = ($stop0 - $start0 | 0) + 1 | 0;
    let at = $start0;
    $seek: for (; at <= ($stop0 - 6 | 0) && !($data0[at] === 110 && $data0[at + 1 | 0] === 101 && $data0[at + 2 | 0] === 101 && $data0[at + 3 | 0] === 100 && $data0[at + 4 | 0] === 108 && $data0[at + 5 | 0] === 101); at = at + 1 | 0) {
    }
    const find = at <= ($stop0 - 6 | 0) ? at - $start0 | 0 : -1;
    $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// contains, UTF-8, nulls
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
      const operand = ($stop0 - $start0 | 0) + 1 | 0;
      let at = $start0;
      $seek: for (; at <= ($stop0 - 6 | 0) && !($data0[at] === 110 && $data0[at + 1 | 0] === 101 && $data0[at + 2 | 0] === 101 && $data0[at + 3 | 0] === 100 && $data0[at + 4 | 0] === 108 && $data0[at + 5 | 0] === 101); at = at + 1 | 0) {
      }
      const find = at <= ($stop0 - 6 | 0) ? at - $start0 | 0 : -1;
      $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

