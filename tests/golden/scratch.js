// scratch, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $data0) {
  "use strict";
  const $scratch = new Int32Array(11);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    let count = 0;
    let at = 0;
    $loop: while (at < ($stop0 - $start0 | 0)) {
      $loop_round: {
        const at_2 = at;
        const at_3 = count;
        const char = $data0[$start0 + at_2 | 0];
        const index = at_3 & 7;
        $scratch[index] = char;
        count = at_3 + 1 | 0;
      }
      const at_4 = at;
      at = at_4 + 1 | 0;
    }
    const at_5 = at;
    const at_6 = count;
    const index_2 = at_6 & 7;
    $scratch[index_2] = 33;
    const i = count < 7 ? 0 : count - 7 | 0;
    let i_2 = i;
    $loop_2: for (; i_2 <= count; i_2 = i_2 + 1 | 0) {
      const index_3 = i_2 & 7;
      const word = $scratch[index_3];
      $scratch[10] = word;
      $scratch[8] = word + 1 | 0;
      const word_2 = $scratch[8];
      if ((word_2 - 1 | 0) >>> 0 < 128) {
        $out[$size] = word_2 - 1 | 0;
        $size++;
      } else {
        if ((word_2 - 1 | 0) >>> 0 < 2048) {
          $out[$size] = (word_2 - 1 | 0) >> 6 | 192;
          $out[$size + 1] = ((word_2 - 1 | 0) & 63) | 128;
          $size += 2;
        } else {
          const valid = (word_2 - 1 | 0) >>> 0 < 1114112 && ((word_2 - 1 | 0) < 55296 || (word_2 - 1 | 0) >= 57344) ? word_2 - 1 | 0 : 65533;
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
      if (word >= 97 && word <= 122) {
        const word_3 = $scratch[10];
        if (word_3 >>> 0 < 128) {
          $out[$size] = word_3;
          $size++;
        } else {
          if (word_3 >>> 0 < 2048) {
            $out[$size] = word_3 >> 6 | 192;
            $out[$size + 1] = (word_3 & 63) | 128;
            $size += 2;
          } else {
            const valid_2 = word_3 >>> 0 < 1114112 && (word_3 < 55296 || word_3 >= 57344) ? word_3 : 65533;
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

// scratch, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $offsets0, $data0) {
  "use strict";
  const $scratch = new Int32Array(11);
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
      let count = 0;
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
          const at_3 = count;
          const index = at_3 & 7;
          $scratch[index] = char_2;
          count = at_3 + 1 | 0;
        }
        const at_4 = at;
        const lead = $data0[$start0 + at_4 | 0];
        const operand = at_4 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
        const next = operand < ($stop0 - $start0 | 0) ? operand : $stop0 - $start0 | 0;
        at = next;
      }
      const at_5 = at;
      const at_6 = count;
      const index_2 = at_6 & 7;
      $scratch[index_2] = 33;
      const i = count < 7 ? 0 : count - 7 | 0;
      let i_2 = i;
      $loop_2: for (; i_2 <= count; i_2 = i_2 + 1 | 0) {
        const index_3 = i_2 & 7;
        const word = $scratch[index_3];
        $scratch[10] = word;
        $scratch[8] = word + 1 | 0;
        const word_2 = $scratch[8];
        if ((word_2 - 1 | 0) >>> 0 < 128) {
          $out[$size] = word_2 - 1 | 0;
          $size++;
        } else {
          if ((word_2 - 1 | 0) >>> 0 < 2048) {
            $out[$size] = (word_2 - 1 | 0) >> 6 | 192;
            $out[$size + 1] = ((word_2 - 1 | 0) & 63) | 128;
            $size += 2;
          } else {
            const valid = (word_2 - 1 | 0) >>> 0 < 1114112 && ((word_2 - 1 | 0) < 55296 || (word_2 - 1 | 0) >= 57344) ? word_2 - 1 | 0 : 65533;
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
        if (word >= 97 && word <= 122) {
          const word_3 = $scratch[10];
          if (word_3 >>> 0 < 128) {
            $out[$size] = word_3;
            $size++;
          } else {
            if (word_3 >>> 0 < 2048) {
              $out[$size] = word_3 >> 6 | 192;
              $out[$size + 1] = (word_3 & 63) | 128;
              $size += 2;
            } else {
              const valid_2 = word_3 >>> 0 < 1114112 && (word_3 < 55296 || word_3 >= 57344) ? word_3 : 65533;
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

