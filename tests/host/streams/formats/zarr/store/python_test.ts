/** A Zarr of Python's standard library reads what is written here, and the other way round. */

import { assertEquals } from "@std/assert";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { pythonTest } from "../../../../../support/judges/python.ts";
import {
  pythonKnows,
  type PythonZarrJob,
  zarrOfPython,
} from "../../../../../support/judges/python_zarr.ts";
import {
  type RandomZarr,
  randomZarr,
  typeNames,
} from "../../../../../support/random/random_zarr.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

/** Draws arrays that Python knows, of all types and codecs. */
async function draw(): Promise<RandomZarr[]> {
  const codecs = ["big", "transpose", "F", "sharding_indexed", "start", "gzip", "zlib", "crc32c"];
  const wanted = new Draws([...codecs, ...typeNames]);
  const arrays: RandomZarr[] = [];
  await forSeeds(250, (random) => {
    const drawn = randomZarr(random, new Draws([]));
    if (!pythonKnows(drawn.kinds)) return;
    drawn.kinds.forEach((kind) => wanted.add(kind));
    arrays.push(drawn);
  }, wanted);
  return arrays;
}

pythonTest("Python reads what is written", async () => {
  await inFolder(async (folder) => {
    const arrays = await draw();
    for (const [at, { metadata, chunk, shard, items }] of arrays.entries()) {
      const writer = await createFixed(`${folder}/${at}`, metadata, { chunk, shard });
      await writeItems(writer, items);
    }
    const read = await zarrOfPython(arrays.map((_, at) => ({ path: `${folder}/${at}` })));
    for (const [at, { metadata, items }] of arrays.entries()) {
      assertEquals(read[at], items, metadata.array);
    }
  });
});

pythonTest("what Python writes is read", async () => {
  await inFolder(async (folder) => {
    const arrays = await draw();
    const jobs = arrays.map(({ metadata, items }, at): PythonZarrJob => ({
      path: `${folder}/${at}`,
      metadata: metadata.array,
      items,
    }));
    await zarrOfPython(jobs);
    for (const [at, { metadata, chunk, items }] of arrays.entries()) {
      const opened = await openFixed(`${folder}/${at}`);
      assertEquals(opened.grid.chunk, chunk);
      assertEquals(await readItems(opened), items, metadata.array);
    }
  });
});
