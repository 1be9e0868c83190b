// Looks up the keys of a range in a table, or in one part of it, and notes the keys that it finds:
// one invocation a row. Follows join_keys.wgsl.
//
// slots      as join_number.wgsl leaves them, two words at a time
// known      for text: the window with the keys of the table
// target     MATCHES: for each row, the number of its key in the table + 1, or 0.
//            SELECTION, where the number of a key is its row: number of rows, then for each row the row
//            of the build side, 0xffffffff where nothing matches
// dropped    becomes 1 if some row does not come out; 0 before
// noted      for each key of the table, becomes 1 if it is found
//
// params[3]  slots in which a key may be, this part of the table, number of parts, number of the null
//            key + 1 or 0
// params[4]  first word of the known keys, for text; what to store: nothing, MATCHES or SELECTION; rows
//            that do not come out: 0 those without a match, 1 those with one, or NONE_DROP; whether to
//            note keys

@group(0) @binding(2) var<storage, read> slots: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> known: array<u32>;
@group(0) @binding(4) var<storage, read_write> target_words: array<u32>;
@group(0) @binding(5) var<storage, read_write> dropped: array<atomic<u32>, 1>;
@group(0) @binding(6) var<storage, read_write> noted: array<atomic<u32>>;

const MATCHES = 1u;
const SELECTION = 2u;
const NONE_DROP = 2u;

// Each key belongs to one part, whose lookup stores the match, found or not.
fn is_in_part(hash: u32) -> bool {
  return (mix(hash ^ GOLDEN) & (params[3].z - 1u)) == params[3].y;
}

// Stores the result of a row: the number of its key + 1, or 0.
fn store(row: u32, number: u32) {
  if (params[4].y == MATCHES) {
    target_words[row] = number;
  } else if (params[4].y == SELECTION) {
    target_words[1u + row] = number - 1u;
  }
  // All invocations store the same value. The load keeps most of them from storing it again.
  if (params[4].z == select(0u, 1u, number != 0u) && atomicLoad(&dropped[0]) == 0u) {
    atomicStore(&dropped[0], 1u);
  }
  if (params[4].w != 0u && number != 0u && atomicLoad(&noted[number - 1u]) == 0u) {
    atomicStore(&noted[number - 1u], 1u);
  }
}

// Stores the result of a row with a null key.
fn store_null(row: u32) {
  if (params[3].y == 0u) {
    store(row, params[3].w);
  }
}

fn store_count(row: u32) {
  if (row == 0u && params[4].y == SELECTION) {
    target_words[0] = params[1].x;
  }
}

// Returns the number of the key + 1; 0 if it is not in the table.
fn find_int(value: vec2<u32>, hash: u32) -> u32 {
  let wide = params[2].z != 0u;
  var slot = hash & params[1].z;
  for (var tried = 0u; tried < params[3].x; tried++) {
    let at = slot << (params[2].w - 1u);
    let found = slots[at];
    if (found.x == 0u) {
      break;
    }
    if (found.y == value.x && (!wide || slots[at + 1u].x == value.y)) {
      return found.x;
    }
    slot = (slot + 1u) & params[1].z;
  }
  return 0u;
}

// Returns four bytes of a known key; those after its end may be anything.
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

// Compares text outside of the loop that looks for its hash, so that rows that run side by side
// also compare side by side.
fn find_text(text: vec2<u32>, hash: u32) -> u32 {
  var slot = hash & params[1].z;
  var tried = 0u;
  while (tried < params[3].x) {
    var number = 0u;
    while (tried < params[3].x) {
      let found = slots[slot << (params[2].w - 1u)];
      number = found.x;
      if (number == 0u || found.y == hash) {
        break;
      }
      number = 0u;
      slot = (slot + 1u) & params[1].z;
      tried++;
    }
    if (number == 0u) {
      break;
    }
    let place = slots[(slot << (params[2].w - 1u)) + 1u];
    if (place.y == text.y && same_text(place.x, text)) {
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
  store_count(row);
  if (!has_key(row)) {
    store_null(row);
    return;
  }
  let value = int_key(row);
  let hash = hash_int(value);
  if (is_in_part(hash)) {
    store(row, find_int(value, hash));
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
  store_count(row);
  if (!has_key(row)) {
    store_null(row);
    return;
  }
  let text = text_key(row);
  let hash = hash_text(text);
  if (is_in_part(hash)) {
    store(row, find_text(text, hash));
  }
}
