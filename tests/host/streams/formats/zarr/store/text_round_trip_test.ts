/** Arrays of text and bytes come out as they went in, and Python's standard library agrees. */

import { assertEquals } from "@std/assert";
import { createVariable } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { pythonTest } from "../../../../../support/judges/python.ts";
import { type PythonZarrJob, textsOfPython } from "../../../../../support/judges/python_zarr.ts";
import {
  type RandomTextZarr,
  randomTextZarr,
  textKinds,
} from "../../../../../support/random/random_text_zarr.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { openTexts, readTexts, writeTexts } from "../../../../../support/zarr/zarr_texts.ts";

Deno.test("items come out as they went in, and in other chunks too", () => {
  const draws = new Draws(textKinds);
  return forSeeds(100, async (random) => {
    const { metadata, kind, chunk, shard, fill, items } = randomTextZarr(random, draws);
    await inFolder(async (folder) => {
      const path = `${folder}/a.zarr`;
      const writer = await createVariable(path, metadata, { chunk, shard });
      await writeTexts(writer, items);
      const reader = await openTexts(path);
      assertEquals([reader.dataType, reader.grid.chunk], [kind, chunk], metadata.array);
      assertEquals(reader.writeGrid.chunk, shard ?? chunk, metadata.array);
      assertEquals(reader.fill, fill, metadata.array);
      assertEquals(await readTexts(reader), [...items], metadata.array);
      assertEquals(reader.bytesRead <= writer.bytesWritten + 1000, true);
      const other = chunk.map(() => 1 + random.below(4));
      const copy = await createVariable(`${folder}/b.zarr`, reader.metadata, { chunk: other });
      await writeTexts(copy, items);
      assertEquals(await readTexts(await openTexts(`${folder}/b.zarr`)), [...items]);
    });
  }, draws);
});

/** Draws arrays that Python's standard library knows. */
async function draw(): Promise<RandomTextZarr[]> {
  const unknown = new Set(["zstd", "blosc", "lz4", "shuffle"]);
  const wanted = new Draws(textKinds.filter((kind) => !unknown.has(kind)));
  const arrays: RandomTextZarr[] = [];
  await forSeeds(250, (random) => {
    const drawn = randomTextZarr(random, new Draws([]));
    if (drawn.kinds.some((kind) => unknown.has(kind))) return;
    drawn.kinds.forEach((kind) => wanted.add(kind));
    arrays.push(drawn);
  }, wanted);
  return arrays;
}

pythonTest("Python reads the text that is written", async () => {
  await inFolder(async (folder) => {
    const arrays = await draw();
    for (const [at, { metadata, chunk, shard, items }] of arrays.entries()) {
      await writeTexts(
        await createVariable(`${folder}/${at}`, metadata, { chunk, shard }),
        items,
      );
    }
    const read = await textsOfPython(arrays.map((_, at) => ({ path: `${folder}/${at}` })));
    for (const [at, { metadata, items }] of arrays.entries()) {
      assertEquals(read[at], [...items], metadata.array);
    }
  });
});

pythonTest("text that Python writes is read", async () => {
  await inFolder(async (folder) => {
    const arrays = await draw();
    const jobs = arrays.map(({ metadata, items }, at): PythonZarrJob => {
      return { path: `${folder}/${at}`, metadata: metadata.array, items };
    });
    await textsOfPython(jobs);
    for (const [at, { metadata, chunk, items }] of arrays.entries()) {
      const reader = await openTexts(`${folder}/${at}`);
      assertEquals(reader.grid.chunk, chunk);
      assertEquals(await readTexts(reader), [...items], metadata.array);
    }
  });
});
