// Scans the sums of many blocks, in tiles of 1,024 with a workgroup each: once to sum the tiles, and
// once after scan_sums has scanned these sums. An invocation owns four blocks. Follows
// block_scan.wgsl.
//
// params[0]: number of blocks, first word of the sums; 0 to sum the tiles, 1 to replace each sum by
// the sum of all blocks before; 1 if a count for each block follows the sums
// tiles: for each tile, its sum; then, for each tile, its count

@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> tiles: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(256)
fn scan_tiles(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let blocks = params[0].x;
  let num_tiles = (blocks + 1023u) / 1024u;
  let tile = group.y * groups.x + group.x;
  if (tile >= num_tiles) { return; }
  let start = min(tile * 1024u + lane * 4u, blocks);
  let stop = min(start + 4u, blocks);
  let first = params[0].y;

  var sum = 0u;
  var counted = 0u;
  for (var k = start; k < stop; k++) {
    sum = add_saturating(sum, sums[first + k]);
    if (params[0].w == 1u) { counted += sums[first + blocks + k]; }
  }
  if (counted > 0u) { atomicAdd(&count, counted); }
  let before = block_exclusive_scan(sum, lane);
  if (params[0].z == 0u) {
    if (lane == 0u) {
      tiles[tile] = scan_total;
      tiles[num_tiles + tile] = atomicLoad(&count);
    }
    return;
  }
  sum = add_saturating(tiles[tile], before);
  for (var k = start; k < stop; k++) {
    let next = sums[first + k];
    sums[first + k] = sum;
    sum = add_saturating(sum, next);
  }
}
