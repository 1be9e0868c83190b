/** Parts of arrays that are written: a box of chunks is an array of its own, and all else is refused. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { write } from "../../../../../../mod.ts";
import {
  type Box,
  boxShape,
  type ChunkRange,
  type Grid,
  gridShape,
  numChunks,
  placesIn,
  rangeBox,
  rangeSize,
} from "../../../../../../streams/formats/zarr/grid/grid.ts";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { openSource } from "../../../../../../streams/files/read.ts";
import {
  createFixed,
  createVariable,
  openFixed,
} from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { randomTextZarr } from "../../../../../support/random/random_text_zarr.ts";
import { randomZarr } from "../../../../../support/random/random_zarr.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../../support/random/seeded_random.ts";
import { readAll, writeAll } from "../../../../../support/values/streams_samples.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";
import { openTexts, readTexts, writeTexts } from "../../../../../support/zarr/zarr_texts.ts";

/** Some chunks that form a box; at least one along each axis. */
function randomRange(random: SeededRandom, grid: Grid): ChunkRange {
  const counts = gridShape(grid);
  const first = counts.map((count) => random.below(count));
  const end = counts.map((count, axis) => first[axis]! + 1 + random.below(count - first[axis]!));
  return { first, end };
}

/** Numbers in C order of what lies in a range of places. */
function numbersIn(counts: readonly number[], range: ChunkRange): number[] {
  return [...placesIn(range)].map((place) =>
    place.reduce((sum, at, axis) => sum * counts[axis]! + at, 0)
  );
}

const itemsIn = (shape: readonly number[], { start, stop }: Box) =>
  numbersIn(shape, { first: start, end: stop });

/** The rows of the chunks of a range, in C order or any other. */
async function rowsOf(
  path: string,
  grid: Grid,
  range: ChunkRange,
  random: SeededRandom,
): Promise<RecordBatch[]> {
  const rows = (await readAll(openSource(path))).flatMap((batch) =>
    Array.from({ length: batch.numRows }, (_, row) => batch.slice(row, row + 1))
  );
  const chosen = numbersIn(gridShape(grid), range).map((number) => rows[number]!);
  return random.chance(0.5) ? chosen : shuffled(chosen, random);
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]!);
}

/** Asserts that each file of a folder is metadata or has the name of a chunk, and no folder is empty. */
function assertOnlyChunks(path: string, grid: Grid): void {
  const counts = gridShape(grid);
  const walk = (folder: string, inner: string) => {
    const entries = [...Deno.readDirSync(folder)];
    assert(entries.length > 0, `${folder} is empty`);
    for (const { name, isDirectory } of entries) {
      const here = `${inner}/${name}`;
      if (isDirectory) walk(`${folder}/${name}`, here);
      else if (!/\/(zarr\.json|\.zarray|\.zattrs)$/.test(here)) {
        const place = here.match(/\d+/g)?.map(Number) ?? [];
        assert(counts.every((count, axis) => place[axis]! < count), `${here} in ${counts}`);
      }
    }
  };
  walk(path, "");
}

Deno.test("a box of chunks, in any order, is an array of the items in it", () => {
  const draws = new Draws([
    ...["whole", "part", "part of a part", "chunks", "within a shard", "behind a shard"],
    ...["end of the array", "version 2", "version 3"],
  ]);
  return forSeeds(60, async (random) => {
    const drawn = randomZarr(random, new Draws([]));
    const { metadata, shape, chunk, shard, itemBytes, items } = drawn;
    if (shape.includes(0)) return;
    await inFolder(async (folder) => {
      let path = `${folder}/0.zarr`;
      await writeItems(await createFixed(path, metadata, { chunk, shard }), items);
      let [grid, box, isPart]: [Grid, Box, boolean] = [
        ...[{ shape, chunk }, { start: shape.map(() => 0), stop: shape }, false] as const,
      ];
      for (const to of [`${folder}/1.zarr`, `${folder}/2.zarr`]) {
        const range = randomRange(random, grid);
        await writeAll(write(to), await rowsOf(path, grid, range, random));
        const { start, stop } = rangeBox(grid, range);
        const isWhole = rangeSize(range) === numChunks(grid);
        draws.add(isWhole ? "whole" : isPart ? "part of a part" : "part");
        draws.add(`version ${metadata.format}`);
        if (shard === undefined) draws.add("chunks");
        else if (start.some((at, axis) => at % shard[axis]! !== 0)) draws.add("within a shard");
        else if (start.some((at) => at > 0)) draws.add("behind a shard");
        if (!isWhole && stop.some((at, axis) => at % chunk[axis]! !== 0)) {
          draws.add("end of the array");
        }
        box = {
          start: start.map((at, axis) => box.start[axis]! + at),
          stop: stop.map((at, axis) => box.start[axis]! + at),
        };
        isPart ||= !isWhole;
        grid = { shape: boxShape(box), chunk };
        const opened = await openFixed(to);
        assertEquals([opened.grid, opened.writeGrid.chunk], [grid, shard ?? chunk]);
        const expected = itemsIn(shape, box).flatMap((at) => [
          ...items.subarray(at * itemBytes, (at + 1) * itemBytes),
        ]);
        assertEquals(await readItems(opened), Uint8Array.from(expected), metadata.array);
        assertEquals(opened.attributes, {
          title: "drawn",
          _ARRAY_DIMENSIONS: shape.map((_, axis) => `d${axis}`),
          ...(isPart ? { sluice_origin: box.start } : {}),
        });
        assertOnlyChunks(to, opened.writeGrid);
        path = to;
      }
    });
  }, draws);
});

Deno.test("a box of chunks of text is an array of the items in it", () => {
  const draws = new Draws(["chunks", "shards", "within a shard"]);
  return forSeeds(60, async (random) => {
    const { metadata, shape, chunk, shard, items } = randomTextZarr(random, new Draws([]));
    await inFolder(async (folder) => {
      const [from, to] = [`${folder}/a.zarr`, `${folder}/b.zarr`];
      await writeTexts(await createVariable(from, metadata, { chunk, shard }), items);
      const grid = { shape, chunk: (await openTexts(from)).grid.chunk };
      const range = randomRange(random, grid);
      const box = rangeBox(grid, range);
      draws.add(shard === undefined ? "chunks" : "shards");
      if (box.start.some((at, axis) => at % (shard ?? grid.chunk)[axis]! !== 0)) {
        draws.add("within a shard");
      }
      await writeAll(write(to), await rowsOf(from, grid, range, random));
      const written = await openTexts(to);
      assertEquals(written.grid.shape, boxShape(box));
      const expected = itemsIn(shape, box).map((at) => items[at]!);
      assertEquals(await readTexts(written), expected, metadata.array);
      assertOnlyChunks(to, written.writeGrid);
    });
  }, draws);
});

Deno.test("chunks that form no box are refused, with the first that is missing", () => {
  const draws = new Draws(["hole", "box"]);
  return forSeeds(40, (random) =>
    inFolder(async (folder) => {
      const shape = [1 + random.below(5), 1 + random.below(5)];
      const grid = { shape, chunk: [1, 1] };
      const array = JSON.stringify({
        ...{ zarr_format: 2, shape, chunks: [1, 1], dtype: "|u1", fill_value: 0 },
        ...{ order: "C", filters: null, compressor: null },
      });
      const from = `${folder}/a.zarr`;
      const writer = await createFixed(from, { format: 2, array }, { chunk: [1, 1] });
      await writeItems(writer, new Uint8Array(shape[0]! * shape[1]!).fill(7));
      const rows = await rowsOf(from, grid, { first: [0, 0], end: shape }, random);
      const kept = rows.filter(() => random.chance(0.7));
      if (kept.length === 0) return;
      const places = kept.map((batch) => [...batch.getChild("origin")!.get(0)].map(Number));
      const low = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis]!)));
      const high = [0, 1].map((axis) => Math.max(...places.map((place) => place[axis]! + 1)));
      const inBox = [...placesIn({ first: low, end: high })];
      const missing = inBox.find((place) => !places.some((there) => there.join() === place.join()));
      draws.add(missing === undefined ? "box" : "hole");
      const to = `${folder}/b.zarr`;
      const written = writeAll(write(to), kept);
      if (missing === undefined) return await written;
      const { message } = await assertRejects(() => written, FileError);
      assertStringIncludes(
        message,
        `${to}: the ${kept.length} chunks of a that arrived do not form`,
      );
      assertStringIncludes(message, `the one at [${missing.join(", ")}] is missing between`);
      await assertRejects(() => Deno.stat(to), Deno.errors.NotFound);
    }), draws);
});
