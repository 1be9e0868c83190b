/** Rechunking by several threads: what one would give, in memory that they share. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { planFixed } from "../../../../../ops/rechunk/plan/plan_fixed.ts";
import type { RechunkProgress } from "../../../../../ops/rechunk/move/rechunk_run.ts";
import { runRechunk } from "../../../../../ops/rechunk/move/run_rechunk.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import type { FixedWriter } from "../../../../../streams/formats/zarr/items/array.ts";
import { createFixed, openFixed } from "../../../../support/zarr/stored_arrays.ts";
import { withCountedWorkers } from "../../../../support/processes/counted_workers.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { randomZarr } from "../../../../support/random/random_zarr.ts";
import { handMadePlan } from "../../../../support/zarr/rechunk_cases.ts";
import { writeStack } from "../../../../support/zarr/rechunk_files.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { readItems, writeItems } from "../../../../support/zarr/zarr_items.ts";

const MAX_MEM = 1 << 26;

Deno.test("threads give every chunk what one thread gives it, whatever the type and the codecs", () => {
  const draws = new Draws(["moved by workers", "0 stages", "1 stages", "2 stages"]);
  return forSeeds(10, (random) =>
    inFolder(async (folder) => {
      const { metadata, shape, chunk, shard, items } = randomZarr(random, new Draws([]));
      const from = await createFixed(`${folder}/in.zarr`, metadata, { chunk, shard });
      await writeItems(from, items);
      const source = await openArray(`${folder}/in.zarr`);
      const to = shape.map((length) => 1 + random.below(Math.max(1, length)));
      const target = await createFixed(`${folder}/out.zarr`, metadata, { chunk: to });
      const stages = shape.length === 0 || shape.includes(0) ? 0 : random.below(3);
      const plan = planFixed({ source, target, maxMem: MAX_MEM, stages });
      draws.add(`${plan.stages.length} stages`);
      const run = { source, target, plan, maxMem: MAX_MEM, temp: `${folder}/temp` };
      const { answers } = await withCountedWorkers(async (counts) => {
        await runRechunk({ ...run, threads: 3 });
        return counts;
      });
      if (answers.has("done")) draws.add("moved by workers");
      assertEquals(answers.get("failed"), undefined);
      assertEquals(await readItems(await openArray(`${folder}/out.zarr`)), items);
    }), draws);
});

Deno.test("threads tell of every byte, count what all of them read and wrote, and end", () =>
  inFolder(async (folder) => {
    const run = await stackRun(folder, "zstd");
    const alone = { ...run, target: await copyOf(folder, run, "alone") };
    await runRechunk({ ...alone, threads: 1 });
    const { source, target } = { ...run, source: await openArray(`${folder}/in.zarr`) };
    const seen: RechunkProgress[] = [];
    const onProgress = (progress: RechunkProgress) => seen.push(progress);
    await withCountedWorkers(async (counts) => {
      await runRechunk({ ...run, source, threads: 3, onProgress });
      assertEquals([counts.started, counts.ended], [2, 2]);
      assert(counts.answers.get("done")! >= 2);
    });
    const { bytes, totalBytes } = seen.at(-1)!;
    assertEquals(bytes, totalBytes);
    for (const [at, { bytes }] of seen.entries()) assert(bytes > (seen[at - 1]?.bytes ?? 0));
    assertEquals(source.bytesRead, alone.source.bytesRead);
    assertEquals(target.bytesWritten, alone.target.bytesWritten);
  }));

Deno.test("a chunk that is damaged is the error that one thread has", () =>
  inFolder(async (folder) => {
    const run = await stackRun(folder, "gzip");
    const path = `${folder}/in.zarr/c.5.0.0`;
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "no gzip");
    const errors = [];
    for (const threads of [1, 3]) {
      const error = await assertRejects(() => runRechunk({ ...run, threads }), FileError);
      errors.push(error.message);
      assert(error.message.startsWith(`${path}: has corrupt gzip data: `));
    }
    assertEquals(errors[0], errors[1]);
  }));

/** Programs of workers that fail: when they start, when they are to work, and by their end. */
const FAILURES = {
  "when they start": "throw new Error('no')",
  "by what they answer": "onmessage = () => postMessage({ kind: 'failed' })",
  "in the middle of their work": `onmessage = ({ data: { job, work } }) => {
    if ("memory" in work) return postMessage({ kind: "ready", job });
    throw new Error("no");
  }`,
  "with chunks that they took": `let next;
    onmessage = ({ data: { job, work } }) => {
      if (!("memory" in work)) return Atomics.add(next, 0, 2), postMessage({ kind: "failed" });
      next = new Int32Array(work.queue);
      postMessage({ kind: "ready", job });
    }`,
  "to be set up, and then say that they are": `onmessage = ({ data: { job } }) => {
    postMessage({ kind: "failed" });
    postMessage({ kind: "ready", job });
    postMessage({ kind: "done", job, missing: ["nothing"], bytesRead: 9, bytesWritten: 9 });
  }`,
};

for (const [when, program] of Object.entries(FAILURES)) {
  Deno.test(`workers that fail ${when} change nothing`, () =>
    inFolder(async (folder) => {
      const run = await stackRun(folder, "plain");
      const seen: RechunkProgress[] = [];
      const onProgress = (progress: RechunkProgress) => seen.push(progress);
      await withCountedWorkers(async (counts) => {
        await runRechunk({ ...run, threads: 3, onProgress });
        assertEquals([counts.started, counts.ended], [2, 2]);
      }, program);
      assertEquals(seen.at(-1)!.bytes, seen.at(-1)!.totalBytes);
      await assertSame(run, folder);
    }));
}

Deno.test("who stops a run waits for its workers, and goes on from whole chunks", () =>
  inFolder(async (folder) => {
    const run = await stackRun(folder, "zstd");
    const stop = new AbortController();
    const aborted = runRechunk({
      ...run,
      threads: 3,
      signal: stop.signal,
      onProgress: ({ bytes, totalBytes }) => {
        if (bytes > 0.6 * totalBytes) stop.abort(new Error("enough"));
      },
    });
    await assertRejects(() => aborted, Error, "enough");
    const chunks = [...Deno.readDirSync(run.target.name)].map(({ name }) => name);
    assertEquals(chunks.filter((name) => name.endsWith(".partial")), []);
    await runRechunk({ ...run, threads: 3, resume: true });
    await assertSame(run, folder);
  }));

Deno.test("arrays that are in memory, and small ones, start no worker", () =>
  inFolder((folder) =>
    withCountedWorkers(async (counts) => {
      const source = MemoryZarr.of({ shape: [6, 4], chunk: [2, 4] }, new Uint8Array(96).fill(1));
      const target = new MemoryZarr({ shape: [6, 4], chunk: [6, 1] });
      const plan = handMadePlan([], [6, 4]);
      await runRechunk({ source, target, plan, maxMem: MAX_MEM, threads: 3 });
      assertEquals(target.items(), source.items());
      const { temp: _, ...run } = await stackRun(folder, "plain");
      await runRechunk({ ...run, temp: `${folder}/temp` });
      assertEquals(counts.started, 0);
    })
  ));

/** Eight planes of 24 x 20 numbers to columns through one store in between. */
async function stackRun(folder: string, codec: "plain" | "gzip" | "zstd") {
  await writeStack(`${folder}/in.zarr`, { chunk: [1, 24, 20], numChunks: 8, codec });
  const source = await openArray(`${folder}/in.zarr`);
  const target = await createFixed(`${folder}/out.zarr`, source.metadata, { chunk: [8, 3, 5] });
  const plan = handMadePlan([[[4, 24, 20], [4, 6, 20], [8, 6, 20]]]);
  return { source, target, plan, maxMem: MAX_MEM, temp: `${folder}/temp` };
}

type StackRun = Awaited<ReturnType<typeof stackRun>>;

function copyOf(folder: string, { source }: StackRun, name: string): Promise<FixedWriter> {
  return createFixed(`${folder}/${name}.zarr`, source.metadata, { chunk: [8, 3, 5] });
}

async function assertSame({ source }: StackRun, folder: string): Promise<void> {
  assertEquals(await readItems(await openArray(`${folder}/out.zarr`)), await readItems(source));
}

async function openArray(path: string) {
  const opened = await openFixed(path);
  return opened;
}
