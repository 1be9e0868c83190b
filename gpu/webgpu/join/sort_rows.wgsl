// One pass of a stable sort of rows by the numbers of their keys: by one digit of 4 bits. One invocation
// owns 4 items in a line, so a workgroup a block of 1,024.
//
// The first pass takes all rows in order and leaves out those without a key.
//
// numbers    one word an item: number of its key, in the first pass that + 1, or 0 for none
// rows       one word an item: its row; not read in the first pass
// counts     for each digit, one word a block: items of it; once scanned, where they go
// to_numbers, to_rows: the items, sorted by the digit; numbers as from the second pass on
//
// params[0]  items, number of blocks, bits below the digit, whether this is the first pass

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> to_numbers: array<u32>;
@group(0) @binding(5) var<storage, read_write> to_rows: array<u32>;

const NO_DIGIT = 16u;

// The number of the key of an item; only where digit_of gives a digit.
fn number_of(item: u32) -> u32 {
  return numbers[item] - params[0].w;
}

fn digit_of(item: u32) -> u32 {
  if (item >= params[0].x || (params[0].w == 1u && numbers[item] == 0u)) {
    return NO_DIGIT;
  }
  return (number_of(item) >> params[0].z) & 15u;
}

var<workgroup> digit_counts: array<atomic<u32>, 16>;

@compute @workgroup_size(256)
fn count_digits(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
) {
  let block = workgroup.x + workgroup.y * count.x;
  let first = (block * 256u + local.x) * 4u;
  for (var k = 0u; k < 4u; k++) {
    let digit = digit_of(first + k);
    if (digit != NO_DIGIT) {
      atomicAdd(&digit_counts[digit], 1u);
    }
  }
  workgroupBarrier();
  if (local.x < 16u && block < params[0].y) {
    counts[local.x * params[0].y + block] = atomicLoad(&digit_counts[local.x]);
  }
}

// Items of each digit that an invocation owns, two digits a word: of digit d in the word
// (d / 2) * 256 + invocation. Once scanned: those before it among 8 invocations.
var<workgroup> own_counts: array<u32, 2048>;
// The same of 8 invocations each, 32 words for two digits; once scanned, those before them.
var<workgroup> group_counts: array<u32, 256>;

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
  let first = (block * 256u + local) * 4u;
  var digits: array<u32, 4>;
  // Items before each, of the same digit and the same invocation.
  var before: array<u32, 4>;
  for (var pair = 0u; pair < 8u; pair++) {
    own_counts[pair * 256u + local] = 0u;
  }
  for (var k = 0u; k < 4u; k++) {
    let digit = digit_of(first + k);
    digits[k] = digit;
    if (digit != NO_DIGIT) {
      let at = (digit / 2u) * 256u + local;
      before[k] = half(own_counts[at], digit);
      own_counts[at] += 1u << (16u * (digit % 2u));
    }
  }
  workgroupBarrier();
  // Each invocation scans the counts of 8 others, of two digits.
  let start = local * 8u;
  var sum = 0u;
  for (var at = start; at < start + 8u; at++) {
    let next = own_counts[at];
    own_counts[at] = sum;
    sum += next;
  }
  group_counts[local] = sum;
  workgroupBarrier();
  if (local < 8u) {
    var total = 0u;
    for (var at = local * 32u; at < local * 32u + 32u; at++) {
      let next = group_counts[at];
      group_counts[at] = total;
      total += next;
    }
  }
  workgroupBarrier();
  for (var k = 0u; k < 4u; k++) {
    let digit = digits[k];
    if (digit != NO_DIGIT) {
      let pair = digit / 2u;
      let among_groups = half(group_counts[pair * 32u + local / 8u], digit);
      let among_own = half(own_counts[pair * 256u + local], digit);
      let position = counts[digit * params[0].y + block] + among_groups + among_own + before[k];
      to_numbers[position] = number_of(first + k);
      if (params[0].w == 1u) {
        to_rows[position] = first + k;
      } else {
        to_rows[position] = rows[first + k];
      }
    }
  }
}
