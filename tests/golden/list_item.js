// list_item, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $words1, $offsets0, $itemsValid0, $items0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_1 = $words1[$row];
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    $body: {
      const arg = $word0_1;
      const present = arg >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[($start0 + arg | 0) >> 3] >> (($start0 + arg | 0) & 7) & 1) === 1);
      let both = !present;
      if (!both) {
        const item = $start0 + (arg - 1 | 0) | 0;
        const present_2 = (arg - 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[item >> 3] >> (item & 7) & 1) === 1);
        both = !present_2;
      }
      if (both) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const item_2 = $start0 + (arg - 1 | 0) | 0;
      const present_3 = (arg - 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[item_2 >> 3] >> (item_2 & 7) & 1) === 1);
      const item_start = present_3 ? $items0[$start0 + (arg - 1 | 0) | 0] : 0;
      const item_stop = present_3 ? $items0[($start0 + (arg - 1 | 0) | 0) + 1 | 0] : 0;
      {
        const $from = item_start;
        const $bytes = item_stop - item_start | 0;
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
      $out[$size] = 240;
      $out[$size + 1] = 157;
      $out[$size + 2] = 132;
      $out[$size + 3] = 158;
      $size += 4;
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

// list_item, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $valid1, $words1, $offsets0, $itemsValid0, $items0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_1 = $words1[$row];
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
      if (!(($valid1[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const arg = $word0_1;
      const present = arg >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[($start0 + arg | 0) >> 3] >> (($start0 + arg | 0) & 7) & 1) === 1);
      let both = !present;
      if (!both) {
        const item = $start0 + (arg - 1 | 0) | 0;
        const present_2 = (arg - 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[item >> 3] >> (item & 7) & 1) === 1);
        both = !present_2;
      }
      if (both) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const item_2 = $start0 + (arg - 1 | 0) | 0;
      const present_3 = (arg - 1 | 0) >>> 0 < ($stop0 - $start0 | 0) >>> 0 && ($itemsValid0 === null || ($itemsValid0[item_2 >> 3] >> (item_2 & 7) & 1) === 1);
      const item_start = present_3 ? $items0[$start0 + (arg - 1 | 0) | 0] : 0;
      const item_stop = present_3 ? $items0[($start0 + (arg - 1 | 0) | 0) + 1 | 0] : 0;
      {
        const $from = item_start;
        const $bytes = item_stop - item_start | 0;
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
      $out[$size] = 240;
      $out[$size + 1] = 157;
      $out[$size + 2] = 132;
      $out[$size + 3] = 158;
      $size += 4;
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

