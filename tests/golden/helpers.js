// helpers, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    $body: {
      let firstLetter_2 = 0;
      $firstLetter: {
        let at = 0;
        $loop: while (at < ($stop0 - $start0 | 0)) {
          $loop_round: {
            const at_2 = at;
            const char = $data0[$start0 + at_2 | 0];
            if (char >= 65 && (char <= 90 || char >= 97 && char <= 122)) {
              firstLetter_2 = at_2;
              break $firstLetter;
            }
          }
          const at_3 = at;
          at = at_3 + 1 | 0;
        }
        const at_4 = at;
        firstLetter_2 = -1;
      }
      const start = firstLetter_2;
      if (start < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      let stop = start;
      $loop_2: for (; stop < ($stop0 - $start0 | 0); ) {
        const at_5 = stop;
        const char_3 = at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0;
        if (!(char_3 >= 65 && (char_3 <= 90 || char_3 >= 97 && char_3 <= 122))) {
          break $loop_2;
        }
        const at_6 = stop;
        const next = at_6 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? at_6 + 1 | 0 : at_6 < 0 ? 0 : $stop0 - $start0 | 0;
        stop = next;
      }
      const upper = start < ($stop0 - $start0 | 0) ? start : $stop0 - $start0 | 0;
      const upper_2 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
      const high = upper_2 > upper ? upper_2 : upper;
      let at_7 = $start0 + upper | 0;
      $copy: for (; at_7 < ($start0 + high | 0); at_7 = at_7 + 1 | 0) {
        const char_4 = $data0[at_7];
        $out[$size] = (char_4 - 110 | 0) >>> 0 < 13 ? char_4 - 13 | 0 : (char_4 - 97 | 0) >>> 0 < 13 ? char_4 + 13 | 0 : (char_4 - 78 | 0) >>> 0 < 13 ? char_4 - 13 | 0 : (char_4 - 65 | 0) >>> 0 < 13 ? char_4 + 13 | 0 : char_4;
        $size++;
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

// helpers, UTF-8, nulls
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
      let firstLetter_2 = 0;
      $firstLetter: {
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
            if (char_2 >= 65 && (char_2 <= 90 || char_2 >= 97 && char_2 <= 122)) {
              firstLetter_2 = at_2;
              break $firstLetter;
            }
          }
          const at_3 = at;
          const lead = $data0[$start0 + at_3 | 0];
          const operand = at_3 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
          const next = operand < ($stop0 - $start0 | 0) ? operand : $stop0 - $start0 | 0;
          at = next;
        }
        const at_4 = at;
        firstLetter_2 = -1;
      }
      const start = firstLetter_2;
      if (start < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      let stop = start;
      $loop_2: for (; stop < ($stop0 - $start0 | 0); ) {
        const at_5 = stop;
        let char_5 = at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_5 | 0] : 0;
        if (char_5 >= 128) {
          if (char_5 < 224) {
            char_5 = char_5 < 192 ? 65533 : ((char_5 & 31) << 6 | ($data0[($start0 + at_5 | 0) + 1 | 0] & 63));
          } else {
            if (char_5 < 240) {
              char_5 = ((char_5 & 15) << 12 | ($data0[($start0 + at_5 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + at_5 | 0) + 2 | 0] & 63);
            } else {
              char_5 = (((char_5 & 7) << 18 | ($data0[($start0 + at_5 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + at_5 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + at_5 | 0) + 3 | 0] & 63);
            }
          }
        }
        const char_6 = char_5;
        if (!(char_6 >= 65 && (char_6 <= 90 || char_6 >= 97 && char_6 <= 122))) {
          break $loop_2;
        }
        const at_6 = stop;
        const lead_2 = $data0[$start0 + at_6 | 0];
        const operand_2 = at_6 + (lead_2 < 192 ? 1 : lead_2 < 224 ? 2 : lead_2 < 240 ? 3 : 4) | 0;
        const next_2 = at_6 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? (operand_2 < ($stop0 - $start0 | 0) ? operand_2 : $stop0 - $start0 | 0) : at_6 < 0 ? 0 : $stop0 - $start0 | 0;
        stop = next_2;
      }
      const upper = start < ($stop0 - $start0 | 0) ? start : $stop0 - $start0 | 0;
      const upper_2 = stop < ($stop0 - $start0 | 0) ? stop : $stop0 - $start0 | 0;
      const high = upper_2 > upper ? upper_2 : upper;
      let at_7 = $start0 + upper | 0;
      $copy: for (; at_7 < ($start0 + high | 0); ) {
        if ($data0[at_7] < 128) {
          const from = at_7;
          $run: for (; at_7 < ($start0 + high | 0); at_7 = at_7 + 1 | 0) {
            const char_7 = $data0[at_7];
            if (char_7 >= 128) {
              break $run;
            }
            $out[$size] = (char_7 - 110 | 0) >>> 0 < 13 ? char_7 - 13 | 0 : (char_7 - 97 | 0) >>> 0 < 13 ? char_7 + 13 | 0 : (char_7 - 78 | 0) >>> 0 < 13 ? char_7 - 13 | 0 : (char_7 - 65 | 0) >>> 0 < 13 ? char_7 + 13 | 0 : char_7;
            $size++;
          }
          if (at_7 >= ($start0 + high | 0)) {
            break $copy;
          }
        }
        const lead_3 = $data0[at_7];
        const size = lead_3 < 192 ? 1 : lead_3 < 224 ? 2 : lead_3 < 240 ? 3 : 4;
        let char_8 = lead_3;
        if (char_8 >= 128) {
          if (char_8 < 224) {
            char_8 = char_8 < 192 ? 65533 : ((char_8 & 31) << 6 | ($data0[at_7 + 1 | 0] & 63));
          } else {
            if (char_8 < 240) {
              char_8 = ((char_8 & 15) << 12 | ($data0[at_7 + 1 | 0] & 63) << 6) | ($data0[at_7 + 2 | 0] & 63);
            } else {
              char_8 = (((char_8 & 7) << 18 | ($data0[at_7 + 1 | 0] & 63) << 12) | ($data0[at_7 + 2 | 0] & 63) << 6) | ($data0[at_7 + 3 | 0] & 63);
            }
          }
        }
        at_7 = at_7 + size | 0;
        const char_9 = char_8;
        let rotated_2 = 0;
        $rotated: {
          if (!(char_9 >= 65 && (char_9 <= 90 || char_9 >= 97 && char_9 <= 122))) {
            rotated_2 = char_9;
            break $rotated;
          }
          const first = char_9 >= 97 ? 97 : 65;
          const at_8 = (char_9 - first | 0) + 13 | 0;
          let at_9 = at_8;
          $loop_3: for (; at_9 >= 26; ) {
            at_9 = at_9 - 26 | 0;
          }
          rotated_2 = first + at_9 | 0;
        }
        const char_10 = rotated_2;
        if (char_10 >>> 0 < 128) {
          $out[$size] = char_10;
          $size++;
        } else {
          if (char_10 >>> 0 < 2048) {
            $out[$size] = char_10 >> 6 | 192;
            $out[$size + 1] = (char_10 & 63) | 128;
            $size += 2;
          } else {
            const valid = char_10 >>> 0 < 1114112 && (char_10 < 55296 || char_10 >= 57344) ? char_10 : 65533;
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

