// extract, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> constants: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_search_2: bool = false;
  var leave_v_search = false;
  switch 0 {
    default: {
      scratch[0] = -1;
      let v_operand: i32 = (stop0 - start0) + 1;
      var v_at: i32 = start0;
      v_at = seek0(v_at, stop0 - 1, 64u);
      let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
      if (v_find < 0) {
        v_search_2 = false;
        break;
      }
      scratch[6] = -1;
      var v_state: i32 = 0;
      var v_isOpen: bool = true;
      var v_at_2: i32 = 0;
      var v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      for (; v_loop_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_at_3: i32 = v_at_2;
        let v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
        v_state = table1((v_state + table0(v_char & 127)) & 15);
        if (v_state < 0) {
          let v_state_2: i32 = v_state;
          let v_at_4: i32 = v_at_2;
          let v_stop: i32 = (((-1) - v_state_2) + 2) + (2 * table2((((-1) - v_state_2) + 1) & 31));
          let v_i: i32 = ((-1) - v_state_2) + 2;
          var v_i_2: i32 = v_i;
          for (; v_i_2 < v_stop; v_i_2 = v_i_2 + 2) {
            if (out_of_steps()) { return; }
            let v_from: i32 = table2((v_i_2 + 1) & 31);
            var v_chosen: i32 = 0;
            if (v_from >= 0) {
              let v_word: i32 = select(0, scratch[v_from], bitcast<u32>(v_from) < 6u);
              v_chosen = v_word;
            } else {
              v_chosen = select(-1, v_at_4, v_from == (-1));
            }
            let v_value: i32 = v_chosen;
            let v_index: i32 = table2(v_i_2 & 31);
            if (bitcast<u32>(v_index) < 6u) {
              scratch[v_index] = v_value;
            }
          }
          v_state = table2(((-1) - v_state_2) & 31);
          if (v_state < 0) {
            let v_word_2: i32 = scratch[0];
            v_search_2 = v_word_2 >= 0;
            leave_v_search = true;
            v_loop_SgoesOn = false;
            continue;
          }
          let v_word_3: i32 = scratch[0];
          v_isOpen = v_word_3 < 0;
        }
        let v_at_5: i32 = v_at_2;
        let v_next: i32 = select(select(stop0 - start0, 0, v_at_5 < 0), v_at_5 + 1, bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
        v_at_2 = v_next;
        v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      }
      if (leave_v_search) { break; }
      if (!v_isOpen) {
        var v_readOn_2: i32 = 0;
        var leave_v_readOn = false;
        switch 0 {
          default: {
            let v_at_6: i32 = v_at_2;
            let v_state_3: i32 = v_state;
            var v_state_4: i32 = v_state_3;
            var v_at_7: i32 = v_at_6;
            var v_since: i32 = v_at_6;
            var v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            for (; v_loop_3_SgoesOn; ) {
              if (out_of_steps()) { return; }
              let v_word_4: i32 = scratch[6];
              var v_both: bool = v_state_4 == v_word_4;
              if (v_both) {
                let v_word_5: i32 = scratch[7];
                v_both = v_at_7 >= v_word_5;
              }
              if (v_both) {
                v_readOn_2 = -1;
                leave_v_readOn = true;
                v_loop_3_SgoesOn = false;
                continue;
              }
              let v_before: i32 = v_state_4;
              let v_word_6: i32 = scratch[0];
              let v_at_8: i32 = v_at_7;
              let v_char_2: i32 = select(0, byte0(start0 + v_at_8), bitcast<u32>(v_at_8) < bitcast<u32>(stop0 - start0));
              v_state_4 = table1((v_state_4 + table0(v_char_2 & 127)) & 15);
              if (v_state_4 < 0) {
                let v_state_5: i32 = v_state_4;
                let v_at_9: i32 = v_at_7;
                let v_stop_2: i32 = (((-1) - v_state_5) + 2) + (2 * table2((((-1) - v_state_5) + 1) & 31));
                let v_i_3: i32 = ((-1) - v_state_5) + 2;
                var v_i_4: i32 = v_i_3;
                for (; v_i_4 < v_stop_2; v_i_4 = v_i_4 + 2) {
                  if (out_of_steps()) { return; }
                  let v_from_2: i32 = table2((v_i_4 + 1) & 31);
                  var v_chosen_2: i32 = 0;
                  if (v_from_2 >= 0) {
                    let v_word_7: i32 = select(0, scratch[v_from_2], bitcast<u32>(v_from_2) < 6u);
                    v_chosen_2 = v_word_7;
                  } else {
                    v_chosen_2 = select(-1, v_at_9, v_from_2 == (-1));
                  }
                  let v_value_2: i32 = v_chosen_2;
                  let v_index_2: i32 = table2(v_i_4 & 31);
                  if (bitcast<u32>(v_index_2) < 6u) {
                    scratch[v_index_2] = v_value_2;
                  }
                }
                v_state_4 = table2(((-1) - v_state_5) & 31);
                if (v_state_4 < 0) {
                  v_readOn_2 = -1;
                  leave_v_readOn = true;
                  v_loop_3_SgoesOn = false;
                  continue;
                }
              }
              let v_at_10: i32 = v_at_7;
              let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_10 < 0), v_at_10 + 1, bitcast<u32>(v_at_10) < bitcast<u32>(stop0 - start0));
              v_at_7 = v_next_2;
              var v_both_2: bool = v_state_4 != v_before;
              if (!v_both_2) {
                let v_word_8: i32 = scratch[0];
                v_both_2 = v_word_8 != v_word_6;
              }
              if (v_both_2) {
                v_since = v_at_7;
              }
              v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            }
            if (leave_v_readOn) { break; }
            scratch[6] = v_state_4;
            scratch[7] = v_since;
            v_readOn_2 = v_state_4;
          }
        }
        v_state = v_readOn_2;
        if (v_state < 0) {
          v_search_2 = true;
          break;
        }
      }
      v_state = table1((v_state + 3) & 15);
      if (v_state < 0) {
        let v_state_6: i32 = v_state;
        let v_stop_3: i32 = (((-1) - v_state_6) + 2) + (2 * table2((((-1) - v_state_6) + 1) & 31));
        let v_i_5: i32 = ((-1) - v_state_6) + 2;
        var v_i_6: i32 = v_i_5;
        for (; v_i_6 < v_stop_3; v_i_6 = v_i_6 + 2) {
          if (out_of_steps()) { return; }
          let v_from_3: i32 = table2((v_i_6 + 1) & 31);
          var v_chosen_3: i32 = 0;
          if (v_from_3 >= 0) {
            let v_word_9: i32 = select(0, scratch[v_from_3], bitcast<u32>(v_from_3) < 6u);
            v_chosen_3 = v_word_9;
          } else {
            v_chosen_3 = select(-1, stop0 - start0, v_from_3 == (-1));
          }
          let v_value_3: i32 = v_chosen_3;
          let v_index_3: i32 = table2(v_i_6 & 31);
          if (bitcast<u32>(v_index_3) < 6u) {
            scratch[v_index_3] = v_value_3;
          }
        }
        v_state = table2(((-1) - v_state_6) & 31);
      }
      let v_word_10: i32 = scratch[0];
      v_search_2 = v_word_10 >= 0;
    }
  }
  if (!v_search_2) {
    row_is_null = true;
    return;
  }
  let v_word_11: i32 = scratch[1];
  if (v_word_11 < 0) {
    row_is_null = true;
    return;
  }
  let v_word_12: i32 = scratch[2];
  let v_upper: i32 = min(stop0 - start0, v_word_11);
  let v_upper_2: i32 = min(stop0 - start0, v_word_12);
  let v_high: i32 = max(v_upper, v_upper_2);
  grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_upper));
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> constants: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_search_2: bool = false;
  var leave_v_search = false;
  switch 0 {
    default: {
      scratch[0] = -1;
      let v_operand: i32 = (stop0 - start0) + 1;
      var v_at: i32 = start0;
      v_at = seek0(v_at, stop0 - 1, 64u);
      let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
      if (v_find < 0) {
        v_search_2 = false;
        break;
      }
      scratch[6] = -1;
      var v_state: i32 = 0;
      var v_isOpen: bool = true;
      var v_at_2: i32 = 0;
      var v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      for (; v_loop_SgoesOn; ) {
        let v_at_3: i32 = v_at_2;
        let v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
        v_state = table1((v_state + table0(v_char & 127)) & 15);
        if (v_state < 0) {
          let v_state_2: i32 = v_state;
          let v_at_4: i32 = v_at_2;
          let v_stop: i32 = (((-1) - v_state_2) + 2) + (2 * table2((((-1) - v_state_2) + 1) & 31));
          let v_i: i32 = ((-1) - v_state_2) + 2;
          var v_i_2: i32 = v_i;
          for (; v_i_2 < v_stop; v_i_2 = v_i_2 + 2) {
            let v_from: i32 = table2((v_i_2 + 1) & 31);
            var v_chosen: i32 = 0;
            if (v_from >= 0) {
              let v_word: i32 = select(0, scratch[v_from], bitcast<u32>(v_from) < 6u);
              v_chosen = v_word;
            } else {
              v_chosen = select(-1, v_at_4, v_from == (-1));
            }
            let v_value: i32 = v_chosen;
            let v_index: i32 = table2(v_i_2 & 31);
            if (bitcast<u32>(v_index) < 6u) {
              scratch[v_index] = v_value;
            }
          }
          v_state = table2(((-1) - v_state_2) & 31);
          if (v_state < 0) {
            let v_word_2: i32 = scratch[0];
            v_search_2 = v_word_2 >= 0;
            leave_v_search = true;
            v_loop_SgoesOn = false;
            continue;
          }
          let v_word_3: i32 = scratch[0];
          v_isOpen = v_word_3 < 0;
        }
        let v_at_5: i32 = v_at_2;
        let v_next: i32 = select(select(stop0 - start0, 0, v_at_5 < 0), v_at_5 + 1, bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
        v_at_2 = v_next;
        v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      }
      if (leave_v_search) { break; }
      if (!v_isOpen) {
        var v_readOn_2: i32 = 0;
        var leave_v_readOn = false;
        switch 0 {
          default: {
            let v_at_6: i32 = v_at_2;
            let v_state_3: i32 = v_state;
            var v_state_4: i32 = v_state_3;
            var v_at_7: i32 = v_at_6;
            var v_since: i32 = v_at_6;
            var v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            for (; v_loop_3_SgoesOn; ) {
              let v_word_4: i32 = scratch[6];
              var v_both: bool = v_state_4 == v_word_4;
              if (v_both) {
                let v_word_5: i32 = scratch[7];
                v_both = v_at_7 >= v_word_5;
              }
              if (v_both) {
                v_readOn_2 = -1;
                leave_v_readOn = true;
                v_loop_3_SgoesOn = false;
                continue;
              }
              let v_before: i32 = v_state_4;
              let v_word_6: i32 = scratch[0];
              let v_at_8: i32 = v_at_7;
              let v_char_2: i32 = select(0, byte0(start0 + v_at_8), bitcast<u32>(v_at_8) < bitcast<u32>(stop0 - start0));
              v_state_4 = table1((v_state_4 + table0(v_char_2 & 127)) & 15);
              if (v_state_4 < 0) {
                let v_state_5: i32 = v_state_4;
                let v_at_9: i32 = v_at_7;
                let v_stop_2: i32 = (((-1) - v_state_5) + 2) + (2 * table2((((-1) - v_state_5) + 1) & 31));
                let v_i_3: i32 = ((-1) - v_state_5) + 2;
                var v_i_4: i32 = v_i_3;
                for (; v_i_4 < v_stop_2; v_i_4 = v_i_4 + 2) {
                  let v_from_2: i32 = table2((v_i_4 + 1) & 31);
                  var v_chosen_2: i32 = 0;
                  if (v_from_2 >= 0) {
                    let v_word_7: i32 = select(0, scratch[v_from_2], bitcast<u32>(v_from_2) < 6u);
                    v_chosen_2 = v_word_7;
                  } else {
                    v_chosen_2 = select(-1, v_at_9, v_from_2 == (-1));
                  }
                  let v_value_2: i32 = v_chosen_2;
                  let v_index_2: i32 = table2(v_i_4 & 31);
                  if (bitcast<u32>(v_index_2) < 6u) {
                    scratch[v_index_2] = v_value_2;
                  }
                }
                v_state_4 = table2(((-1) - v_state_5) & 31);
                if (v_state_4 < 0) {
                  v_readOn_2 = -1;
                  leave_v_readOn = true;
                  v_loop_3_SgoesOn = false;
                  continue;
                }
              }
              let v_at_10: i32 = v_at_7;
              let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_10 < 0), v_at_10 + 1, bitcast<u32>(v_at_10) < bitcast<u32>(stop0 - start0));
              v_at_7 = v_next_2;
              var v_both_2: bool = v_state_4 != v_before;
              if (!v_both_2) {
                let v_word_8: i32 = scratch[0];
                v_both_2 = v_word_8 != v_word_6;
              }
              if (v_both_2) {
                v_since = v_at_7;
              }
              v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            }
            if (leave_v_readOn) { break; }
            scratch[6] = v_state_4;
            scratch[7] = v_since;
            v_readOn_2 = v_state_4;
          }
        }
        v_state = v_readOn_2;
        if (v_state < 0) {
          v_search_2 = true;
          break;
        }
      }
      v_state = table1((v_state + 3) & 15);
      if (v_state < 0) {
        let v_state_6: i32 = v_state;
        let v_stop_3: i32 = (((-1) - v_state_6) + 2) + (2 * table2((((-1) - v_state_6) + 1) & 31));
        let v_i_5: i32 = ((-1) - v_state_6) + 2;
        var v_i_6: i32 = v_i_5;
        for (; v_i_6 < v_stop_3; v_i_6 = v_i_6 + 2) {
          let v_from_3: i32 = table2((v_i_6 + 1) & 31);
          var v_chosen_3: i32 = 0;
          if (v_from_3 >= 0) {
            let v_word_9: i32 = select(0, scratch[v_from_3], bitcast<u32>(v_from_3) < 6u);
            v_chosen_3 = v_word_9;
          } else {
            v_chosen_3 = select(-1, stop0 - start0, v_from_3 == (-1));
          }
          let v_value_3: i32 = v_chosen_3;
          let v_index_3: i32 = table2(v_i_6 & 31);
          if (bitcast<u32>(v_index_3) < 6u) {
            scratch[v_index_3] = v_value_3;
          }
        }
        v_state = table2(((-1) - v_state_6) & 31);
      }
      let v_word_10: i32 = scratch[0];
      v_search_2 = v_word_10 >= 0;
    }
  }
  if (!v_search_2) {
    row_is_null = true;
    return;
  }
  let v_word_11: i32 = scratch[1];
  if (v_word_11 < 0) {
    row_is_null = true;
    return;
  }
  let v_word_12: i32 = scratch[2];
  let v_upper: i32 = min(stop0 - start0, v_word_11);
  let v_upper_2: i32 = min(stop0 - start0, v_word_12);
  let v_high: i32 = max(v_upper, v_upper_2);
  copy0(bitcast<u32>(start0 + v_upper), bitcast<u32>(start0 + v_high));
}

// extract, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> constants: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  var v_search_2: bool = false;
  var leave_v_search = false;
  switch 0 {
    default: {
      scratch[0] = -1;
      let v_operand: i32 = (stop0 - start0) + 1;
      var v_at: i32 = start0;
      v_at = seek0(v_at, stop0 - 1, 64u);
      let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
      if (v_find < 0) {
        v_search_2 = false;
        break;
      }
      scratch[6] = -1;
      var v_state: i32 = 0;
      var v_isOpen: bool = true;
      var v_at_2: i32 = 0;
      var v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      for (; v_loop_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_at_3: i32 = v_at_2;
        var v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
        if (v_char >= 128) {
          if (v_char < 224) {
            v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_3) + 1) & 63), 65533, v_char < 192);
          } else if (v_char < 240) {
            v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_3) + 1) & 63) << 6u)) | (byte0((start0 + v_at_3) + 2) & 63);
          } else {
            v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_3) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_3) + 2) & 63) << 6u)) | (byte0((start0 + v_at_3) + 3) & 63);
          }
        }
        let v_char_2: i32 = v_char;
        var v_classOf_2: i32 = 0;
        switch 0 {
          default: {
            if (v_char_2 < 128) {
              v_classOf_2 = table0(v_char_2 & 127);
              break;
            }
            v_classOf_2 = 0;
          }
        }
        v_state = table1((v_state + v_classOf_2) & 15);
        if (v_state < 0) {
          let v_state_2: i32 = v_state;
          let v_at_4: i32 = v_at_2;
          let v_stop: i32 = (((-1) - v_state_2) + 2) + (2 * table2((((-1) - v_state_2) + 1) & 31));
          let v_i: i32 = ((-1) - v_state_2) + 2;
          var v_i_2: i32 = v_i;
          for (; v_i_2 < v_stop; v_i_2 = v_i_2 + 2) {
            if (out_of_steps()) { return; }
            let v_from: i32 = table2((v_i_2 + 1) & 31);
            var v_chosen: i32 = 0;
            if (v_from >= 0) {
              let v_word: i32 = select(0, scratch[v_from], bitcast<u32>(v_from) < 6u);
              v_chosen = v_word;
            } else {
              v_chosen = select(-1, v_at_4, v_from == (-1));
            }
            let v_value: i32 = v_chosen;
            let v_index: i32 = table2(v_i_2 & 31);
            if (bitcast<u32>(v_index) < 6u) {
              scratch[v_index] = v_value;
            }
          }
          v_state = table2(((-1) - v_state_2) & 31);
          if (v_state < 0) {
            let v_word_2: i32 = scratch[0];
            v_search_2 = v_word_2 >= 0;
            leave_v_search = true;
            v_loop_SgoesOn = false;
            continue;
          }
          let v_word_3: i32 = scratch[0];
          v_isOpen = v_word_3 < 0;
        }
        let v_at_5: i32 = v_at_2;
        let v_lead: i32 = byte0(start0 + v_at_5);
        let v_operand_2: i32 = v_at_5 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
        let v_next: i32 = select(select(stop0 - start0, 0, v_at_5 < 0), min(stop0 - start0, v_operand_2), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
        v_at_2 = v_next;
        v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      }
      if (leave_v_search) { break; }
      if (!v_isOpen) {
        var v_readOn_2: i32 = 0;
        var leave_v_readOn = false;
        switch 0 {
          default: {
            let v_at_6: i32 = v_at_2;
            let v_state_3: i32 = v_state;
            var v_state_4: i32 = v_state_3;
            var v_at_7: i32 = v_at_6;
            var v_since: i32 = v_at_6;
            var v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            for (; v_loop_3_SgoesOn; ) {
              if (out_of_steps()) { return; }
              let v_word_4: i32 = scratch[6];
              var v_both: bool = v_state_4 == v_word_4;
              if (v_both) {
                let v_word_5: i32 = scratch[7];
                v_both = v_at_7 >= v_word_5;
              }
              if (v_both) {
                v_readOn_2 = -1;
                leave_v_readOn = true;
                v_loop_3_SgoesOn = false;
                continue;
              }
              let v_before: i32 = v_state_4;
              let v_word_6: i32 = scratch[0];
              let v_at_8: i32 = v_at_7;
              var v_char_3: i32 = select(0, byte0(start0 + v_at_8), bitcast<u32>(v_at_8) < bitcast<u32>(stop0 - start0));
              if (v_char_3 >= 128) {
                if (v_char_3 < 224) {
                  v_char_3 = select(((v_char_3 & 31) << 6u) | (byte0((start0 + v_at_8) + 1) & 63), 65533, v_char_3 < 192);
                } else if (v_char_3 < 240) {
                  v_char_3 = (((v_char_3 & 15) << 12u) | ((byte0((start0 + v_at_8) + 1) & 63) << 6u)) | (byte0((start0 + v_at_8) + 2) & 63);
                } else {
                  v_char_3 = ((((v_char_3 & 7) << 18u) | ((byte0((start0 + v_at_8) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_8) + 2) & 63) << 6u)) | (byte0((start0 + v_at_8) + 3) & 63);
                }
              }
              let v_char_4: i32 = v_char_3;
              var v_classOf_4: i32 = 0;
              switch 0 {
                default: {
                  if (v_char_4 < 128) {
                    v_classOf_4 = table0(v_char_4 & 127);
                    break;
                  }
                  v_classOf_4 = 0;
                }
              }
              v_state_4 = table1((v_state_4 + v_classOf_4) & 15);
              if (v_state_4 < 0) {
                let v_state_5: i32 = v_state_4;
                let v_at_9: i32 = v_at_7;
                let v_stop_2: i32 = (((-1) - v_state_5) + 2) + (2 * table2((((-1) - v_state_5) + 1) & 31));
                let v_i_3: i32 = ((-1) - v_state_5) + 2;
                var v_i_4: i32 = v_i_3;
                for (; v_i_4 < v_stop_2; v_i_4 = v_i_4 + 2) {
                  if (out_of_steps()) { return; }
                  let v_from_2: i32 = table2((v_i_4 + 1) & 31);
                  var v_chosen_2: i32 = 0;
                  if (v_from_2 >= 0) {
                    let v_word_7: i32 = select(0, scratch[v_from_2], bitcast<u32>(v_from_2) < 6u);
                    v_chosen_2 = v_word_7;
                  } else {
                    v_chosen_2 = select(-1, v_at_9, v_from_2 == (-1));
                  }
                  let v_value_2: i32 = v_chosen_2;
                  let v_index_2: i32 = table2(v_i_4 & 31);
                  if (bitcast<u32>(v_index_2) < 6u) {
                    scratch[v_index_2] = v_value_2;
                  }
                }
                v_state_4 = table2(((-1) - v_state_5) & 31);
                if (v_state_4 < 0) {
                  v_readOn_2 = -1;
                  leave_v_readOn = true;
                  v_loop_3_SgoesOn = false;
                  continue;
                }
              }
              let v_at_10: i32 = v_at_7;
              let v_lead_2: i32 = byte0(start0 + v_at_10);
              let v_operand_3: i32 = v_at_10 + select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
              let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_10 < 0), min(stop0 - start0, v_operand_3), bitcast<u32>(v_at_10) < bitcast<u32>(stop0 - start0));
              v_at_7 = v_next_2;
              var v_both_2: bool = v_state_4 != v_before;
              if (!v_both_2) {
                let v_word_8: i32 = scratch[0];
                v_both_2 = v_word_8 != v_word_6;
              }
              if (v_both_2) {
                v_since = v_at_7;
              }
              v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            }
            if (leave_v_readOn) { break; }
            scratch[6] = v_state_4;
            scratch[7] = v_since;
            v_readOn_2 = v_state_4;
          }
        }
        v_state = v_readOn_2;
        if (v_state < 0) {
          v_search_2 = true;
          break;
        }
      }
      v_state = table1((v_state + 3) & 15);
      if (v_state < 0) {
        let v_state_6: i32 = v_state;
        let v_stop_3: i32 = (((-1) - v_state_6) + 2) + (2 * table2((((-1) - v_state_6) + 1) & 31));
        let v_i_5: i32 = ((-1) - v_state_6) + 2;
        var v_i_6: i32 = v_i_5;
        for (; v_i_6 < v_stop_3; v_i_6 = v_i_6 + 2) {
          if (out_of_steps()) { return; }
          let v_from_3: i32 = table2((v_i_6 + 1) & 31);
          var v_chosen_3: i32 = 0;
          if (v_from_3 >= 0) {
            let v_word_9: i32 = select(0, scratch[v_from_3], bitcast<u32>(v_from_3) < 6u);
            v_chosen_3 = v_word_9;
          } else {
            v_chosen_3 = select(-1, stop0 - start0, v_from_3 == (-1));
          }
          let v_value_3: i32 = v_chosen_3;
          let v_index_3: i32 = table2(v_i_6 & 31);
          if (bitcast<u32>(v_index_3) < 6u) {
            scratch[v_index_3] = v_value_3;
          }
        }
        v_state = table2(((-1) - v_state_6) & 31);
      }
      let v_word_10: i32 = scratch[0];
      v_search_2 = v_word_10 >= 0;
    }
  }
  if (!v_search_2) {
    row_is_null = true;
    return;
  }
  let v_word_11: i32 = scratch[1];
  if (v_word_11 < 0) {
    row_is_null = true;
    return;
  }
  let v_word_12: i32 = scratch[2];
  let v_upper: i32 = min(stop0 - start0, v_word_11);
  let v_upper_2: i32 = min(stop0 - start0, v_word_12);
  let v_high: i32 = max(v_upper, v_upper_2);
  grow(bitcast<u32>(start0 + v_high) - bitcast<u32>(start0 + v_upper));
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> constants: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  var v_search_2: bool = false;
  var leave_v_search = false;
  switch 0 {
    default: {
      scratch[0] = -1;
      let v_operand: i32 = (stop0 - start0) + 1;
      var v_at: i32 = start0;
      v_at = seek0(v_at, stop0 - 1, 64u);
      let v_find: i32 = select(-1, v_at - start0, v_at <= (stop0 - 1));
      if (v_find < 0) {
        v_search_2 = false;
        break;
      }
      scratch[6] = -1;
      var v_state: i32 = 0;
      var v_isOpen: bool = true;
      var v_at_2: i32 = 0;
      var v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      for (; v_loop_SgoesOn; ) {
        let v_at_3: i32 = v_at_2;
        var v_char: i32 = select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0));
        if (v_char >= 128) {
          if (v_char < 224) {
            v_char = select(((v_char & 31) << 6u) | (byte0((start0 + v_at_3) + 1) & 63), 65533, v_char < 192);
          } else if (v_char < 240) {
            v_char = (((v_char & 15) << 12u) | ((byte0((start0 + v_at_3) + 1) & 63) << 6u)) | (byte0((start0 + v_at_3) + 2) & 63);
          } else {
            v_char = ((((v_char & 7) << 18u) | ((byte0((start0 + v_at_3) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_3) + 2) & 63) << 6u)) | (byte0((start0 + v_at_3) + 3) & 63);
          }
        }
        let v_char_2: i32 = v_char;
        var v_classOf_2: i32 = 0;
        switch 0 {
          default: {
            if (v_char_2 < 128) {
              v_classOf_2 = table0(v_char_2 & 127);
              break;
            }
            v_classOf_2 = 0;
          }
        }
        v_state = table1((v_state + v_classOf_2) & 15);
        if (v_state < 0) {
          let v_state_2: i32 = v_state;
          let v_at_4: i32 = v_at_2;
          let v_stop: i32 = (((-1) - v_state_2) + 2) + (2 * table2((((-1) - v_state_2) + 1) & 31));
          let v_i: i32 = ((-1) - v_state_2) + 2;
          var v_i_2: i32 = v_i;
          for (; v_i_2 < v_stop; v_i_2 = v_i_2 + 2) {
            let v_from: i32 = table2((v_i_2 + 1) & 31);
            var v_chosen: i32 = 0;
            if (v_from >= 0) {
              let v_word: i32 = select(0, scratch[v_from], bitcast<u32>(v_from) < 6u);
              v_chosen = v_word;
            } else {
              v_chosen = select(-1, v_at_4, v_from == (-1));
            }
            let v_value: i32 = v_chosen;
            let v_index: i32 = table2(v_i_2 & 31);
            if (bitcast<u32>(v_index) < 6u) {
              scratch[v_index] = v_value;
            }
          }
          v_state = table2(((-1) - v_state_2) & 31);
          if (v_state < 0) {
            let v_word_2: i32 = scratch[0];
            v_search_2 = v_word_2 >= 0;
            leave_v_search = true;
            v_loop_SgoesOn = false;
            continue;
          }
          let v_word_3: i32 = scratch[0];
          v_isOpen = v_word_3 < 0;
        }
        let v_at_5: i32 = v_at_2;
        let v_lead: i32 = byte0(start0 + v_at_5);
        let v_operand_2: i32 = v_at_5 + select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
        let v_next: i32 = select(select(stop0 - start0, 0, v_at_5 < 0), min(stop0 - start0, v_operand_2), bitcast<u32>(v_at_5) < bitcast<u32>(stop0 - start0));
        v_at_2 = v_next;
        v_loop_SgoesOn = v_isOpen && (v_at_2 < (stop0 - start0));
      }
      if (leave_v_search) { break; }
      if (!v_isOpen) {
        var v_readOn_2: i32 = 0;
        var leave_v_readOn = false;
        switch 0 {
          default: {
            let v_at_6: i32 = v_at_2;
            let v_state_3: i32 = v_state;
            var v_state_4: i32 = v_state_3;
            var v_at_7: i32 = v_at_6;
            var v_since: i32 = v_at_6;
            var v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            for (; v_loop_3_SgoesOn; ) {
              let v_word_4: i32 = scratch[6];
              var v_both: bool = v_state_4 == v_word_4;
              if (v_both) {
                let v_word_5: i32 = scratch[7];
                v_both = v_at_7 >= v_word_5;
              }
              if (v_both) {
                v_readOn_2 = -1;
                leave_v_readOn = true;
                v_loop_3_SgoesOn = false;
                continue;
              }
              let v_before: i32 = v_state_4;
              let v_word_6: i32 = scratch[0];
              let v_at_8: i32 = v_at_7;
              var v_char_3: i32 = select(0, byte0(start0 + v_at_8), bitcast<u32>(v_at_8) < bitcast<u32>(stop0 - start0));
              if (v_char_3 >= 128) {
                if (v_char_3 < 224) {
                  v_char_3 = select(((v_char_3 & 31) << 6u) | (byte0((start0 + v_at_8) + 1) & 63), 65533, v_char_3 < 192);
                } else if (v_char_3 < 240) {
                  v_char_3 = (((v_char_3 & 15) << 12u) | ((byte0((start0 + v_at_8) + 1) & 63) << 6u)) | (byte0((start0 + v_at_8) + 2) & 63);
                } else {
                  v_char_3 = ((((v_char_3 & 7) << 18u) | ((byte0((start0 + v_at_8) + 1) & 63) << 12u)) | ((byte0((start0 + v_at_8) + 2) & 63) << 6u)) | (byte0((start0 + v_at_8) + 3) & 63);
                }
              }
              let v_char_4: i32 = v_char_3;
              var v_classOf_4: i32 = 0;
              switch 0 {
                default: {
                  if (v_char_4 < 128) {
                    v_classOf_4 = table0(v_char_4 & 127);
                    break;
                  }
                  v_classOf_4 = 0;
                }
              }
              v_state_4 = table1((v_state_4 + v_classOf_4) & 15);
              if (v_state_4 < 0) {
                let v_state_5: i32 = v_state_4;
                let v_at_9: i32 = v_at_7;
                let v_stop_2: i32 = (((-1) - v_state_5) + 2) + (2 * table2((((-1) - v_state_5) + 1) & 31));
                let v_i_3: i32 = ((-1) - v_state_5) + 2;
                var v_i_4: i32 = v_i_3;
                for (; v_i_4 < v_stop_2; v_i_4 = v_i_4 + 2) {
                  let v_from_2: i32 = table2((v_i_4 + 1) & 31);
                  var v_chosen_2: i32 = 0;
                  if (v_from_2 >= 0) {
                    let v_word_7: i32 = select(0, scratch[v_from_2], bitcast<u32>(v_from_2) < 6u);
                    v_chosen_2 = v_word_7;
                  } else {
                    v_chosen_2 = select(-1, v_at_9, v_from_2 == (-1));
                  }
                  let v_value_2: i32 = v_chosen_2;
                  let v_index_2: i32 = table2(v_i_4 & 31);
                  if (bitcast<u32>(v_index_2) < 6u) {
                    scratch[v_index_2] = v_value_2;
                  }
                }
                v_state_4 = table2(((-1) - v_state_5) & 31);
                if (v_state_4 < 0) {
                  v_readOn_2 = -1;
                  leave_v_readOn = true;
                  v_loop_3_SgoesOn = false;
                  continue;
                }
              }
              let v_at_10: i32 = v_at_7;
              let v_lead_2: i32 = byte0(start0 + v_at_10);
              let v_operand_3: i32 = v_at_10 + select(select(select(4, 3, v_lead_2 < 240), 2, v_lead_2 < 224), 1, v_lead_2 < 192);
              let v_next_2: i32 = select(select(stop0 - start0, 0, v_at_10 < 0), min(stop0 - start0, v_operand_3), bitcast<u32>(v_at_10) < bitcast<u32>(stop0 - start0));
              v_at_7 = v_next_2;
              var v_both_2: bool = v_state_4 != v_before;
              if (!v_both_2) {
                let v_word_8: i32 = scratch[0];
                v_both_2 = v_word_8 != v_word_6;
              }
              if (v_both_2) {
                v_since = v_at_7;
              }
              v_loop_3_SgoesOn = v_at_7 < (stop0 - start0);
            }
            if (leave_v_readOn) { break; }
            scratch[6] = v_state_4;
            scratch[7] = v_since;
            v_readOn_2 = v_state_4;
          }
        }
        v_state = v_readOn_2;
        if (v_state < 0) {
          v_search_2 = true;
          break;
        }
      }
      v_state = table1((v_state + 3) & 15);
      if (v_state < 0) {
        let v_state_6: i32 = v_state;
        let v_stop_3: i32 = (((-1) - v_state_6) + 2) + (2 * table2((((-1) - v_state_6) + 1) & 31));
        let v_i_5: i32 = ((-1) - v_state_6) + 2;
        var v_i_6: i32 = v_i_5;
        for (; v_i_6 < v_stop_3; v_i_6 = v_i_6 + 2) {
          let v_from_3: i32 = table2((v_i_6 + 1) & 31);
          var v_chosen_3: i32 = 0;
          if (v_from_3 >= 0) {
            let v_word_9: i32 = select(0, scratch[v_from_3], bitcast<u32>(v_from_3) < 6u);
            v_chosen_3 = v_word_9;
          } else {
            v_chosen_3 = select(-1, stop0 - start0, v_from_3 == (-1));
          }
          let v_value_3: i32 = v_chosen_3;
          let v_index_3: i32 = table2(v_i_6 & 31);
          if (bitcast<u32>(v_index_3) < 6u) {
            scratch[v_index_3] = v_value_3;
          }
        }
        v_state = table2(((-1) - v_state_6) & 31);
      }
      let v_word_10: i32 = scratch[0];
      v_search_2 = v_word_10 >= 0;
    }
  }
  if (!v_search_2) {
    row_is_null = true;
    return;
  }
  let v_word_11: i32 = scratch[1];
  if (v_word_11 < 0) {
    row_is_null = true;
    return;
  }
  let v_word_12: i32 = scratch[2];
  let v_upper: i32 = min(stop0 - start0, v_word_11);
  let v_upper_2: i32 = min(stop0 - start0, v_word_12);
  let v_high: i32 = max(v_upper, v_upper_2);
  copy0(bitcast<u32>(start0 + v_upper), bitcast<u32>(start0 + v_high));
}

