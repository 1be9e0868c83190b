// reverse, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    let at = $stop0 - $start0 | 0;
    $loop: for (; at > 0; ) {
      const at_2 = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
      const previous = (at_2 - 1 | 0) > 0 ? at_2 - 1 | 0 : 0;
      at = previous;
      const at_3 = at;
      $out[$size] = at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0;
      $size++;
    }
    if ($size > $capacity) {
      $out = $grow($out, $begin, $size, $row);
      $capacity = $out.length;
      $size = $begin;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $size;
  }
  return { nulls: $nulls, data: $out, size: $size };
}

// reverse, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
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
      let at = $stop0 - $start0 | 0;
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
        if (char_2 >>> 0 < 128) {
          $out[$size] = char_2;
          $size++;
        } else {
          if (char_2 >>> 0 < 2048) {
            $out[$size] = char_2 >> 6 | 192;
            $out[$size + 1] = (char_2 & 63) | 128;
            $size += 2;
          } else {
            const valid = char_2 >>> 0 < 1114112 && (char_2 < 55296 || char_2 >= 57344) ? char_2 : 65533;
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
      $capacity = $out.length;
      $size = $begin;
      $row--;
      continue;
    }
    $offsets[$row + 1] = $size;
  }
  return { nulls: $nulls, data: $out, size: $size };
}

