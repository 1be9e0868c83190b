// Copies boxes of one shape from one buffer to another: runs of bytes that are dense on both sides.
// An invocation owns four units of the target, 256 apart. In copy_words, where everything is a
// multiple of four bytes, a unit is a word of a run; in copy_bytes it is the part of a word that a
// run covers.
//
// source         any words
// starts         for each box, the start of its first run in the source and in the target
// target_words   any words; those that no run covers stay
// target_shared  the same words for copy_bytes: atomics change a word that a run covers in part,
//                since its other bytes may belong to other runs
//
// Positions and strides count words in copy_words and bytes in copy_bytes. Negative strides wrap
// around.
//
// params[0]  units of all boxes, units of a run, axes of a box
// params[1]  bytes of a run
// params[2..9]  axes from the innermost one on: number of runs, stride in the source, stride in the target

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 10>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> target_words: array<u32>;
@group(0) @binding(3) var<storage, read_write> target_shared: array<atomic<u32>>;

// Returns the start of a run in the source and in the target.
fn run_start(run: u32) -> vec2<u32> {
  var left = run;
  var at = vec2<u32>(0u, 0u);
  for (var k = 0u; k < params[0].z; k++) {
    let axis = params[2u + k];
    at += (left % axis.x) * axis.yz;
    left = left / axis.x;
  }
  return at + starts[left];
}

struct Place {
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
}

fn first_unit(place: Place) -> u32 {
  return (place.workgroup.x + place.workgroup.y * place.count.x) * 1024u + place.local.x;
}

@compute @workgroup_size(256)
fn copy_words(place: Place) {
  let first = first_unit(place);
  for (var k = 0u; k < 4u; k++) {
    let unit = first + k * 256u;
    if (unit < params[0].x) {
      let word = unit % params[0].y;
      let at = run_start(unit / params[0].y);
      target_words[at.y + word] = source[at.x + word];
    }
  }
}

// Returns four bytes of the source from any position; those after a run may be anything.
fn source_bytes(at: u32) -> u32 {
  let shift = 8u * (at % 4u);
  let low = source[at / 4u];
  if (shift == 0u) {
    return low;
  }
  return (low >> shift) | (source[at / 4u + 1u] << (32u - shift));
}

// Copies the part of a run in the word-th word of the target that it touches.
fn copy_part(run: u32, word: u32) {
  let at = run_start(run);
  let target_word = at.y / 4u + word;
  let first = max(target_word * 4u, at.y);
  let stop = min(target_word * 4u + 4u, at.y + params[1].x);
  if (first >= stop) {
    return;
  }
  let value = source_bytes(at.x + (first - at.y));
  if (stop - first == 4u) {
    atomicStore(&target_shared[target_word], value);
    return;
  }
  let shift = 8u * (first % 4u);
  let mask = (0xffffffffu >> (32u - 8u * (stop - first))) << shift;
  atomicAnd(&target_shared[target_word], ~mask);
  atomicOr(&target_shared[target_word], (value << shift) & mask);
}

@compute @workgroup_size(256)
fn copy_bytes(place: Place) {
  let first = first_unit(place);
  for (var k = 0u; k < 4u; k++) {
    let unit = first + k * 256u;
    if (unit < params[0].x) {
      copy_part(unit / params[0].y, unit % params[0].y);
    }
  }
}
