// route, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  grow(bitcast<u32>(stop0) - bitcast<u32>(start0));
  grow(3u);
  var v_at: i32 = start1;
  for (; v_at < stop1; v_at = v_at + 1) {
    if (out_of_steps()) { return; }
    let v_char: i32 = byte1(v_at);
    grow(1u);
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  copy0(bitcast<u32>(start0), bitcast<u32>(stop0));
  push(0x203e20u, 3u);
  var v_at: i32 = start1;
  for (; v_at < stop1; v_at = v_at + 1) {
    let v_char: i32 = byte1(v_at);
    push(bitcast<u32>(select(v_char, v_char - 32, bitcast<u32>(v_char - 97) < 26u)) & 255u, 1u);
  }
}

// route, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  grow(bitcast<u32>(stop0) - bitcast<u32>(start0));
  grow(3u);
  if (!valid1) {
    row_is_null = true;
    return;
  }
  var v_at: i32 = start1;
  var v_copy_SgoesOn = v_at < stop1;
  for (; v_copy_SgoesOn; ) {
    if (out_of_steps()) { return; }
    if (byte1(v_at) < 128) {
      let v_from: i32 = v_at;
      var v_run_SgoesOn = v_at < stop1;
      for (; v_run_SgoesOn; ) {
        if (out_of_steps()) { return; }
        let v_char: i32 = byte1(v_at);
        if (v_char >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        grow(1u);
        v_at = v_at + 1;
        v_run_SgoesOn = v_at < stop1;
      }
      if (v_at >= stop1) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead: i32 = byte1(v_at);
    let v_size: i32 = select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    var v_char_2: i32 = v_lead;
    if (v_char_2 >= 128) {
      if (v_char_2 < 224) {
        v_char_2 = select(((v_char_2 & 31) << 6u) | (byte1(v_at + 1) & 63), 65533, v_char_2 < 192);
      } else if (v_char_2 < 240) {
        v_char_2 = (((v_char_2 & 15) << 12u) | ((byte1(v_at + 1) & 63) << 6u)) | (byte1(v_at + 2) & 63);
      } else {
        v_char_2 = ((((v_char_2 & 7) << 18u) | ((byte1(v_at + 1) & 63) << 12u)) | ((byte1(v_at + 2) & 63) << 6u)) | (byte1(v_at + 3) & 63);
      }
    }
    v_at = v_at + v_size;
    let v_char_3: i32 = v_char_2;
    let v_char_4: i32 = select(v_char_3, v_char_3 - 32, (v_char_3 >= 97) && (v_char_3 <= 122));
    if (bitcast<u32>(v_char_4) < 128u) {
      grow(1u);
    } else if (bitcast<u32>(v_char_4) < 2048u) {
      grow(2u);
    } else {
      let v_valid: i32 = select(65533, v_char_4, (bitcast<u32>(v_char_4) < 1114112u) && ((v_char_4 < 55296) || (v_char_4 >= 57344)));
      if (v_valid < 65536) {
        grow(1u);
      } else {
        grow(2u);
      }
      grow(2u);
    }
    v_copy_SgoesOn = v_at < stop1;
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let row1 = params[3].w + index;
  let start1 = bitcast<i32>(column1[params[3].y + row1]);
  let stop1 = bitcast<i32>(column1[params[3].y + row1 + 1u]);
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  copy0(bitcast<u32>(start0), bitcast<u32>(stop0));
  push(0x203e20u, 3u);
  if (!valid1) {
    row_is_null = true;
    return;
  }
  var v_at: i32 = start1;
  var v_copy_SgoesOn = v_at < stop1;
  for (; v_copy_SgoesOn; ) {
    if (byte1(v_at) < 128) {
      let v_from: i32 = v_at;
      var v_run_SgoesOn = v_at < stop1;
      for (; v_run_SgoesOn; ) {
        let v_char: i32 = byte1(v_at);
        if (v_char >= 128) {
          v_run_SgoesOn = false;
          continue;
        }
        push(bitcast<u32>(select(v_char, v_char - 32, bitcast<u32>(v_char - 97) < 26u)) & 255u, 1u);
        v_at = v_at + 1;
        v_run_SgoesOn = v_at < stop1;
      }
      if (v_at >= stop1) {
        v_copy_SgoesOn = false;
        continue;
      }
    }
    let v_lead: i32 = byte1(v_at);
    let v_size: i32 = select(select(select(4, 3, v_lead < 240), 2, v_lead < 224), 1, v_lead < 192);
    var v_char_2: i32 = v_lead;
    if (v_char_2 >= 128) {
      if (v_char_2 < 224) {
        v_char_2 = select(((v_char_2 & 31) << 6u) | (byte1(v_at + 1) & 63), 65533, v_char_2 < 192);
      } else if (v_char_2 < 240) {
        v_char_2 = (((v_char_2 & 15) << 12u) | ((byte1(v_at + 1) & 63) << 6u)) | (byte1(v_at + 2) & 63);
      } else {
        v_char_2 = ((((v_char_2 & 7) << 18u) | ((byte1(v_at + 1) & 63) << 12u)) | ((byte1(v_at + 2) & 63) << 6u)) | (byte1(v_at + 3) & 63);
      }
    }
    v_at = v_at + v_size;
    let v_char_3: i32 = v_char_2;
    let v_char_4: i32 = select(v_char_3, v_char_3 - 32, (v_char_3 >= 97) && (v_char_3 <= 122));
    if (bitcast<u32>(v_char_4) < 128u) {
      push(bitcast<u32>(v_char_4) & 255u, 1u);
    } else if (bitcast<u32>(v_char_4) < 2048u) {
      push((bitcast<u32>((v_char_4 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_4 & 63) | 128) & 255u) << 8u), 2u);
    } else {
      let v_valid: i32 = select(65533, v_char_4, (bitcast<u32>(v_char_4) < 1114112u) && ((v_char_4 < 55296) || (v_char_4 >= 57344)));
      if (v_valid < 65536) {
        push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
      } else {
        push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
      }
      push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
    }
    v_copy_SgoesOn = v_at < stop1;
  }
}

