import { assertEquals } from "@std/assert";
import {
  allChunks,
  chunkBox,
  numChunks,
  product,
} from "../../../../../../streams/formats/zarr/grid/grid.ts";
import { itemsKindOf } from "../../../../../../streams/formats/zarr/items/any_items.ts";
import { ShardGather } from "../../../../../../streams/formats/zarr/shard/shard_gather.ts";
import { createVariable } from "../../../../../support/zarr/stored_arrays.ts";
import { repeatVariable } from "../../../../../../streams/formats/zarr/items/variable_items.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { openTexts, readTexts, writeTexts } from "../../../../../support/zarr/zarr_texts.ts";

Deno.test("shards are written once each, when they are complete, whatever waits in files", () => {
  const draws = new Draws(["none in memory", "some in memory", "all in memory"]);
  return forSeeds(80, (random) =>
    inFolder({}, async (folder) => {
      const shape = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(9));
      const chunk = shape.map(() => 1 + random.below(3));
      const shard = chunk.map((length) => length * (1 + random.below(3)));
      const items = Uint8Array.from({ length: 2 * product(shape) }, () => 1 + random.below(255));
      const fill = Uint8Array.of(0, 7);
      const array = MemoryZarr.of({ shape, chunk, shard, fill }, items);
      const written = new MemoryZarr({ shape, chunk, shard, fill });
      const chunkBytes = 2 * product(chunk);
      const [kind, mostBytes] = random.pick(
        [
          ["none in memory", 0],
          ["some in memory", 2 * chunkBytes],
          ["all in memory", 1 << 20],
        ] as const,
      );
      draws.add(kind);
      const gather = new ShardGather(written, itemsKindOf(written), folder, mostBytes);
      const left = [...allChunks(array.grid)];
      const come = new Map<string, number>();
      while (left.length > 0) {
        const [index] = left.splice(random.below(left.length), 1);
        const into = new Uint8Array(chunkBytes);
        await array.readChunk(index!, into);
        await gather.add(index!, into);
        const place = index!.map((at, axis) => Math.floor(at * chunk[axis]! / shard[axis]!));
        come.set(place.join(), (come.get(place.join()) ?? 0) + 1);
        const { start, stop } = chunkBox(array.writeGrid, place);
        const within = stop.map((at, axis) => at - start[axis]!);
        const isComplete = come.get(place.join()) === numChunks({ shape: within, chunk });
        assertEquals(written.writes.includes(place.join()), isComplete);
      }
      await gather.end();
      assertEquals(written.items(), items);
      assertEquals(written.writes.length, numChunks(array.writeGrid));
      assertEquals([...Deno.readDirSync(folder)], []);
    }), draws);
});

Deno.test("what has not come of a shard is fill values", () =>
  inFolder({}, async (folder) => {
    const fill = Uint8Array.of(9);
    const written = new MemoryZarr({ shape: [6], chunk: [2], shard: [4], fill });
    const gather = new ShardGather(written, itemsKindOf(written), folder, 0);
    await gather.add([1], Uint8Array.of(1, 2));
    assertEquals(written.writes, []);
    await gather.end();
    assertEquals(written.writes, ["0"]);
    assertEquals([...written.items()], [9, 9, 1, 2, 9, 9]);
  }));

Deno.test("text waits in memory and in files as numbers do", () => {
  const draws = new Draws(["none in memory", "some in memory", "all in memory"]);
  return forSeeds(60, (random) =>
    inFolder({}, async (folder) => {
      const shape = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(7));
      const chunk = shape.map(() => 1 + random.below(3));
      const shard = chunk.map((length) => length * (1 + random.below(3)));
      const array = JSON.stringify({
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: "bytes",
        chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
        chunk_key_encoding: { name: "default" },
        fill_value: "AQID",
        codecs: [{ name: "vlen-bytes" }],
      });
      const metadata = { format: 3 as const, array };
      const written = await createVariable(`${folder}/a.zarr`, metadata, { chunk, shard });
      const items = Array.from({ length: product(shape) }, () =>
        Uint8Array.from({ length: random.below(9) }, () => random.below(256)));
      const source = await createVariable(`${folder}/b.zarr`, metadata, { chunk });
      await writeTexts(source, items);
      const reader = await openTexts(`${folder}/b.zarr`);
      const [kind, mostBytes] = random.pick(
        [["none in memory", 0], ["some in memory", 200], ["all in memory", 1 << 20]] as const,
      );
      draws.add(kind);
      Deno.mkdirSync(`${folder}/held`);
      const gather = new ShardGather(written, itemsKindOf(written), `${folder}/held`, mostBytes);
      const left = [...allChunks(reader.grid)];
      const missing = random.chance(0.3) ? left.pop() : undefined;
      while (left.length > 0) {
        const [index] = left.splice(random.below(left.length), 1);
        const chunkItems = await reader.readChunk(index!);
        await gather.add(index!, chunkItems ?? repeatVariable(product(chunk), reader.fill));
      }
      await gather.end();
      const read = await readTexts(await openTexts(`${folder}/a.zarr`));
      if (missing !== undefined) {
        Deno.removeSync(`${folder}/b.zarr/c/${missing.join("/")}`);
      }
      assertEquals(read, await readTexts(await openTexts(`${folder}/b.zarr`)));
      assertEquals([...Deno.readDirSync(`${folder}/held`)], []);
    }), draws);
});
