// replace, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    const operand = ($stop0 - $start0 | 0) + 1 | 0;
    let at = $start0;
    if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at)) {
      $seen0 = at;
      $hit0 = $seekByte($view0, at, ($stop0 - 1 | 0), $end0, 45);
    }
    at = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
    const find = at <= ($stop0 - 1 | 0) ? at - $start0 | 0 : -1;
    let from = 0;
    let at_2 = find;
    $loop: for (; at_2 >= 0; ) {
      const upper = from < ($stop0 - $start0 | 0) ? from : $stop0 - $start0 | 0;
      const low = upper > 0 ? upper : 0;
      const upper_2 = at_2 < ($stop0 - $start0 | 0) ? at_2 : $stop0 - $start0 | 0;
      const high = upper_2 > low ? upper_2 : low;
      {
        const $from = $start0 + low | 0;
        const $bytes = high - low | 0;
        if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view0.byteLength) {
          $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
          $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
          if ($bytes > 16) {
            $view.setBigInt64($size + 16, $view0.getBigInt64($from + 16, true), true);
            $view.setBigInt64($size + 24, $view0.getBigInt64($from + 24, true), true);
          }
        } else {
          $copy($view, $size, $view0, $from, $bytes);
        }
        $size += $bytes;
      }
      $out[$size] = 44;
      $out[$size + 1] = 32;
      $size += 2;
      from = at_2 + 1 | 0;
      const from_2 = from;
      const operand_2 = from_2 > 0 ? from_2 : 0;
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
    const upper_3 = from < ($stop0 - $start0 | 0) ? from : $stop0 - $start0 | 0;
    const low_2 = upper_3 > 0 ? upper_3 : 0;
    {
      const $from = $start0 + low_2 | 0;
      const $bytes = $stop0 - ($start0 + low_2 | 0) | 0;
      if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view0.byteLength) {
        $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
        $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
        if ($bytes > 16) {
          $view.setBigInt64($size + 16, $view0.getBigInt64($from + 16, true), true);
          $view.setBigInt64($size + 24, $view0.getBigInt64($from + 24, true), true);
        }
      } else {
        $copy($view, $size, $view0, $from, $bytes);
      }
      $size += $bytes;
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

// replace, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $valid0, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
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
      let from = 0;
      let at_2 = find;
      $loop: for (; at_2 >= 0; ) {
        const upper = from < ($stop0 - $start0 | 0) ? from : $stop0 - $start0 | 0;
        const low = upper > 0 ? upper : 0;
        const upper_2 = at_2 < ($stop0 - $start0 | 0) ? at_2 : $stop0 - $start0 | 0;
        const high = upper_2 > low ? upper_2 : low;
        {
          const $from = $start0 + low | 0;
          const $bytes = high - low | 0;
          if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view0.byteLength) {
            $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
            $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
            if ($bytes > 16) {
              $view.setBigInt64($size + 16, $view0.getBigInt64($from + 16, true), true);
              $view.setBigInt64($size + 24, $view0.getBigInt64($from + 24, true), true);
            }
          } else {
            $copy($view, $size, $view0, $from, $bytes);
          }
          $size += $bytes;
        }
        $out[$size] = 44;
        $out[$size + 1] = 32;
        $size += 2;
        from = at_2 + 1 | 0;
        const from_2 = from;
        const operand_2 = from_2 > 0 ? from_2 : 0;
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
      const upper_3 = from < ($stop0 - $start0 | 0) ? from : $stop0 - $start0 | 0;
      const low_2 = upper_3 > 0 ? upper_3 : 0;
      {
        const $from = $start0 + low_2 | 0;
        const $bytes = $stop0 - ($start0 + low_2 | 0) | 0;
        if ($bytes <= 32 && $size + 32 <= $capacity && $from + 32 <= $view0.byteLength) {
          $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
          $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
          if ($bytes > 16) {
            $view.setBigInt64($size + 16, $view0.getBigInt64($from + 16, true), true);
            $view.setBigInt64($size + 24, $view0.getBigInt64($from + 24, true), true);
          }
        } else {
          $copy($view, $size, $view0, $from, $bytes);
        }
        $size += $bytes;
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

