// One pass of a stable sort of rows by the numbers of their keys: by one digit of 4 bits. An
// invocation owns 4 consecutive items, which it loads as one vector, a workgroup a block of 1,024.
//
// The first pass takes all rows in order and leaves out those without a key.
//
// numbers    for each item, the number of its key; in the first pass, that + 1, or 0 for no key
// rows       for each item, its row; not read in the first pass
// counts     for each digit and block, its items; scanned into the place of the first of them
// to_numbers, to_rows: the items, sorted by the digit; without the + 1
//
// params[0]  items, number of blocks, bits below the digit, whether this is the first pass

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> numbers: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> rows: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> to_numbers: array<u32>;
@group(0) @binding(5) var<storage, read_write> to_rows: array<u32>;

const NO_DIGIT = 16u;

// Returns the digits of four consecutive items.
fn digits_of(first: u32, own: vec4<u32>) -> vec4<u32> {
  let digits = ((own - params[0].w) >> vec4(params[0].z)) & vec4(15u);
  let is_none = (vec4(first) + vec4(0u, 1u, 2u, 3u)) >= vec4(params[0].x);
  let has_no_key = own < vec4(params[0].w);
  return select(digits, vec4(NO_DIGIT), is_none | has_no_key);
}

var<workgroup> digit_counts: array<atomic<u32>, 16>;

@compute @workgroup_size(256)
fn count_digits(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let four = block * 256u + local.x;
  let digits = digits_of(four * 4u, numbers[four]);
  for (var k = 0u; k < 4u; k++) {
    let digit = digits[k];
    if (digit != NO_DIGIT) {
      atomicAdd(&digit_counts[digit], 1u);
    }
  }
  workgroupBarrier();
  if (local.x < 16u && block < params[0].y) {
    counts[local.x * params[0].y + block] = atomicLoad(&digit_counts[local.x]);
  }
}

// The items of each digit that an invocation owns, two digits a word: digit d is in the word (d /
// 2) * 256 + invocation, at slot_of. The scan turns them into those before it among 8 invocations.
var<workgroup> own_counts: array<u32, 2112>;
// The sums of 8 invocations each, 32 words for two digits. The scan turns them into those before
// them.
var<workgroup> group_counts: array<u32, 264>;

// A gap after every 32 words puts ranges of 8 or 32 words in different banks, as in
// block_scan.wgsl.
fn slot_of(word: u32) -> u32 {
  return word + word / 32u;
}

fn half(word: u32, digit: u32) -> u32 {
  return (word >> (16u * (digit % 2u))) & 0xffffu;
}

@compute @workgroup_size(256)
fn scatter(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local_id: vec3<u32>,
) {
  let local = local_id.x;
  let block = workgroup.x + workgroup.y * count.x;
  let four = block * 256u + local;
  let own_numbers = numbers[four];
  let digits = digits_of(four * 4u, own_numbers);
  // For each item, those before it with the same digit in this invocation.
  var before: array<u32, 4>;
  for (var pair = 0u; pair < 8u; pair++) {
    own_counts[slot_of(pair * 256u + local)] = 0u;
  }
  for (var k = 0u; k < 4u; k++) {
    let digit = digits[k];
    if (digit != NO_DIGIT) {
      let at = slot_of((digit / 2u) * 256u + local);
      before[k] = half(own_counts[at], digit);
      own_counts[at] += 1u << (16u * (digit % 2u));
    }
  }
  workgroupBarrier();
  // Each invocation scans 8 words of counts, for two digits each.
  let start = slot_of(local * 8u);
  var sum = 0u;
  for (var at = start; at < start + 8u; at++) {
    let next = own_counts[at];
    own_counts[at] = sum;
    sum += next;
  }
  group_counts[slot_of(local)] = sum;
  workgroupBarrier();
  if (local < 8u) {
    var total = 0u;
    let start = slot_of(local * 32u);
    for (var at = start; at < start + 32u; at++) {
      let next = group_counts[at];
      group_counts[at] = total;
      total += next;
    }
  }
  workgroupBarrier();
  var own_rows = vec4(four * 4u) + vec4(0u, 1u, 2u, 3u);
  if (params[0].w == 0u) {
    own_rows = rows[four];
  }
  for (var k = 0u; k < 4u; k++) {
    let digit = digits[k];
    if (digit != NO_DIGIT) {
      let pair = digit / 2u;
      let among_groups = half(group_counts[slot_of(pair * 32u + local / 8u)], digit);
      let among_own = half(own_counts[slot_of(pair * 256u + local)], digit);
      let position = counts[digit * params[0].y + block] + among_groups + among_own + before[k];
      to_numbers[position] = own_numbers[k] - params[0].w;
      to_rows[position] = own_rows[k];
    }
  }
}
