// length, UTF-8, nulls
// marks
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;

// The characters that begin in the word of a place, within the bytes [start, stop).
fn heads0(at: u32, start: u32, stop: u32) -> u32 {
  let bytes = column0[(params[2].z >> 2u) + (((at >> 2u)) >> 2u)][((at >> 2u)) & 3u];
  var heads = (~(bytes >> 7u) | (bytes >> 6u)) & 0x01010101u;
  if (at < start) { heads &= 0xffffffffu << (8u * (start - at)); }
  if (at + 4u > stop) { heads &= 0xffffffffu >> (8u * (at + 4u - stop)); }
  return countOneBits(heads);
}

// The characters that begin in a part of 16 bytes, within the bytes [start, stop).
fn heads_of_part0(part: u32, start: u32, stop: u32) -> u32 {
  if (part * 16u >= start && part * 16u + 16u <= stop) {
    let bytes = column0[(params[2].z >> 2u) + part];
    let heads = (~(bytes >> vec4<u32>(7u)) | (bytes >> vec4<u32>(6u))) & vec4<u32>(0x01010101u);
    // No byte of the sum is above 4.
    let sum = heads.x + heads.y + heads.z + heads.w;
    return (sum * 0x01010101u) >> 24u;
  }
  var count = 0u;
  for (var at = max(part * 16u, start & ~3u); at < min(part * 16u + 16u, stop); at += 4u) {
    count += heads0(at, start, stop);
  }
  return count;
}

fn mark0(start: u32, stop: u32, own: u32) -> u32 {
  if (stop - start > 8192u) { return select(0u, 0xffffffffu, own == 0u); }
  var count = 0u;
  for (var part = (start >> 4u) + own; part * 16u < stop; part += params[0].y) {
    count += heads_of_part0(part, start, stop);
  }
  return count;
}

var<workgroup> found0: array<atomic<u32>, 32>;

fn mark_row(index: u32, slot: u32, own: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  atomicAdd(&found0[slot], mark0(bitcast<u32>(start0), bitcast<u32>(stop0), own));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let rows = params[0].x;
  let lanes = params[0].y;
  let slot = lane / lanes;
  let own = lane & (lanes - 1u);
  let index = (group.y * groups.x + group.x) * (256u / lanes) + slot;
  if (index < rows) { mark_row(index, slot, own); }
  workgroupBarrier();
  if (index < rows && own == 0u) {
    marks[0u * rows + index] = atomicLoad(&found0[slot]);
  }
}

// pass single with lanes
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read> column0: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<storage, read> marks: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let start0 = bitcast<i32>(column0[(params[2].y + row0) >> 2u][(params[2].y + row0) & 3u]);
  let stop0 = bitcast<i32>(column0[(params[2].y + row0 + 1u) >> 2u][(params[2].y + row0 + 1u) & 3u]);
  let valid0 = ((column0[(params[2].x + (row0 >> 5u)) >> 2u][(params[2].x + (row0 >> 5u)) & 3u] >> (row0 & 31u)) & 1u) == 1u;
  let mark0 = marks[0u * params[0].x + index];
  if (!valid0) {
    row_is_null = true;
    return;
  }
  var v_length_2: i32 = 0;
  var v_at: i32 = start0;
  v_length_2 = v_length_2 + count_marked0(v_at, stop0, start0, stop0, mark0);
  v_at = max(v_at, stop0);
  let v_length_3: i32 = v_length_2;
  result0 = v_length_3;
}

fn count_marked0(start: i32, stop: i32, row_start: i32, row_stop: i32, characters: u32) -> i32 {
  if (characters == bitcast<u32>(row_stop - row_start)) { return max(0, stop - start); }
  if (characters != 0xffffffffu && start == row_start && stop == row_stop) {
    return bitcast<i32>(characters);
  }
  return count_characters0(start, stop);
}

var<workgroup> valid_words: array<atomic<u32>, 8>;

