// list_spread, ASCII, no nulls
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
      let at = 0;
      $loop: while (at < ($stop0 - $start0 | 0)) {
        $loop_round: {
          const at_2 = at;
          const char = $data0[$start0 + at_2 | 0];
          let i = 0;
          $loop_2: for (; i <= at_2; i = i + 1 | 0) {
            $out[$size] = char;
            $size++;
            {
              const $from = $start0;
              const $bytes = at_2;
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
          if (char === 33) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            $size = $begin;
            $count = $first;
            break $body;
          }
        }
        const at_3 = at;
        at = at_3 + 1 | 0;
      }
      const at_4 = at;
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
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count };
}

// list_spread, UTF-8, nulls
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
      let at = 0;
      $loop: while (at < ($stop0 - $start0 | 0)) {
        $loop_round: {
          const at_2 = at;
          let char = $data0[$start0 + at_2 | 0];
          if (char >= 128) {
            if (char < 224) {
              char = char < 192 ? 65533 : ((char & 31) << 6 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63));
            } else {
              if (char < 240) {
                char = ((char & 15) << 12 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + at_2 | 0) + 2 | 0] & 63);
              } else {
                char = (((char & 7) << 18 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + at_2 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + at_2 | 0) + 3 | 0] & 63);
              }
            }
          }
          const char_2 = char;
          let i = 0;
          $loop_2: for (; i <= at_2; i = i + 1 | 0) {
            if (char_2 >>> 0 < 128) {
              $out[$size] = char_2;
              $size++;
            } else {
              if (char_2 >>> 0 < 2048) {
                $out[$size] = char_2 >> 6 | 192;
                $out[$size + 1] = (char_2 & 63) | 128;
                $size += 2;
              } else {
                const valid_2 = char_2 >>> 0 < 1114112 && (char_2 < 55296 || char_2 >= 57344) ? char_2 : 65533;
                if (valid_2 < 65536) {
                  $out[$size] = valid_2 >> 12 | 224;
                  $size++;
                } else {
                  $out[$size] = valid_2 >> 18 | 240;
                  $out[$size + 1] = (valid_2 >> 12 & 63) | 128;
                  $size += 2;
                }
                $out[$size] = (valid_2 >> 6 & 63) | 128;
                $out[$size + 1] = (valid_2 & 63) | 128;
                $size += 2;
              }
            }
            {
              const $from = $start0;
              const $bytes = at_2;
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
          if (char_2 === 33) {
            $nulls++;
            $validity[$row >> 3] &= ~(1 << ($row & 7));
            $size = $begin;
            $count = $first;
            break $body;
          }
        }
        const at_3 = at;
        const lead = $data0[$start0 + at_3 | 0];
        const operand = at_3 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
        const next = operand < ($stop0 - $start0 | 0) ? operand : $stop0 - $start0 | 0;
        at = next;
      }
      const at_4 = at;
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
    $offsets[$row + 1] = $count;
  }
  return { nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count };
}

