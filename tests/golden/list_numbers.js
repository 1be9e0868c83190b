// list_numbers, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $growItems, $seekByte, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $numbers = $result, $count = 0, $room = $numbers.length;
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $first = $count;
    $body: {
      const operand = ($stop0 - $start0 | 0) + 1 | 0;
      let at = $start0;
      if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at)) {
        $seen0 = at;
        $hit0 = $seekByte($view0, at, ($stop0 - 1 | 0), $end0, 45);
      }
      at = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
      const find = at <= ($stop0 - 1 | 0) ? at - $start0 | 0 : -1;
      let at_2 = find;
      $loop: while (at_2 >= 0) {
        $loop_round: {
          $numbers[$count++] = 0 - at_2 | 0;
        }
        const from = at_2 + 1 | 0;
        const operand_2 = from > 0 ? from : 0;
        const operand_3 = ($stop0 - $start0 | 0) + 1 | 0;
        let at_3 = $start0 + (operand_2 < operand_3 ? operand_2 : operand_3) | 0;
        if (at_3 < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at_3)) {
          $seen0 = at_3;
          $hit0 = $seekByte($view0, at_3, ($stop0 - 1 | 0), $end0, 45);
        }
        at_3 = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
        const find_2 = at_3 <= ($stop0 - 1 | 0) ? at_3 - $start0 | 0 : -1;
        at_2 = find_2;
      }
      let found = false;
      let at_4 = $start0;
      $search: for (; at_4 < $stop0; ) {
        const item = $data0[at_4];
        if (item === 33) {
          found = true;
          break $search;
        }
        at_4 = at_4 + 1 | 0;
      }
      if (found) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $count = $first;
        break $body;
      }
    }
    if ($count > $room) {
      $numbers = $growItems($numbers, $first, $count, $row);
      $room = $numbers.length;
      $count = $first;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $numbers, size: 4 * $count, count: $count };
}

// list_numbers, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $growItems, $seekByte, $valid0, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $numbers = $result, $count = 0, $room = $numbers.length;
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $first = $count;
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $count = $first;
        break $body;
      }
      const operand = ($stop0 - $start0 | 0) + 1 | 0;
      let at = $start0;
      if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at)) {
        $seen0 = at;
        $hit0 = $seekByte($view0, at, ($stop0 - 1 | 0), $end0, 45);
      }
      at = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
      const find = at <= ($stop0 - 1 | 0) ? at - $start0 | 0 : -1;
      let at_2 = find;
      $loop: while (at_2 >= 0) {
        $loop_round: {
          $numbers[$count++] = 0 - at_2 | 0;
        }
        const from = at_2 + 1 | 0;
        const operand_2 = from > 0 ? from : 0;
        const operand_3 = ($stop0 - $start0 | 0) + 1 | 0;
        let at_3 = $start0 + (operand_2 < operand_3 ? operand_2 : operand_3) | 0;
        if (at_3 < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at_3)) {
          $seen0 = at_3;
          $hit0 = $seekByte($view0, at_3, ($stop0 - 1 | 0), $end0, 45);
        }
        at_3 = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
        const find_2 = at_3 <= ($stop0 - 1 | 0) ? at_3 - $start0 | 0 : -1;
        at_2 = find_2;
      }
      let found = false;
      let at_4 = $start0;
      $search: for (; at_4 < $stop0; ) {
        let item = $data0[at_4];
        const size = item < 192 ? 1 : item < 224 ? 2 : item < 240 ? 3 : 4;
        if (item >= 128) {
          if (item < 224) {
            item = item < 192 ? 65533 : ((item & 31) << 6 | ($data0[at_4 + 1 | 0] & 63));
          } else {
            if (item < 240) {
              item = ((item & 15) << 12 | ($data0[at_4 + 1 | 0] & 63) << 6) | ($data0[at_4 + 2 | 0] & 63);
            } else {
              item = (((item & 7) << 18 | ($data0[at_4 + 1 | 0] & 63) << 12) | ($data0[at_4 + 2 | 0] & 63) << 6) | ($data0[at_4 + 3 | 0] & 63);
            }
          }
        }
        if (item === 33) {
          found = true;
          break $search;
        }
        at_4 = at_4 + size | 0;
      }
      if (found) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $count = $first;
        break $body;
      }
    }
    if ($count > $room) {
      $numbers = $growItems($numbers, $first, $count, $row);
      $room = $numbers.length;
      $count = $first;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $numbers, size: 4 * $count, count: $count };
}

