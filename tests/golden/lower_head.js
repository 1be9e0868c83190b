// lower_head, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    const moved = 20 > ($stop0 - $start0 | 0) ? $stop0 - $start0 | 0 : 20;
    let at = $start0;
    $copy: for (; at < ($start0 + moved | 0); at = at + 1 | 0) {
      const char = $data0[at];
      $out[$size] = (char - 65 | 0) >>> 0 < 26 ? char + 32 | 0 : char;
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

// lower_head, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $start0 = $offsets0[$row];
    const $stop0 = $offsets0[$row + 1];
    const $begin = $size;
    $body: {
      $head_text: {
        let state_position = 0;
        if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
          $nulls++;
          $validity[$row >> 3] &= ~(1 << ($row & 7));
          $size = $begin;
          break $body;
        }
        let at = $start0;
        $copy: for (; at < $stop0; ) {
          const lead = $data0[at];
          if (lead < 128) {
            const char = (lead - 65 | 0) >>> 0 < 26 ? lead + 32 | 0 : lead;
            if (state_position >= 20) {
              break $head_text;
            }
            $out[$size] = char;
            $size++;
            state_position = state_position + 1 | 0;
            at = at + 1 | 0;
          } else {
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
            $lower: {
              if (char_3 >= 65 && char_3 <= 90) {
                if (state_position >= 20) {
                  break $head_text;
                }
                if ((char_3 + 32 | 0) >>> 0 < 128) {
                  $out[$size] = char_3 + 32 | 0;
                  $size++;
                } else {
                  if ((char_3 + 32 | 0) >>> 0 < 2048) {
                    $out[$size] = (char_3 + 32 | 0) >> 6 | 192;
                    $out[$size + 1] = ((char_3 + 32 | 0) & 63) | 128;
                    $size += 2;
                  } else {
                    const valid = (char_3 + 32 | 0) >>> 0 < 1114112 && ((char_3 + 32 | 0) < 55296 || (char_3 + 32 | 0) >= 57344) ? char_3 + 32 | 0 : 65533;
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
                state_position = state_position + 1 | 0;
                break $lower;
              }
              if (char_3 === 201) {
                if (state_position >= 20) {
                  break $head_text;
                }
                $out[$size] = 195;
                $out[$size + 1] = 169;
                $size += 2;
                state_position = state_position + 1 | 0;
              } else {
                if (state_position >= 20) {
                  break $head_text;
                }
                if (char_3 >>> 0 < 128) {
                  $out[$size] = char_3;
                  $size++;
                } else {
                  if (char_3 >>> 0 < 2048) {
                    $out[$size] = char_3 >> 6 | 192;
                    $out[$size + 1] = (char_3 & 63) | 128;
                    $size += 2;
                  } else {
                    const valid_2 = char_3 >>> 0 < 1114112 && (char_3 < 55296 || char_3 >= 57344) ? char_3 : 65533;
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
                state_position = state_position + 1 | 0;
              }
            }
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

