// Looks up the keys of a range in a table, or in one part of it: one invocation a row. Follows
// join_keys.wgsl.
//
// slots      as join_number.wgsl leaves them
// known      text: the window with the keys of the table
// matches    one word a row: number of its key in the table + 1, or 0
//
// params[3]  slots in which a key may be found, part of the table and number of parts, number of the null
//            key + 1 or 0
// params[4]  text: first word of the known keys

@group(0) @binding(2) var<storage, read> slots: array<u32>;
@group(0) @binding(3) var<storage, read> known: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<u32>;

// Each key is in one part, which stores the match, found or not.
fn is_in_part(hash: u32) -> bool {
  return (mix(hash ^ GOLDEN) & (params[3].z - 1u)) == params[3].y;
}

fn store_null(row: u32) {
  if (params[3].y == 0u) {
    matches[row] = params[3].w;
  }
}

// Number of the key + 1; 0 where the table does not have it.
fn find_int(value: vec2<u32>, hash: u32) -> u32 {
  let wide = params[2].z != 0u;
  var slot = hash & params[1].z;
  for (var tried = 0u; tried < params[3].x; tried++) {
    let at = slot << params[2].w;
    let number = slots[at];
    if (number == 0u) {
      break;
    }
    if (slots[at + 1u] == value.x && (!wide || slots[at + 2u] == value.y)) {
      return number;
    }
    slot = (slot + 1u) & params[1].z;
  }
  return 0u;
}

// Four bytes of a known key; what lies behind its end may be anything.
fn known_word(start: u32, offset: u32) -> u32 {
  let at = start + offset;
  let word = params[4].x + at / 4u;
  let shift = 8u * (at % 4u);
  if (shift == 0u) {
    return known[word];
  }
  return (known[word] >> shift) | (known[word + 1u] << (32u - shift));
}

fn same_text(start: u32, text: vec2<u32>) -> bool {
  for (var offset = 0u; offset < text.y; offset += 4u) {
    let left = text.y - offset;
    let mask = select(0xffffffffu, (1u << (8u * (left % 4u))) - 1u, left < 4u);
    if ((known_word(start, offset) & mask) != text_word(text, offset)) {
      return false;
    }
  }
  return true;
}

// Text is compared outside of the loop that looks for its hash, so that rows that run side by side compare
// side by side as well.
fn find_text(text: vec2<u32>, hash: u32) -> u32 {
  var slot = hash & params[1].z;
  var tried = 0u;
  while (tried < params[3].x) {
    var number = 0u;
    while (tried < params[3].x) {
      let at = slot << params[2].w;
      number = slots[at];
      if (number == 0u || slots[at + 1u] == hash) {
        break;
      }
      number = 0u;
      slot = (slot + 1u) & params[1].z;
      tried++;
    }
    if (number == 0u) {
      break;
    }
    let at = slot << params[2].w;
    if (slots[at + 3u] == text.y && same_text(slots[at + 2u], text)) {
      return number;
    }
    slot = (slot + 1u) & params[1].z;
    tried++;
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
  if (!has_key(row)) {
    store_null(row);
    return;
  }
  let value = int_key(row);
  let hash = hash_int(value);
  if (is_in_part(hash)) {
    matches[row] = find_int(value, hash);
  }
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
  if (!has_key(row)) {
    store_null(row);
    return;
  }
  let text = text_key(row);
  let hash = hash_text(text);
  if (is_in_part(hash)) {
    matches[row] = find_text(text, hash);
  }
}
