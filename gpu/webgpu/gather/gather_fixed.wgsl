// Gathers values of fixed width and bits. An invocation owns one word of the target, so no words
// are shared and none is cleared. A source of several windows takes a dispatch for each; all but
// the first add to the words that are already stored.
//
// source     a window of a column
// selection  word 0: number of rows; then one row a word, 0xffffffff for a missing row
// target     a window of the result
//
// params[0]  of the source: validity word, offsets word, data word; the number that turns a row of the
//            selection into one of the window
// params[1]  first word of the target, words of the target, rows of the target, first selected row
// params[2]  bytes of a value; for bits: first word of the source bits, whether there are any; rows of
//            the window
// params[3]  whether the target has the rows of earlier windows

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> selection: array<u32>;
@group(0) @binding(3) var<storage, read_write> target_words: array<u32>;

const MISSING = 0xffffffffu;

fn invocation(workgroup: vec3<u32>, count: vec3<u32>, local: u32) -> u32 {
  return (workgroup.x + workgroup.y * count.x) * 256u + local;
}

// Returns the row of the window for a row of the target; MISSING where it is missing, or in another
// window.
fn selected(row: u32) -> u32 {
  let selected_row = selection[1u + params[1].w + row];
  let window_row = params[0].w + selected_row;
  if (selected_row == MISSING || window_row >= params[2].w) {
    return MISSING;
  }
  return window_row;
}

fn stored_before(word: u32) -> u32 {
  if (params[3].x == 0u) {
    return 0u;
  }
  return target_words[params[1].x + word];
}

// For widths in whole words.
@compute @workgroup_size(256)
fn gather_words(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let word = invocation(workgroup, count, local.x);
  if (word >= params[1].y) {
    return;
  }
  // A division takes as long as the rest, and most values are one word.
  let each = params[2].x / 4u;
  var at = word;
  var part = 0u;
  if (each != 1u) {
    at = word / each;
    part = word - at * each;
  }
  let row = selected(at);
  var value = stored_before(word);
  if (row != MISSING) {
    value = source[params[0].z + row * each + part];
  }
  target_words[params[1].x + word] = value;
}

// For any other width: the four bytes of a word, one by one.
@compute @workgroup_size(256)
fn gather_bytes(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let word = invocation(workgroup, count, local.x);
  if (word >= params[1].y) {
    return;
  }
  let width = params[2].x;
  var value = stored_before(word);
  for (var k = 0u; k < 4u; k++) {
    let at = word * 4u + k;
    if (at / width < params[1].z) {
      let row = selected(at / width);
      if (row != MISSING) {
        let source_at = row * width + at % width;
        value |= ((source[params[0].z + source_at / 4u] >> (8u * (source_at % 4u))) & 0xffu) << (8u * k);
      }
    }
  }
  target_words[params[1].x + word] = value;
}

// For validity and the data of bool columns, 32 rows a word. A source without bits counts as all
// ones.
@compute @workgroup_size(256)
fn gather_bits(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let word = invocation(workgroup, count, local.x);
  if (word >= params[1].y) {
    return;
  }
  var bits = stored_before(word);
  let stop = min(32u, params[1].z - word * 32u);
  for (var k = 0u; k < stop; k++) {
    let row = selected(word * 32u + k);
    if (row != MISSING) {
      var bit = 1u;
      if (params[2].z != 0u) {
        bit = (source[params[2].y + row / 32u] >> (row % 32u)) & 1u;
      }
      bits |= bit << k;
    }
  }
  target_words[params[1].x + word] = bits;
}
