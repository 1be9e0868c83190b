// repeat, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $repeat, $words1, $literals, $offsets0, $data0) {
  "use strict";
  const $literalsView = $viewBytes($literals);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_1 = $words1[$row];
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    const $begin = $size;
    const arg = $word0_1;
    const count = arg & 63;
    {
      const $from = 0, $to = 2;
      const $times = count;
      if (($to - $from) * $times < 12) {
        for (let $left = $from < $to ? $times : 0; $left > 0; $left--) {
          for (let $at = $from; $at < $to; $at++) $out[$size++] = $literals[$at];
        }
      } else {
        $size = $repeat($view, $size, $literalsView, $from, $to, $times, $row, $begin);
      }
    }
    let at = $start0;
    $copy: for (; at < $stop0; at = at + 1 | 0) {
      const char = $data0[at];
      $out[$size] = (char - 97 | 0) >>> 0 < 26 ? char - 32 | 0 : char;
      $size++;
    }
    const count_2 = arg & 31;
    {
      const $from = 2, $to = 3;
      const $times = count_2;
      if ($times < 12) {
        const $byte = $literals[$from];
        for (const $end = $size + $times; $size < $end; $size++) $out[$size] = $byte;
      } else {
        $size = $repeat($view, $size, $literalsView, $from, $to, $times, $row, $begin);
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

// repeat, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $repeat, $valid0, $valid1, $words1, $literals, $offsets0, $data0) {
  "use strict";
  const $literalsView = $viewBytes($literals);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word0_1 = $words1[$row];
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
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
      const count = arg & 63;
      {
        const $from = 0, $to = 2;
        const $times = count;
        if (($to - $from) * $times < 12) {
          for (let $left = $from < $to ? $times : 0; $left > 0; $left--) {
            for (let $at = $from; $at < $to; $at++) $out[$size++] = $literals[$at];
          }
        } else {
          $size = $repeat($view, $size, $literalsView, $from, $to, $times, $row, $begin);
        }
      }
      let at = $start0;
      $copy: for (; at < $stop0; ) {
        if ($data0[at] < 128) {
          const from = at;
          $run: for (; at < $stop0; at = at + 1 | 0) {
            const char = $data0[at];
            if (char >= 128) {
              break $run;
            }
            $out[$size] = (char - 97 | 0) >>> 0 < 26 ? char - 32 | 0 : char;
            $size++;
          }
          if (at >= $stop0) {
            break $copy;
          }
        }
        const lead = $data0[at];
        const size = lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4;
        let char_2 = lead;
        if (char_2 >= 128) {
          if (char_2 < 224) {
            char_2 = char_2 < 192 ? 65533 : ((char_2 & 31) << 6 | ($data0[at + 1 | 0] & 63));
          } else {
            if (char_2 < 240) {
              char_2 = ((char_2 & 15) << 12 | ($data0[at + 1 | 0] & 63) << 6) | ($data0[at + 2 | 0] & 63);
            } else {
              char_2 = (((char_2 & 7) << 18 | ($data0[at + 1 | 0] & 63) << 12) | ($data0[at + 2 | 0] & 63) << 6) | ($data0[at + 3 | 0] & 63);
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
      const count_2 = arg & 31;
      {
        const $from = 2, $to = 3;
        const $times = count_2;
        if ($times < 12) {
          const $byte = $literals[$from];
          for (const $end = $size + $times; $size < $end; $size++) $out[$size] = $byte;
        } else {
          $size = $repeat($view, $size, $literalsView, $from, $to, $times, $row, $begin);
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

