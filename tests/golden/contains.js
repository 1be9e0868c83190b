// contains, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekBytes, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  const $end0 = $offsets0[$rows];
  const $needle0 = [110,101,101,100,108,101];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const operand = ($stop0 - $start0 | 0) + 1 | 0;
    let at = $start0;
    if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 6 | 0) : $hit0 < at)) {
      $seen0 = at;
      $hit0 = $seekBytes($view0, at, ($stop0 - 6 | 0), $end0, $needle0);
    }
    at = $hit0 < 0 ? ($stop0 - 6 | 0) + 1 : $hit0;
    const find = at <= ($stop0 - 6 | 0) ? at - $start0 | 0 : -1;
    $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// contains, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekBytes, $valid0, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  const $end0 = $offsets0[$rows];
  const $needle0 = [110,101,101,100,108,101];
  let $seen0 = 0, $hit0 = -1;
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
      if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 6 | 0) : $hit0 < at)) {
        $seen0 = at;
        $hit0 = $seekBytes($view0, at, ($stop0 - 6 | 0), $end0, $needle0);
      }
      at = $hit0 < 0 ? ($stop0 - 6 | 0) + 1 : $hit0;
      const find = at <= ($stop0 - 6 | 0) ? at - $start0 | 0 : -1;
      $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

