// reverse, ASCII, no nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_at: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    if (out_of_steps()) { return; }
    let v_at_2: i32 = min(stop0 - start0, v_at);
    let v_previous: i32 = max(0, v_at_2 - 1);
    v_at = v_previous;
    let v_at_3: i32 = v_at;
    grow(1u);
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  var v_at: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    let v_at_2: i32 = min(stop0 - start0, v_at);
    let v_previous: i32 = max(0, v_at_2 - 1);
    v_at = v_previous;
    let v_at_3: i32 = v_at;
    push(bitcast<u32>(select(0, byte0(start0 + v_at_3), bitcast<u32>(v_at_3) < bitcast<u32>(stop0 - start0))) & 255u, 1u);
  }
}

// reverse, UTF-8, nulls
// pass sizes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  var v_at: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    if (out_of_steps()) { return; }
    let v_at_2: i32 = min(stop0 - start0, v_at);
    var v_previous: i32 = max(0, v_at_2 - 1);
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      if (out_of_steps()) { return; }
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    v_at = v_previous_2;
    let v_at_3: i32 = v_at;
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
    if (bitcast<u32>(v_char_2) < 128u) {
      grow(1u);
    } else if (bitcast<u32>(v_char_2) < 2048u) {
      grow(2u);
    } else {
      let v_valid: i32 = select(65533, v_char_2, (bitcast<u32>(v_char_2) < 1114112u) && ((v_char_2 < 55296) || (v_char_2 >= 57344)));
      if (v_valid < 65536) {
        grow(1u);
      } else {
        grow(2u);
      }
      grow(2u);
    }
  }
}

// pass write
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[params[2].y + row0]);
  let stop0 = bitcast<i32>(column0[params[2].y + row0 + 1u]);
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  if (!valid0) {
    row_is_null = true;
    return;
  }
  var v_at: i32 = stop0 - start0;
  for (; v_at > 0; ) {
    let v_at_2: i32 = min(stop0 - start0, v_at);
    var v_previous: i32 = max(0, v_at_2 - 1);
    var v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    for (; v_back_SgoesOn; ) {
      v_previous = v_previous - 1;
      v_back_SgoesOn = (v_previous > 0) && ((byte0(start0 + v_previous) & 192) == 128);
    }
    let v_previous_2: i32 = v_previous;
    v_at = v_previous_2;
    let v_at_3: i32 = v_at;
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
    if (bitcast<u32>(v_char_2) < 128u) {
      push(bitcast<u32>(v_char_2) & 255u, 1u);
    } else if (bitcast<u32>(v_char_2) < 2048u) {
      push((bitcast<u32>((v_char_2 >> 6u) | 192) & 255u) | ((bitcast<u32>((v_char_2 & 63) | 128) & 255u) << 8u), 2u);
    } else {
      let v_valid: i32 = select(65533, v_char_2, (bitcast<u32>(v_char_2) < 1114112u) && ((v_char_2 < 55296) || (v_char_2 >= 57344)));
      if (v_valid < 65536) {
        push(bitcast<u32>((v_valid >> 12u) | 224) & 255u, 1u);
      } else {
        push((bitcast<u32>((v_valid >> 18u) | 240) & 255u) | ((bitcast<u32>(((v_valid >> 12u) & 63) | 128) & 255u) << 8u), 2u);
      }
      push((bitcast<u32>(((v_valid >> 6u) & 63) | 128) & 255u) | ((bitcast<u32>((v_valid & 63) | 128) & 255u) << 8u), 2u);
    }
  }
}

