import { assertEquals } from "@std/assert";
import { arrayLike } from "../../../../../../streams/formats/zarr/store/create_array.ts";

const little = { name: "bytes", configuration: { endian: "little" } };

/** An array of (1400, 240, 240) with chunks of (10, 60, 60) in shards of (10, 240, 240). */
const sharded = JSON.stringify({
  zarr_format: 3,
  node_type: "array",
  shape: [1400, 240, 240],
  data_type: "float32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [10, 240, 240] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{
    name: "sharding_indexed",
    configuration: { chunk_shape: [10, 60, 60], codecs: [little], index_codecs: [little] },
  }],
});

Deno.test("new shards are whole chunks with no more items than the old ones, if they can", async () => {
  const table: [chunk: number[], shard: number[]][] = [
    [[10, 60, 60], [10, 240, 240]],
    [[5, 24, 24], [10, 240, 240]],
    [[5, 100, 100], [5, 300, 300]],
    [[1400, 10, 10], [1400, 10, 40]],
    [[1400, 24, 24], [1400, 24, 24]],
    [[1, 1, 1], [10, 240, 240]],
  ];
  for (const [chunk, shard] of table) {
    const { grid, writeGrid } = await arrayLike("a", { format: 3, array: sharded }, { chunk });
    assertEquals([grid.chunk, writeGrid.chunk], [chunk, shard]);
  }
});
