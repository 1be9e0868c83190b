// Inserts the keys of a build side into an empty table: one invocation a row. An invocation claims a
// slot by compare-and-exchange with its row + 1, so that others can read the key of the slot before
// anything else is stored. At the end each slot has the first row of its key, in whatever order the
// invocations ran. Follows join_keys.wgsl.
//
// An insertion gives up if the key is too far from the slot of its hash, or if too many other keys
// have that hash. Then the host builds the whole table again with another seed.
//
// slots        2 or 4 words a slot, the first of them 0 at the start
// slot_of_row  for each row, the slot of its key, NONE for null
// state        number of keys, farthest distance of a key from the slot of its hash, whether an
//              insertion gave up
// hashes       for text: the hash of each row
//
// params[3]    steps after which an insertion gives up, first word of the state

@group(0) @binding(2) var<storage, read_write> slots: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> slot_of_row: array<u32>;
@group(0) @binding(4) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> hashes: array<u32>;

// The most texts of one hash that an insertion compares.
const MOST_COMPARED = 4u;

var<workgroup> new_keys: atomic<u32>;
var<workgroup> farthest: atomic<u32>;
var<workgroup> given_up: atomic<u32>;

fn store_state(local: u32) {
  workgroupBarrier();
  if (local == 0u) {
    let first = params[3].y;
    atomicAdd(&state[first], atomicLoad(&new_keys));
    atomicMax(&state[first + 1u], atomicLoad(&farthest));
    atomicMax(&state[first + 2u], atomicLoad(&given_up));
  }
}

// Returns the row + 1 of a slot, 0 where this row has just claimed it, NONE where neither
// succeeded.
fn claim(slot: u32, row: u32) -> u32 {
  let at = slot << params[2].w;
  // A weak exchange may fail for no reason.
  for (var tries = 0u; tries < 64u; tries++) {
    let taken = atomicLoad(&slots[at]);
    if (taken != 0u) {
      return taken;
    }
    if (atomicCompareExchangeWeak(&slots[at], 0u, row + 1u).exchanged) {
      return 0u;
    }
  }
  return NONE;
}

fn keep_first(slot: u32, taken: u32, row: u32) {
  if (row + 1u < taken) {
    atomicMin(&slots[slot << params[2].w], row + 1u);
  }
}

// Records how an insertion ended, and returns its slot.
fn placed(slot: u32, distance: u32, is_new: bool) -> u32 {
  if (is_new) {
    atomicAdd(&new_keys, 1u);
    atomicMax(&farthest, distance);
  }
  return slot;
}

fn give_up() -> u32 {
  atomicStore(&given_up, 1u);
  return NONE;
}

fn insert_value(row: u32) -> u32 {
  let value = int_key(row);
  var slot = hash_int(value) & params[1].z;
  for (var distance = 0u; distance < params[3].x; distance++) {
    let taken = claim(slot, row);
    if (taken == 0u) {
      return placed(slot, distance, true);
    }
    if (taken == NONE) {
      break;
    }
    if (all(int_key(taken - 1u) == value)) {
      keep_first(slot, taken, row);
      return placed(slot, distance, false);
    }
    slot = (slot + 1u) & params[1].z;
  }
  return give_up();
}

fn same_texts(left: vec2<u32>, right: vec2<u32>) -> bool {
  for (var offset = 0u; offset < left.y; offset += 4u) {
    if (text_word(left, offset) != text_word(right, offset)) {
      return false;
    }
  }
  return true;
}

// Compares text outside of the loop that looks for a slot, so that rows that run side by side also
// compare side by side.
fn insert_words(row: u32) -> u32 {
  let text = text_key(row);
  let hash = hashes[row];
  var slot = hash & params[1].z;
  var distance = 0u;
  for (var compared = 0u; compared < MOST_COMPARED; compared++) {
    var taken = NONE;
    while (distance < params[3].x) {
      taken = claim(slot, row);
      if (taken == 0u || taken == NONE || hashes[taken - 1u] == hash) {
        break;
      }
      taken = NONE;
      slot = (slot + 1u) & params[1].z;
      distance++;
    }
    if (taken == NONE) {
      break;
    }
    if (taken == 0u) {
      return placed(slot, distance, true);
    }
    let known = text_key(taken - 1u);
    if (known.y == text.y && same_texts(known, text)) {
      keep_first(slot, taken, row);
      return placed(slot, distance, false);
    }
    slot = (slot + 1u) & params[1].z;
    distance++;
  }
  return give_up();
}

@compute @workgroup_size(256)
fn insert_int(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row < params[1].x) {
    var slot = NONE;
    if (has_key(row)) {
      slot = insert_value(row);
    }
    slot_of_row[row] = slot;
  }
  store_state(local.x);
}

@compute @workgroup_size(256)
fn hash_rows(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row < params[1].x) {
    hashes[row] = hash_text(text_key(row));
  }
}

@compute @workgroup_size(256)
fn insert_text(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let row = (workgroup.x + workgroup.y * count.x) * 256u + local.x;
  if (row < params[1].x) {
    var slot = NONE;
    if (has_key(row)) {
      slot = insert_words(row);
    }
    slot_of_row[row] = slot;
  }
  store_state(local.x);
}
