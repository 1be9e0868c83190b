// redact, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $offsets0, $data0, $offsets1, $data1) {
  "use strict";
  const $view1 = $viewBytes($data1);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets1[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
    const $begin = $size;
    $body: {
      if (($stop0 - $start0 | 0) === 6 && ($data0[$start0] === 112 && $data0[$start0 + 1 | 0] === 117 && $data0[$start0 + 2 | 0] === 98 && $data0[$start0 + 3 | 0] === 108 && $data0[$start0 + 4 | 0] === 105 && $data0[$start0 + 5 | 0] === 99)) {
        const operand = ($stop1 - $start1 | 0) + 1 | 0;
        let at = $start1;
        if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop1 - 1 | 0) : $hit0 < at)) {
          $seen0 = at;
          $hit0 = $seekByte($view1, at, ($stop1 - 1 | 0), $end0, 32);
        }
        at = $hit0 < 0 ? ($stop1 - 1 | 0) + 1 : $hit0;
        const find = at <= ($stop1 - 1 | 0) ? at - $start1 | 0 : -1;
        if (find < 0) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          break $body;
        }
        const operand_2 = ($stop1 - $start1 | 0) + 1 | 0;
        let at_2 = $start1 + (find + 1 | 0) | 0;
        if (at_2 < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop1 - 1 | 0) : $hit0 < at_2)) {
          $seen0 = at_2;
          $hit0 = $seekByte($view1, at_2, ($stop1 - 1 | 0), $end0, 32);
        }
        at_2 = $hit0 < 0 ? ($stop1 - 1 | 0) + 1 : $hit0;
        const find_2 = at_2 <= ($stop1 - 1 | 0) ? at_2 - $start1 | 0 : -1;
        const operand_3 = find_2 < 0 ? $stop1 - $start1 | 0 : find_2;
        const start = $start1 + (find + 1 | 0) | 0;
        const operand_4 = ($start1 + operand_3 | 0) - start | 0;
        const operand_5 = ($start1 + operand_3 | 0) - start | 0;
        const moved = 1 > (($start1 + operand_3 | 0) - start | 0) ? ($start1 + operand_3 | 0) - start | 0 : 1;
        const operand_6 = ($start1 + operand_3 | 0) - start | 0;
        const operand_7 = ($start1 + operand_3 | 0) - start | 0;
        $out[$size] = $data1[start];
        $size += moved;
        $out[$size] = 32;
        $size++;
        {
          const $from = $start1;
          const $bytes = find;
          if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view1.byteLength) {
            $view.setBigInt64($size, $view1.getBigInt64($from, true), true);
            $view.setBigInt64($size + 8, $view1.getBigInt64($from + 8, true), true);
            if ($bytes > 16) {
              $view.setBigInt64($size + 16, $view1.getBigInt64($from + 16, true), true);
              $view.setBigInt64($size + 24, $view1.getBigInt64($from + 24, true), true);
            }
          } else {
            $copy($view, $size, $view1, $from, $bytes);
          }
          $size += $bytes;
        }
      } else {
        $out[$size] = 88;
        $out[$size + 1] = 32;
        $out[$size + 2] = 88;
        $size += 3;
      }
    }
    if ($size > $capacity) {
      $out = $grow($out, $begin, $size, $row);
      $view = $viewBytes($out);
      $capacity = $out.length;
      $size = $begin;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $size;
  }
  return { nulls: $nulls, data: $out, size: $size };
}

// redact, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $valid0, $offsets0, $data0, $valid1, $offsets1, $data1) {
  "use strict";
  const $view1 = $viewBytes($data1);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets1[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
    const $begin = $size;
    $body: {
      let holds = false;
      $unknown: {
        if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
          break $unknown;
        }
        holds = ($stop0 - $start0 | 0) === 6 && ($data0[$start0] === 112 && $data0[$start0 + 1 | 0] === 117 && $data0[$start0 + 2 | 0] === 98 && $data0[$start0 + 3 | 0] === 108 && $data0[$start0 + 4 | 0] === 105 && $data0[$start0 + 5 | 0] === 99);
      }
      if (holds) {
        if (!(($valid1[$row >> 3] >> ($row & 7) & 1) === 1)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          break $body;
        }
        const operand = ($stop1 - $start1 | 0) + 1 | 0;
        let at = $start1;
        if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop1 - 1 | 0) : $hit0 < at)) {
          $seen0 = at;
          $hit0 = $seekByte($view1, at, ($stop1 - 1 | 0), $end0, 32);
        }
        at = $hit0 < 0 ? ($stop1 - 1 | 0) + 1 : $hit0;
        const find = at <= ($stop1 - 1 | 0) ? at - $start1 | 0 : -1;
        if (find < 0) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          break $body;
        }
        const operand_2 = ($stop1 - $start1 | 0) + 1 | 0;
        let at_2 = $start1 + (find + 1 | 0) | 0;
        if (at_2 < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop1 - 1 | 0) : $hit0 < at_2)) {
          $seen0 = at_2;
          $hit0 = $seekByte($view1, at_2, ($stop1 - 1 | 0), $end0, 32);
        }
        at_2 = $hit0 < 0 ? ($stop1 - 1 | 0) + 1 : $hit0;
        const find_2 = at_2 <= ($stop1 - 1 | 0) ? at_2 - $start1 | 0 : -1;
        const operand_3 = find_2 < 0 ? $stop1 - $start1 | 0 : find_2;
        const start = $start1 + (find + 1 | 0) | 0;
        const operand_4 = ($start1 + operand_3 | 0) - start | 0;
        const operand_5 = ($start1 + operand_3 | 0) - start | 0;
        let at_3 = 0;
        let left = 1;
        $forward: for (; left > 0 && at_3 < (($start1 + operand_3 | 0) - start | 0); left = left - 1 | 0) {
          const lead = $data1[start + at_3 | 0];
          at_3 = at_3 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
        }
        const operand_6 = ($start1 + operand_3 | 0) - start | 0;
        const moved = at_3 < operand_6 ? at_3 : operand_6;
        const operand_7 = ($start1 + operand_3 | 0) - start | 0;
        const operand_8 = ($start1 + operand_3 | 0) - start | 0;
        {
          const $from = start;
          const $bytes = moved;
          if ($size + 16 <= $capacity && $from + 16 <= $view1.byteLength) {
            $view.setBigInt64($size, $view1.getBigInt64($from, true), true);
            $view.setBigInt64($size + 8, $view1.getBigInt64($from + 8, true), true);
          } else {
            $copy($view, $size, $view1, $from, $bytes);
          }
          $size += $bytes;
        }
        $out[$size] = 32;
        $size++;
        {
          const $from = $start1;
          const $bytes = find;
          if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view1.byteLength) {
            $view.setBigInt64($size, $view1.getBigInt64($from, true), true);
            $view.setBigInt64($size + 8, $view1.getBigInt64($from + 8, true), true);
            if ($bytes > 16) {
              $view.setBigInt64($size + 16, $view1.getBigInt64($from + 16, true), true);
              $view.setBigInt64($size + 24, $view1.getBigInt64($from + 24, true), true);
            }
          } else {
            $copy($view, $size, $view1, $from, $bytes);
          }
          $size += $bytes;
        }
      } else {
        $out[$size] = 88;
        $out[$size + 1] = 32;
        $out[$size + 2] = 88;
        $size += 3;
      }
    }
    if ($size > $capacity) {
      $out = $grow($out, $begin, $size, $row);
      $view = $viewBytes($out);
      $capacity = $out.length;
      $size = $begin;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $size;
  }
  return { nulls: $nulls, data: $out, size: $size };
}

