// Exclusive scan within a block of 256 values; a library for kernels of workgroup size 256.
//
// Sums saturate: 0xffffffff stands for any larger total, so a sum of sizes never wraps around and
// looks small. Saturating addition is associative.

// Value i is at scan_slot(i).
var<workgroup> scan_values: array<u32, 264>;
var<workgroup> scan_groups: array<u32, 16>;
// The sum of the block, set by block_exclusive_scan.
var<workgroup> scan_total: u32;

fn add_saturating(a: u32, b: u32) -> u32 {
  let sum = a + b;
  return select(sum, 0xffffffffu, sum < a);
}

// Workgroup memory has 32 banks, each of which delivers one word at a time. With a gap after every
// 32 values, neither 32 consecutive lanes nor 16 lanes 16 values apart ask one bank for two words.
fn scan_slot(index: u32) -> u32 {
  return index + index / 32u;
}

// Returns the sum of the values of the invocations before this one. All 256 have to call it
// together. A kernel may call it again once its first invocation has read scan_total. Two levels of
// 16 take three barriers; a tree would take sixteen.
fn block_exclusive_scan(value: u32, local: u32) -> u32 {
  scan_values[scan_slot(local)] = value;
  workgroupBarrier();
  if (local < 16u) {
    var sum = 0u;
    // A loop of 16 rounds would be unrolled, which compiles longer and runs slower.
    let start = scan_slot(local * 16u);
    let stop = start + 16u;
    for (var k = start; k < stop; k++) {
      let next = scan_values[k];
      scan_values[k] = sum;
      sum = add_saturating(sum, next);
    }
    scan_groups[local] = sum;
  }
  workgroupBarrier();
  if (local == 0u) {
    var sum = 0u;
    for (var k = 0u; k < 16u; k++) {
      let next = scan_groups[k];
      scan_groups[k] = sum;
      sum = add_saturating(sum, next);
    }
    scan_total = sum;
  }
  workgroupBarrier();
  return add_saturating(scan_values[scan_slot(local)], scan_groups[local / 16u]);
}
