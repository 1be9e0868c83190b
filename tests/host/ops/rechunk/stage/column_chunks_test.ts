/** Rechunking in columns, by a backend that computes on two hosts. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { CheckBackend } from "../../../../../gpu/check/backend.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  StepError,
} from "../../../../../mod.ts";
import { rechunk } from "../../../../../ops/rechunk/rechunk.ts";
import { arrayOfRows, chunkRows, randomArray } from "../../../../support/zarr/chunk_rows.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import {
  type Faults,
  PlantedBackend,
  swapped,
} from "../../../../support/pipelines/planted_backend.ts";
import { forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";

const host = () => createHostBackend({ threads: 1 });

/** An engine that copies boxes between columns, on two hosts of which one has faults. */
function checkingEngine(faults: Faults): Engine {
  const engine = createEngine({ device: "cpu" });
  const backend = new CheckBackend(host(), new PlantedBackend(host(), faults));
  return Object.assign(engine, { backend: () => Promise.resolve(backend) });
}

const cpu = createEngine({ device: "cpu" });
const checking = checkingEngine({});
const maxMem = 1 << 20;

Deno.test("chunks in columns become the same chunks in the same order as those in memory", () =>
  forSeeds(60, async (random) => {
    const array = randomArray(random);
    const rows = chunkRows(array, random);
    if (rows.length === 0) return;
    const to = array.grid.shape.map((length) => random.chance(0.2) ? -1 : 1 + random.below(length));
    const [expected, found] = await Promise.all([cpu, checking].map(async (engine) => {
      const kept = fromBatches(rows, { engine }).pipeThrough(filter(expr("keep == 1")));
      return await arrayOfRows(
        await Array.fromAsync(kept.pipeThrough(rechunk({ to, maxMem }))),
      );
    }));
    assertEquals(expected!.array.items(), array.items());
    assertEquals(found!.array.chunks, expected!.array.chunks);
    assertEquals(found!.places, expected!.places);
  }));

const random = new SeededRandom(5);
const small = MemoryZarr.of(
  { name: "t", shape: [4, 6], chunk: [2, 3] },
  Uint8Array.from({ length: 96 }, (_, at) => at + 1),
);

Deno.test("a wrong copy of a chunk is found, and its step named", async () => {
  const engine = checkingEngine({ boxes: swapped(0) });
  const rows = fromBatches(chunkRows(small, random), { engine })
    .pipeThrough(filter(expr("keep == 1")));
  const error = await assertRejects(
    () => Array.fromAsync(rows.pipeThrough(rechunk({ to: [4, 2], maxMem }))),
    StepError,
  );
  assert(error.message.includes("the copy of boxes gives"), error.message);
});

Deno.test("a chunk in a column that comes twice is an error", async () => {
  const rows = chunkRows(small, random);
  const twice = fromBatches([...rows, ...rows], { engine: checking })
    .pipeThrough(filter(expr("keep == 1")));
  await assertRejects(
    () => Array.fromAsync(twice.pipeThrough(rechunk({ to: [4, 2], maxMem }))),
    Error,
    "occurs twice",
  );
});
