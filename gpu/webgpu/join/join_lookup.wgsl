// Looks up the keys of a range in the table of a join: one invocation a row. The hash is the one of
// join_hash.ts.
//
// key        a window of the probe side's key
// table      [slots: number of the key + 1, or 0]
//            [keys: one or two words each; text: offsets, then bytes]
// matches    one word a row: number of its key in the table + 1, or 0
//
// params[0]  validity word, offsets word, data word, first row of the key
// params[1]  rows of the range, whether there is validity, slots - 1, number of the null key + 1 or 0
// params[2]  words of the table: keys, text of keys; bytes of the probe side's integers, whether they
//            are signed
// params[3]  words of a key

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> key: array<u32>;
@group(0) @binding(2) var<storage, read> table: array<u32>;
@group(0) @binding(3) var<storage, read_write> matches: array<u32>;

fn mix(seed: u32) -> u32 {
  var hash = seed;
  hash = (hash ^ (hash >> 16u)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13u)) * 0xc2b2ae35u;
  return hash ^ (hash >> 16u);
}

fn has_key(row: u32) -> bool {
  if (params[1].y == 0u) {
    return true;
  }
  let at = params[0].w + row;
  return ((key[params[0].x + at / 32u] >> (at % 32u)) & 1u) == 1u;
}

// Low and high word of an integer of any width, widened to 64 bits.
fn int_key(row: u32) -> vec2<u32> {
  let at = params[0].w + row;
  let width = params[2].z;
  if (width == 8u) {
    return vec2(key[params[0].z + 2u * at], key[params[0].z + 2u * at + 1u]);
  }
  let each = 4u / width;
  let unused = 32u - 8u * width;
  let shifted = (key[params[0].z + at / each] << (32u - 8u * width * (at % each + 1u)));
  if (params[2].w == 0u) {
    return vec2(shifted >> unused, 0u);
  }
  let value = bitcast<i32>(shifted) >> unused;
  return vec2(bitcast<u32>(value), bitcast<u32>(value >> 31u));
}

// Number of the key + 1; 0 where the table does not have it.
fn find_int(row: u32) -> u32 {
  let value = int_key(row);
  let words = params[3].x;
  let wide = words == 2u;
  var slot = mix(select(value.x, value.x ^ (value.y * 0x9e3779b1u), wide)) & params[1].z;
  loop {
    let number = table[slot];
    if (number == 0u) {
      break;
    }
    let at = params[2].x + (number - 1u) * words;
    if (table[at] == value.x && (!wide || table[at + 1u] == value.y)) {
      return number;
    }
    slot = (slot + 1u) & params[1].z;
  }
  return 0u;
}

// Up to four bytes of the key's text, from any position on; zeros behind its end.
fn text_word(start: u32, size: u32, offset: u32) -> u32 {
  let at = start + offset;
  let word = params[0].z + at / 4u;
  let shift = 8u * (at % 4u);
  var bytes = key[word] >> shift;
  if (shift != 0u) {
    bytes |= key[word + 1u] << (32u - shift);
  }
  let left = size - offset;
  if (left >= 4u) {
    return bytes;
  }
  return bytes & ((1u << (8u * left)) - 1u);
}

// Keys of the table begin on whole words and are padded with zeros.
fn same_text(number: u32, start: u32, size: u32) -> bool {
  let entry = params[2].x + 2u * (number - 1u);
  if (table[entry + 1u] != size) {
    return false;
  }
  let first = params[2].y + table[entry];
  for (var offset = 0u; offset < size; offset += 4u) {
    if (table[first + offset / 4u] != text_word(start, size, offset)) {
      return false;
    }
  }
  return true;
}

fn find_text(row: u32) -> u32 {
  let offset = params[0].y + params[0].w + row;
  let start = key[offset];
  let size = key[offset + 1u] - start;
  var hash = size;
  for (var at = 0u; at < size; at += 4u) {
    hash = (((hash << 5u) | (hash >> 27u)) ^ text_word(start, size, at)) * 0x9e3779b1u;
  }
  var slot = mix(hash) & params[1].z;
  loop {
    let number = table[slot];
    if (number == 0u) {
      break;
    }
    if (same_text(number, start, size)) {
      return number;
    }
    slot = (slot + 1u) & params[1].z;
  }
  return 0u;
}

@compute @workgroup_size(256)
fn lookup_int(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row >= params[1].x) {
    return;
  }
  var number = params[1].w;
  if (has_key(row)) {
    number = find_int(row);
  }
  matches[row] = number;
}

@compute @workgroup_size(256)
fn lookup_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row >= params[1].x) {
    return;
  }
  var number = params[1].w;
  if (has_key(row)) {
    number = find_text(row);
  }
  matches[row] = number;
}
