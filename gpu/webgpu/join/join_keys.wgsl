// Reads the keys of a join, and hashes them as join_hash.ts does; a library.
//
// key        a window of a key column
//
// params[0]  validity word, offsets word, data word, first row of the key
// params[1]  rows, whether there is validity, slots - 1, seed of the hash
// params[2]  bytes of the column's integers, whether they are signed, whether keys have two words,
//            binary logarithm of the words of a slot
// params[3], params[4]: see the kernel

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 5>;
@group(0) @binding(1) var<storage, read> key: array<u32>;

const NONE = 0xffffffffu;
const GOLDEN = 0x9e3779b1u;

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

// Returns the low and the high word of an integer of any width; the high one is 0 for keys of one
// word.
fn int_key(row: u32) -> vec2<u32> {
  let at = params[0].w + row;
  let width = params[2].x;
  if (width == 8u) {
    return vec2(key[params[0].z + 2u * at], key[params[0].z + 2u * at + 1u]);
  }
  let each = 4u / width;
  let unused = 32u - 8u * width;
  let shifted = (key[params[0].z + at / each] << (32u - 8u * width * (at % each + 1u)));
  if (params[2].y == 0u) {
    return vec2(shifted >> unused, 0u);
  }
  let value = bitcast<i32>(shifted) >> unused;
  return vec2(bitcast<u32>(value), select(0u, bitcast<u32>(value >> 31u), params[2].z != 0u));
}

fn hash_int(value: vec2<u32>) -> u32 {
  let hash = mix(value.x ^ params[1].w);
  return select(hash, mix(hash ^ (value.y * GOLDEN)), params[2].z != 0u);
}

// Returns the start and the bytes of the text of a row.
fn text_key(row: u32) -> vec2<u32> {
  let offset = params[0].y + params[0].w + row;
  let start = key[offset];
  return vec2(start, key[offset + 1u] - start);
}

// Returns up to four bytes of a text from any position, with zeros after its end.
fn text_word(text: vec2<u32>, offset: u32) -> u32 {
  let at = text.x + offset;
  let word = params[0].z + at / 4u;
  let shift = 8u * (at % 4u);
  var bytes = key[word] >> shift;
  if (shift != 0u) {
    bytes |= key[word + 1u] << (32u - shift);
  }
  let left = text.y - offset;
  if (left >= 4u) {
    return bytes;
  }
  return bytes & ((1u << (8u * left)) - 1u);
}

fn hash_text(text: vec2<u32>) -> u32 {
  var hash = text.y ^ params[1].w;
  for (var at = 0u; at < text.y; at += 4u) {
    hash = (((hash << 5u) | (hash >> 27u)) ^ text_word(text, at)) * GOLDEN;
  }
  return mix(hash);
}
