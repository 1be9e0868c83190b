// lower(strip($0, " \t")), ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    let start = 0;
    $loop: for (; start < ($stop0 - $start0 | 0); ) {
      const at = start;
      const wanted_2 = $data0[$start0 + at | 0];
      if (!(wanted_2 === 32 || wanted_2 === 9)) {
        break $loop;
      }
      const at_2 = start;
      start = at_2 + 1 | 0;
    }
    const start_2 = start;
    let stop = $stop0 - $start0 | 0;
    $loop_2: for (; stop > start_2; ) {
      const at_3 = stop;
      const wanted_3 = $data0[$start0 + (at_3 - 1 | 0) | 0];
      if (!(wanted_3 === 32 || wanted_3 === 9)) {
        break $loop_2;
      }
      stop = at_3 - 1 | 0;
    }
    const stop_2 = stop;
    let at_4 = $start0 + start_2 | 0;
    $copy: for (; at_4 < ($start0 + stop_2 | 0); at_4 = at_4 + 1 | 0) {
      const char = $data0[at_4];
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

// strip_lower_slice, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    const moved = 3 > ($stop0 - $start0 | 0) ? $stop0 - $start0 | 0 : 3;
    {
      const $from = $start0;
      const $bytes = moved;
      if ($size + 16 <= $capacity && $from + 16 <= $view0.byteLength) {
        $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
        $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
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

// lower(strip($0, " \t")), UTF-8, nulls
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
      let start = 0;
      $loop: for (; start < ($stop0 - $start0 | 0); ) {
        $ascii: for (; start < ($stop0 - $start0 | 0); ) {
          const at = start;
          const wanted = $data0[$start0 + at | 0];
          if ($data0[$start0 + start | 0] >= 128 || !(wanted === 32 || wanted === 9)) {
            break $ascii;
          }
          start = start + 1 | 0;
        }
        if (!(start < ($stop0 - $start0 | 0) && $data0[$start0 + start | 0] >= 128)) {
          break $loop;
        }
        const at_2 = start;
        let char_3 = $data0[$start0 + at_2 | 0];
        if (char_3 >= 128) {
          if (char_3 < 224) {
            char_3 = char_3 < 192 ? 65533 : ((char_3 & 31) << 6 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63));
          } else {
            if (char_3 < 240) {
              char_3 = ((char_3 & 15) << 12 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + at_2 | 0) + 2 | 0] & 63);
            } else {
              char_3 = (((char_3 & 7) << 18 | ($data0[($start0 + at_2 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + at_2 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + at_2 | 0) + 3 | 0] & 63);
            }
          }
        }
        const char_4 = char_3;
        if (!(char_4 === 32 || char_4 === 9)) {
          break $loop;
        }
        const at_3 = start;
        const lead = $data0[$start0 + at_3 | 0];
        const operand = at_3 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
        const next = operand < ($stop0 - $start0 | 0) ? operand : $stop0 - $start0 | 0;
        start = next;
      }
      const start_2 = start;
      let stop = $stop0 - $start0 | 0;
      $loop_2: for (; stop > start_2; ) {
        $ascii_2: for (; stop > start_2; ) {
          const at_4 = stop;
          const wanted_2 = $data0[$start0 + (at_4 - 1 | 0) | 0];
          if ($data0[$start0 + (stop - 1 | 0) | 0] >= 128 || !(wanted_2 === 32 || wanted_2 === 9)) {
            break $ascii_2;
          }
          stop = stop - 1 | 0;
        }
        if (!(stop > start_2 && $data0[$start0 + (stop - 1 | 0) | 0] >= 128)) {
          break $loop_2;
        }
        const at_5 = stop;
        let previous = at_5 - 1 | 0;
        $back: for (; previous > 0 && ($data0[$start0 + previous | 0] & 192) === 128; previous = previous - 1 | 0) {
        }
        const previous_2 = previous;
        let char_5 = $data0[$start0 + previous_2 | 0];
        if (char_5 >= 128) {
          if (char_5 < 224) {
            char_5 = char_5 < 192 ? 65533 : ((char_5 & 31) << 6 | ($data0[($start0 + previous_2 | 0) + 1 | 0] & 63));
          } else {
            if (char_5 < 240) {
              char_5 = ((char_5 & 15) << 12 | ($data0[($start0 + previous_2 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + previous_2 | 0) + 2 | 0] & 63);
            } else {
              char_5 = (((char_5 & 7) << 18 | ($data0[($start0 + previous_2 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + previous_2 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + previous_2 | 0) + 3 | 0] & 63);
            }
          }
        }
        const char_6 = char_5;
        if (!(char_6 === 32 || char_6 === 9)) {
          break $loop_2;
        }
        stop = previous_2;
      }
      const stop_2 = stop;
      const high = stop_2 > start_2 ? stop_2 : start_2;
      let at_6 = $start0 + start_2 | 0;
      $copy: for (; at_6 < ($start0 + high | 0); ) {
        if ($data0[at_6] < 128) {
          const from = at_6;
          $run: for (; at_6 < ($start0 + high | 0); at_6 = at_6 + 1 | 0) {
            const char_7 = $data0[at_6];
            if (char_7 >= 128) {
              break $run;
            }
            $out[$size] = (char_7 - 65 | 0) >>> 0 < 26 ? char_7 + 32 | 0 : char_7;
            $size++;
          }
          if (at_6 >= ($start0 + high | 0)) {
            break $copy;
          }
        }
        const lead_2 = $data0[at_6];
        const size = lead_2 < 192 ? 1 : lead_2 < 224 ? 2 : lead_2 < 240 ? 3 : 4;
        let char_8 = lead_2;
        if (char_8 >= 128) {
          if (char_8 < 224) {
            char_8 = char_8 < 192 ? 65533 : ((char_8 & 31) << 6 | ($data0[at_6 + 1 | 0] & 63));
          } else {
            if (char_8 < 240) {
              char_8 = ((char_8 & 15) << 12 | ($data0[at_6 + 1 | 0] & 63) << 6) | ($data0[at_6 + 2 | 0] & 63);
            } else {
              char_8 = (((char_8 & 7) << 18 | ($data0[at_6 + 1 | 0] & 63) << 12) | ($data0[at_6 + 2 | 0] & 63) << 6) | ($data0[at_6 + 3 | 0] & 63);
            }
          }
        }
        at_6 = at_6 + size | 0;
        const char_9 = char_8;
        $lower: {
          if (char_9 >= 65 && char_9 <= 90) {
            if ((char_9 + 32 | 0) >>> 0 < 128) {
              $out[$size] = char_9 + 32 | 0;
              $size++;
            } else {
              if ((char_9 + 32 | 0) >>> 0 < 2048) {
                $out[$size] = (char_9 + 32 | 0) >> 6 | 192;
                $out[$size + 1] = ((char_9 + 32 | 0) & 63) | 128;
                $size += 2;
              } else {
                const valid = (char_9 + 32 | 0) >>> 0 < 1114112 && ((char_9 + 32 | 0) < 55296 || (char_9 + 32 | 0) >= 57344) ? char_9 + 32 | 0 : 65533;
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
            break $lower;
          }
          if (char_9 === 201) {
            $out[$size] = 195;
            $out[$size + 1] = 169;
            $size += 2;
          } else {
            if (char_9 >>> 0 < 128) {
              $out[$size] = char_9;
              $size++;
            } else {
              if (char_9 >>> 0 < 2048) {
                $out[$size] = char_9 >> 6 | 192;
                $out[$size + 1] = (char_9 & 63) | 128;
                $size += 2;
              } else {
                const valid_2 = char_9 >>> 0 < 1114112 && (char_9 < 55296 || char_9 >= 57344) ? char_9 : 65533;
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

// strip_lower_slice, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  const $view0 = $viewBytes($data0);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
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
      let at = 0;
      let left = 3;
      $forward: for (; left > 0 && at < ($stop0 - $start0 | 0); left = left - 1 | 0) {
        const lead = $data0[$start0 + at | 0];
        at = at + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
      }
      const moved = at < ($stop0 - $start0 | 0) ? at : $stop0 - $start0 | 0;
      {
        const $from = $start0;
        const $bytes = moved;
        if ($size + 16 <= $capacity && $from + 16 <= $view0.byteLength) {
          $view.setBigInt64($size, $view0.getBigInt64($from, true), true);
          $view.setBigInt64($size + 8, $view0.getBigInt64($from + 8, true), true);
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

