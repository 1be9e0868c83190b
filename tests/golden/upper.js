// upper, ASCII, no nulls
// byte map:  !"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`ABCDEFGHIJKLMNOPQRSTUVWXYZ{|}~

// upper, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
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

