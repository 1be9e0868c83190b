// Copies the bytes of a gather: a library for kernels with one invocation a row and 256 rows a
// workgroup. The invocation of a row copies up to LONG_BYTES; the whole workgroup copies longer
// runs, one after the other. Neighbouring rows share at most two words each, which atomicOr joins,
// so the data has to start at zero.
//
// A kernel binds `source` and `target_words`, and defines source_data() and target_data(), the
// words at which their data begin.

// Returns four bytes of the source from any position; those after its data may be anything.
fn source_bytes(at: u32) -> u32 {
  let word = source_data() + at / 4u;
  let shift = 8u * (at % 4u);
  if (shift == 0u) {
    return source[word];
  }
  return (source[word] >> shift) | (source[word + 1u] << (32u - shift));
}

// Copies every lanes-th word of a nonempty run, from the lane-th one on.
fn copy_words(start: u32, target_start: u32, size: u32, lane: u32, lanes: u32) {
  let end = target_start + size;
  for (var word = target_start / 4u + lane; word * 4u < end; word += lanes) {
    let first = max(word * 4u, target_start);
    let bytes = min(word * 4u + 4u, end) - first;
    let value = source_bytes(start + (first - target_start));
    let at = target_data() + word;
    if (bytes == 4u) {
      atomicStore(&target_words[at], value);
    } else {
      let low_bytes = value & (0xffffffffu >> (32u - 8u * bytes));
      atomicOr(&target_words[at], low_bytes << (8u * (first % 4u)));
    }
  }
}

const LONG_BYTES = 512u;

var<workgroup> long_count: atomic<u32>;
// For each run: its start in the source, its start in the target, its bytes.
var<workgroup> long_runs: array<vec3<u32>, 256>;

// Copies the only run of a row, or leaves it to copy_long_runs.
fn copy_run(start: u32, target_start: u32, size: u32) {
  if (size >= LONG_BYTES) {
    long_runs[atomicAdd(&long_count, 1u)] = vec3<u32>(start, target_start, size);
  } else if (size > 0u) {
    copy_words(start, target_start, size, 0u, 1u);
  }
}

// All 256 invocations call it together, after their rows.
fn copy_long_runs(lane: u32) {
  workgroupBarrier();
  let num_long = atomicLoad(&long_count);
  for (var k = 0u; k < num_long; k++) {
    let run = long_runs[k];
    copy_words(run.x, run.y, run.z, lane, 256u);
  }
}
