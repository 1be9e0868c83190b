// Exclusive scan within a block of 256 values; a library for kernels of workgroup size 256.
//
// Sums saturate: a total of 0xffffffff stands for any that is as large or larger, so that a
// sum of sizes can never wrap around and look small. Saturating addition is associative.

// Value i is at scan_slot(i).
var<workgroup> scan_values: array<u32, 264>;
var<workgroup> scan_groups: array<u32, 16>;
// The sum of the block; set by block_exclusive_scan.
var<workgroup> scan_total: u32;

fn add_saturating(a: u32, b: u32) -> u32 {
  let sum = a + b;
  return select(sum, 0xffffffffu, sum < a);
}

// Memory of a workgroup has 32 banks, each of which gives one word at a time. With a gap behind every 32
// values, neither 32 lanes in a line nor 16 lanes that are 16 values apart ask one bank for two.
fn scan_slot(index: u32) -> u32 {
  return index + index / 32u;
}

// The sum of the values of the invocations before this one. All 256 must call it together. A kernel
// may call it again, once its first invocation has taken scan_total. Two levels of 16 cost three
// barriers; a tree would cost sixteen.
fn block_exclusive_scan(value: u32, local: u32) -> u32 {
  scan_values[scan_slot(local)] = value;
  workgroupBarrier();
  if (local < 16u) {
    var sum = 0u;
    // Over positions: a loop of 16 rounds gets unrolled, which compiles longer and runs slower.
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
