// route, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $data0, $offsets0, $offsets1, $data1) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    const $start1 = $offsets1[$row];
    const $stop1 = $offsets1[$row + 1];
    const $begin = $size;
    {
      const $from = $start0;
      const $bytes = $stop0 - $start0 | 0;
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
    $out[$size] = 32;
    $out[$size + 1] = 62;
    $out[$size + 2] = 32;
    $size += 3;
    let at = $start1;
    $copy: for (; at < $stop1; at = at + 1 | 0) {
      const char = $data1[at];
      $out[$size] = (char - 97 | 0) >>> 0 < 26 ? char - 32 | 0 : char;
      $size++;
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

// route, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $data0, $offsets0, $valid1, $offsets1, $data1) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    const $start1 = $offsets1[$row];
    const $stop1 = $offsets1[$row + 1];
    const $begin = $size;
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      {
        const $from = $start0;
        const $bytes = $stop0 - $start0 | 0;
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
      $out[$size] = 32;
      $out[$size + 1] = 62;
      $out[$size + 2] = 32;
      $size += 3;
      if (!(($valid1[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      let at = $start1;
      $copy: for (; at < $stop1; ) {
        if ($data1[at] < 128) {
          const from = at;
          $run: for (; at < $stop1; at = at + 1 | 0) {
            const char = $data1[at];
            if (char >= 128) {
              break $run;
            }
            $out[$size] = (char - 97 | 0) >>> 0 < 26 ? char - 32 | 0 : char;
            $size++;
          }
          if (at >= $stop1) {
            break $copy;
          }
        }
        const lead = $data1[at];
        const size = lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4;
        let char_2 = lead;
        if (char_2 >= 128) {
          if (char_2 < 224) {
            char_2 = char_2 < 192 ? 65533 : ((char_2 & 31) << 6 | ($data1[at + 1 | 0] & 63));
          } else {
            if (char_2 < 240) {
              char_2 = ((char_2 & 15) << 12 | ($data1[at + 1 | 0] & 63) << 6) | ($data1[at + 2 | 0] & 63);
            } else {
              char_2 = (((char_2 & 7) << 18 | ($data1[at + 1 | 0] & 63) << 12) | ($data1[at + 2 | 0] & 63) << 6) | ($data1[at + 3 | 0] & 63);
            }
          }
        }
        at = at + size | 0;
        const char_3 = char_2;
        const char_4 = char_3 >= 97 && char_3 <= 122 ? char_3 - 32 | 0 : char_3;
        if (char_4 >>> 0 < 128) {
          $out[$size] = char_4;
          $size++;
        } else {
          if (char_4 >>> 0 < 2048) {
            $out[$size] = char_4 >> 6 | 192;
            $out[$size + 1] = (char_4 & 63) | 128;
            $size += 2;
          } else {
            const valid = char_4 >>> 0 < 1114112 && (char_4 < 55296 || char_4 >= 57344) ? char_4 : 65533;
            if (valid < 65536) {
              $out[$size] = valid >> 12 | 224;
              $size++;
            } else {
              $out[$size] = valid >> 18 | 240;
              $out[$size + 1] = (valid >> 12 & 63) | 128;
              $size += 2;
            }
            $out[$size] = (valid >> 6 & 63) | 128;
            $out[$size + 1] = (valid & 63) | 128;
            $size += 2;
          }
        }
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

