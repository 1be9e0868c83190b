// list_backward, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $ends, $growItems, $turn, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $count = 0, $room = $ends.length - 1;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    const $first = $count;
    $body: {
      let at = $stop0 - $start0 | 0;
      let stop = $stop0 - $start0 | 0;
      $loop: for (; at > 0; ) {
        const at_2 = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
        const previous = (at_2 - 1 | 0) > 0 ? at_2 - 1 | 0 : 0;
        at = previous;
        const at_3 = at;
        const char = at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0;
        if (char === 63) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          $count = $first;
          break $body;
        }
        if (char === 97 || char === 98) {
          const upper = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
          const low = upper > 0 ? upper : 0;
          const upper_2 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
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
          $ends[++$count] = $size;
          stop = at;
        }
      }
      const upper_3 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
      const high_2 = upper_3 > 0 ? upper_3 : 0;
      {
        const $from = $start0;
        const $bytes = high_2;
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
      $ends[++$count] = $size;
    }
    if ($size > $capacity) {
      $out = $grow($out, $begin, $size, $row);
      $view = $viewBytes($out);
      $capacity = $out.length;
      $size = $begin;
      $count = $first;
      $row--;
      continue;
    }
    if ($count > $room) {
      $ends = $growItems($ends, $first, $count, $row);
      $room = $ends.length - 1;
      $size = $begin;
      $count = $first;
      $row--;
      continue;
    }
    $turn($out, $ends, $first, $count);
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count };
}

// list_backward, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $ends, $growItems, $turn, $valid0, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $count = 0, $room = $ends.length - 1;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    const $first = $count;
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        $count = $first;
        break $body;
      }
      let at = $stop0 - $start0 | 0;
      let stop = $stop0 - $start0 | 0;
      $loop: for (; at > 0; ) {
        const at_2 = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
        let previous = (at_2 - 1 | 0) > 0 ? at_2 - 1 | 0 : 0;
        $back: for (; previous > 0 && ($data0[$start0 + previous | 0] & 192) === 128; previous = previous - 1 | 0) {
        }
        const previous_2 = previous;
        at = previous_2;
        const at_3 = at;
        let char = at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0;
        if (char >= 128) {
          if (char < 224) {
            char = char < 192 ? 65533 : ((char & 31) << 6 | ($data0[($start0 + at_3 | 0) + 1 | 0] & 63));
          } else {
            if (char < 240) {
              char = ((char & 15) << 12 | ($data0[($start0 + at_3 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + at_3 | 0) + 2 | 0] & 63);
            } else {
              char = (((char & 7) << 18 | ($data0[($start0 + at_3 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + at_3 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + at_3 | 0) + 3 | 0] & 63);
            }
          }
        }
        const char_2 = char;
        if (char_2 === 63) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          $count = $first;
          break $body;
        }
        if (char_2 === 97 || char_2 === 98) {
          const upper = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
          const low = upper > 0 ? upper : 0;
          const upper_2 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
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
          $ends[++$count] = $size;
          stop = at;
        }
      }
      const upper_3 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
      const high_2 = upper_3 > 0 ? upper_3 : 0;
      {
        const $from = $start0;
        const $bytes = high_2;
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
      $ends[++$count] = $size;
    }
    if ($size > $capacity) {
      $out = $grow($out, $begin, $size, $row);
      $view = $viewBytes($out);
      $capacity = $out.length;
      $size = $begin;
      $count = $first;
      $row--;
      continue;
    }
    if ($count > $room) {
      $ends = $growItems($ends, $first, $count, $row);
      $room = $ends.length - 1;
      $size = $begin;
      $count = $first;
      $row--;
      continue;
    }
    $turn($out, $ends, $first, $count);
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count };
}

