// extract, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $offsets0, $data0, $table1, $table0, $table2) {
  "use strict";
  const $view0 = $viewBytes($data0);
  const $scratch = new Int32Array(8);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $begin = $size;
    $body: {
      let search_2 = false;
      $search: {
        $scratch[0] = -1;
        const operand = ($stop0 - $start0 | 0) + 1 | 0;
        let at = $start0;
        if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at)) {
          $seen0 = at;
          $hit0 = $seekByte($view0, at, ($stop0 - 1 | 0), $end0, 64);
        }
        at = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
        const find = at <= ($stop0 - 1 | 0) ? at - $start0 | 0 : -1;
        if (find < 0) {
          search_2 = false;
          break $search;
        }
        $scratch[6] = -1;
        let state = 0;
        let isOpen = true;
        let at_2 = 0;
        $loop: for (; isOpen && at_2 < ($stop0 - $start0 | 0); ) {
          const at_3 = at_2;
          const char = at_3 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_3 | 0] : 0;
          state = $table1[(state + $table0[char & 127] | 0) & 15];
          if (state < 0) {
            const state_2 = state;
            const at_4 = at_2;
            const stop = ((-1 - state_2 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_2 | 0) + 1 | 0) & 31]) | 0;
            const i = (-1 - state_2 | 0) + 2 | 0;
            let i_2 = i;
            $loop_2: for (; i_2 < stop; i_2 = i_2 + 2 | 0) {
              const from = $table2[(i_2 + 1 | 0) & 31];
              let chosen = 0;
              if (from >= 0) {
                const word = from >>> 0 < 6 ? $scratch[from] : 0;
                chosen = word;
              } else {
                chosen = from === -1 ? at_4 : -1;
              }
              const value = chosen;
              const index = $table2[i_2 & 31];
              if (index >>> 0 < 6) {
                $scratch[index] = value;
              }
            }
            state = $table2[(-1 - state_2 | 0) & 31];
            if (state < 0) {
              const word_2 = $scratch[0];
              search_2 = word_2 >= 0;
              break $search;
            }
            const word_3 = $scratch[0];
            isOpen = word_3 < 0;
          }
          const at_5 = at_2;
          const next = at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? at_5 + 1 | 0 : at_5 < 0 ? 0 : $stop0 - $start0 | 0;
          at_2 = next;
        }
        if (!isOpen) {
          let readOn_2 = 0;
          $readOn: {
            const at_6 = at_2;
            const state_3 = state;
            let state_4 = state_3;
            let at_7 = at_6;
            let since = at_6;
            $loop_3: for (; at_7 < ($stop0 - $start0 | 0); ) {
              const word_4 = $scratch[6];
              let both = state_4 === word_4;
              if (both) {
                const word_5 = $scratch[7];
                both = at_7 >= word_5;
              }
              if (both) {
                readOn_2 = -1;
                break $readOn;
              }
              const before = state_4;
              const word_6 = $scratch[0];
              const at_8 = at_7;
              const char_2 = at_8 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_8 | 0] : 0;
              state_4 = $table1[(state_4 + $table0[char_2 & 127] | 0) & 15];
              if (state_4 < 0) {
                const state_5 = state_4;
                const at_9 = at_7;
                const stop_2 = ((-1 - state_5 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_5 | 0) + 1 | 0) & 31]) | 0;
                const i_3 = (-1 - state_5 | 0) + 2 | 0;
                let i_4 = i_3;
                $loop_4: for (; i_4 < stop_2; i_4 = i_4 + 2 | 0) {
                  const from_2 = $table2[(i_4 + 1 | 0) & 31];
                  let chosen_2 = 0;
                  if (from_2 >= 0) {
                    const word_7 = from_2 >>> 0 < 6 ? $scratch[from_2] : 0;
                    chosen_2 = word_7;
                  } else {
                    chosen_2 = from_2 === -1 ? at_9 : -1;
                  }
                  const value_2 = chosen_2;
                  const index_2 = $table2[i_4 & 31];
                  if (index_2 >>> 0 < 6) {
                    $scratch[index_2] = value_2;
                  }
                }
                state_4 = $table2[(-1 - state_5 | 0) & 31];
                if (state_4 < 0) {
                  readOn_2 = -1;
                  break $readOn;
                }
              }
              const at_10 = at_7;
              const next_2 = at_10 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? at_10 + 1 | 0 : at_10 < 0 ? 0 : $stop0 - $start0 | 0;
              at_7 = next_2;
              let both_2 = state_4 !== before;
              if (!both_2) {
                const word_8 = $scratch[0];
                both_2 = word_8 !== word_6;
              }
              if (both_2) {
                since = at_7;
              }
            }
            $scratch[6] = state_4;
            $scratch[7] = since;
            readOn_2 = state_4;
          }
          state = readOn_2;
          if (state < 0) {
            search_2 = true;
            break $search;
          }
        }
        state = $table1[(state + 3 | 0) & 15];
        if (state < 0) {
          const state_6 = state;
          const stop_3 = ((-1 - state_6 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_6 | 0) + 1 | 0) & 31]) | 0;
          const i_5 = (-1 - state_6 | 0) + 2 | 0;
          let i_6 = i_5;
          $loop_5: for (; i_6 < stop_3; i_6 = i_6 + 2 | 0) {
            const from_3 = $table2[(i_6 + 1 | 0) & 31];
            let chosen_3 = 0;
            if (from_3 >= 0) {
              const word_9 = from_3 >>> 0 < 6 ? $scratch[from_3] : 0;
              chosen_3 = word_9;
            } else {
              chosen_3 = from_3 === -1 ? $stop0 - $start0 | 0 : -1;
            }
            const value_3 = chosen_3;
            const index_3 = $table2[i_6 & 31];
            if (index_3 >>> 0 < 6) {
              $scratch[index_3] = value_3;
            }
          }
          state = $table2[(-1 - state_6 | 0) & 31];
        }
        const word_10 = $scratch[0];
        search_2 = word_10 >= 0;
      }
      if (!search_2) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const word_11 = $scratch[1];
      if (word_11 < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const word_12 = $scratch[2];
      const upper = word_11 < ($stop0 - $start0 | 0) ? word_11 : $stop0 - $start0 | 0;
      const upper_2 = word_12 < ($stop0 - $start0 | 0) ? word_12 : $stop0 - $start0 | 0;
      const high = upper_2 > upper ? upper_2 : upper;
      {
        const $from = $start0 + upper | 0;
        const $bytes = high - upper | 0;
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

// extract, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $seekByte, $valid0, $offsets0, $data0, $table0, $table1, $table2) {
  "use strict";
  const $view0 = $viewBytes($data0);
  const $scratch = new Int32Array(8);
  let $out = $result, $size = 0, $capacity = $out.length;
  let $view = $viewBytes($out);
  const $end0 = $offsets0[$rows];
  let $seen0 = 0, $hit0 = -1;
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
      let search_2 = false;
      $search: {
        $scratch[0] = -1;
        const operand = ($stop0 - $start0 | 0) + 1 | 0;
        let at = $start0;
        if (at < $seen0 || ($hit0 < 0 ? ~$hit0 <= ($stop0 - 1 | 0) : $hit0 < at)) {
          $seen0 = at;
          $hit0 = $seekByte($view0, at, ($stop0 - 1 | 0), $end0, 64);
        }
        at = $hit0 < 0 ? ($stop0 - 1 | 0) + 1 : $hit0;
        const find = at <= ($stop0 - 1 | 0) ? at - $start0 | 0 : -1;
        if (find < 0) {
          search_2 = false;
          break $search;
        }
        $scratch[6] = -1;
        let state = 0;
        let isOpen = true;
        let at_2 = 0;
        $loop: for (; isOpen && at_2 < ($stop0 - $start0 | 0); ) {
          const at_3 = at_2;
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
          let classOf_2 = 0;
          $classOf: {
            if (char_2 < 128) {
              classOf_2 = $table0[char_2 & 127];
              break $classOf;
            }
            classOf_2 = 0;
          }
          state = $table1[(state + classOf_2 | 0) & 15];
          if (state < 0) {
            const state_2 = state;
            const at_4 = at_2;
            const stop = ((-1 - state_2 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_2 | 0) + 1 | 0) & 31]) | 0;
            const i = (-1 - state_2 | 0) + 2 | 0;
            let i_2 = i;
            $loop_2: for (; i_2 < stop; i_2 = i_2 + 2 | 0) {
              const from = $table2[(i_2 + 1 | 0) & 31];
              let chosen = 0;
              if (from >= 0) {
                const word = from >>> 0 < 6 ? $scratch[from] : 0;
                chosen = word;
              } else {
                chosen = from === -1 ? at_4 : -1;
              }
              const value = chosen;
              const index = $table2[i_2 & 31];
              if (index >>> 0 < 6) {
                $scratch[index] = value;
              }
            }
            state = $table2[(-1 - state_2 | 0) & 31];
            if (state < 0) {
              const word_2 = $scratch[0];
              search_2 = word_2 >= 0;
              break $search;
            }
            const word_3 = $scratch[0];
            isOpen = word_3 < 0;
          }
          const at_5 = at_2;
          const lead = $data0[$start0 + at_5 | 0];
          const operand_2 = at_5 + (lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4) | 0;
          const next = at_5 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? (operand_2 < ($stop0 - $start0 | 0) ? operand_2 : $stop0 - $start0 | 0) : at_5 < 0 ? 0 : $stop0 - $start0 | 0;
          at_2 = next;
        }
        if (!isOpen) {
          let readOn_2 = 0;
          $readOn: {
            const at_6 = at_2;
            const state_3 = state;
            let state_4 = state_3;
            let at_7 = at_6;
            let since = at_6;
            $loop_3: for (; at_7 < ($stop0 - $start0 | 0); ) {
              const word_4 = $scratch[6];
              let both = state_4 === word_4;
              if (both) {
                const word_5 = $scratch[7];
                both = at_7 >= word_5;
              }
              if (both) {
                readOn_2 = -1;
                break $readOn;
              }
              const before = state_4;
              const word_6 = $scratch[0];
              const at_8 = at_7;
              let char_3 = at_8 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? $data0[$start0 + at_8 | 0] : 0;
              if (char_3 >= 128) {
                if (char_3 < 224) {
                  char_3 = char_3 < 192 ? 65533 : ((char_3 & 31) << 6 | ($data0[($start0 + at_8 | 0) + 1 | 0] & 63));
                } else {
                  if (char_3 < 240) {
                    char_3 = ((char_3 & 15) << 12 | ($data0[($start0 + at_8 | 0) + 1 | 0] & 63) << 6) | ($data0[($start0 + at_8 | 0) + 2 | 0] & 63);
                  } else {
                    char_3 = (((char_3 & 7) << 18 | ($data0[($start0 + at_8 | 0) + 1 | 0] & 63) << 12) | ($data0[($start0 + at_8 | 0) + 2 | 0] & 63) << 6) | ($data0[($start0 + at_8 | 0) + 3 | 0] & 63);
                  }
                }
              }
              const char_4 = char_3;
              let classOf_4 = 0;
              $classOf_3: {
                if (char_4 < 128) {
                  classOf_4 = $table0[char_4 & 127];
                  break $classOf_3;
                }
                classOf_4 = 0;
              }
              state_4 = $table1[(state_4 + classOf_4 | 0) & 15];
              if (state_4 < 0) {
                const state_5 = state_4;
                const at_9 = at_7;
                const stop_2 = ((-1 - state_5 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_5 | 0) + 1 | 0) & 31]) | 0;
                const i_3 = (-1 - state_5 | 0) + 2 | 0;
                let i_4 = i_3;
                $loop_4: for (; i_4 < stop_2; i_4 = i_4 + 2 | 0) {
                  const from_2 = $table2[(i_4 + 1 | 0) & 31];
                  let chosen_2 = 0;
                  if (from_2 >= 0) {
                    const word_7 = from_2 >>> 0 < 6 ? $scratch[from_2] : 0;
                    chosen_2 = word_7;
                  } else {
                    chosen_2 = from_2 === -1 ? at_9 : -1;
                  }
                  const value_2 = chosen_2;
                  const index_2 = $table2[i_4 & 31];
                  if (index_2 >>> 0 < 6) {
                    $scratch[index_2] = value_2;
                  }
                }
                state_4 = $table2[(-1 - state_5 | 0) & 31];
                if (state_4 < 0) {
                  readOn_2 = -1;
                  break $readOn;
                }
              }
              const at_10 = at_7;
              const lead_2 = $data0[$start0 + at_10 | 0];
              const operand_3 = at_10 + (lead_2 < 192 ? 1 : lead_2 < 224 ? 2 : lead_2 < 240 ? 3 : 4) | 0;
              const next_2 = at_10 >>> 0 < ($stop0 - $start0 | 0) >>> 0 ? (operand_3 < ($stop0 - $start0 | 0) ? operand_3 : $stop0 - $start0 | 0) : at_10 < 0 ? 0 : $stop0 - $start0 | 0;
              at_7 = next_2;
              let both_2 = state_4 !== before;
              if (!both_2) {
                const word_8 = $scratch[0];
                both_2 = word_8 !== word_6;
              }
              if (both_2) {
                since = at_7;
              }
            }
            $scratch[6] = state_4;
            $scratch[7] = since;
            readOn_2 = state_4;
          }
          state = readOn_2;
          if (state < 0) {
            search_2 = true;
            break $search;
          }
        }
        state = $table1[(state + 3 | 0) & 15];
        if (state < 0) {
          const state_6 = state;
          const stop_3 = ((-1 - state_6 | 0) + 2 | 0) + Math.imul(2, $table2[((-1 - state_6 | 0) + 1 | 0) & 31]) | 0;
          const i_5 = (-1 - state_6 | 0) + 2 | 0;
          let i_6 = i_5;
          $loop_5: for (; i_6 < stop_3; i_6 = i_6 + 2 | 0) {
            const from_3 = $table2[(i_6 + 1 | 0) & 31];
            let chosen_3 = 0;
            if (from_3 >= 0) {
              const word_9 = from_3 >>> 0 < 6 ? $scratch[from_3] : 0;
              chosen_3 = word_9;
            } else {
              chosen_3 = from_3 === -1 ? $stop0 - $start0 | 0 : -1;
            }
            const value_3 = chosen_3;
            const index_3 = $table2[i_6 & 31];
            if (index_3 >>> 0 < 6) {
              $scratch[index_3] = value_3;
            }
          }
          state = $table2[(-1 - state_6 | 0) & 31];
        }
        const word_10 = $scratch[0];
        search_2 = word_10 >= 0;
      }
      if (!search_2) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const word_11 = $scratch[1];
      if (word_11 < 0) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        $size = $begin;
        break $body;
      }
      const word_12 = $scratch[2];
      const upper = word_11 < ($stop0 - $start0 | 0) ? word_11 : $stop0 - $start0 | 0;
      const upper_2 = word_12 < ($stop0 - $start0 | 0) ? word_12 : $stop0 - $start0 | 0;
      const high = upper_2 > upper ? upper_2 : upper;
      {
        const $from = $start0 + upper | 0;
        const $bytes = high - upper | 0;
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

