import { assertEquals, assertRejects } from "@std/assert";
import type { RechunkRun } from "../../../../../ops/rechunk/move/rechunk_run.ts";
import { runRechunk } from "../../../../../ops/rechunk/move/run_rechunk.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { handMadePlan, randomCase } from "../../../../support/zarr/rechunk_cases.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const MAX_MEM = 1 << 24;

class Interrupted extends Error {}

/** Runs until progress was told of some times, then as a process that ends there. */
async function interrupt(run: RechunkRun, after: number): Promise<boolean> {
  let left = after;
  const onProgress = () => {
    if (left-- === 0) throw new Interrupted();
  };
  try {
    await runRechunk({ ...run, onProgress });
    return false;
  } catch (error) {
    if (error instanceof Interrupted) return true;
    throw error;
  }
}

Deno.test("a run that ends anywhere is gone on with, and writes no chunk again", () =>
  inFolder((folder) => {
    const draws = new Draws([
      ...["0 stages", "1 stages", "2 stages", "3 stages", "missing chunks"],
      ...["interrupted twice", "complete before it ended", "without a folder"],
    ]);
    return forSeeds(fewOr(60, 150), async (random) => {
      const { source, target, expected, plan } = randomCase(random, draws);
      const needsFolder = plan.stages.length > 0 || random.chance(0.5);
      const temp = needsFolder ? { temp: `${folder}/temp` } : {};
      if (!needsFolder) draws.add("without a folder");
      const run = { source, target, plan, maxMem: MAX_MEM, ...temp };
      const most = random.pick([3, 10, 40, 200]);
      let times = 0;
      if (await interrupt(run, random.below(most))) {
        times++;
        while (random.chance(0.5)) {
          if (await interrupt({ ...run, resume: true }, random.below(most))) times++;
        }
        await runRechunk({ ...run, resume: true });
      } else draws.add("complete before it ended");
      if (times > 1) draws.add("interrupted twice");
      assertEquals(target.chunks, expected.chunks);
      const written = target.writes.filter((key) => target.chunks.has(key));
      assertEquals(written.length, target.chunks.size);
      assertEquals([...Deno.readDirSync(folder)], []);
    }, draws);
  }));

Deno.test("a run goes on only with the same source, target and plan", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    await interrupt(run, 8);
    const refused = async (changes: Partial<RechunkRun>, what: string) => {
      const error = await assertRejects(
        () => runRechunk({ ...run, ...changes, resume: true }),
        FileError,
      );
      const problem = `is from a run with another ${what}, which cannot be resumed`;
      assertEquals(error.message, `${run.temp}: ${problem}`);
    };
    await refused({ source: smallSource("other.zarr") }, "source");
    await refused({ target: smallTarget("other.zarr") }, "target");
    await refused({ plan: handMadePlan([[[4, 4], [2, 1], [6, 1]]]) }, "plan");
    await refused({ plan: handMadePlan([], [6, 4]) }, "plan");
    await runRechunk({ ...run, resume: true });
    assertEquals(run.target.items(), run.source.items());
  }));

Deno.test("a run begins from the start where there is nothing to go on with, or it is not to", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    await runRechunk({ ...run, resume: true });
    assertEquals(run.target.items(), run.source.items());
    const again = smallRun(folder);
    await interrupt(again, 20);
    const anew = { ...again, target: smallTarget("out.zarr") };
    await runRechunk({ ...anew, plan: handMadePlan([[[4, 4], [2, 1], [6, 1]]]) });
    assertEquals(anew.target.items(), anew.source.items());
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("a complete target is left as it is", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    await runRechunk(run);
    const numReads = run.source.reads.length;
    await runRechunk({ ...run, resume: true });
    assertEquals(run.source.reads.length, numReads);
    assertEquals(run.target.writes.length, 4);
  }));

Deno.test("boxes that were complete are not read again", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    // The first of three boxes, and one of the four pieces of the second.
    await interrupt(run, 7);
    await interrupt({ ...run, resume: true }, 9);
    assertEquals(run.source.reads, ["0,0", "1,0", "1,0", "2,0"]);
    await interrupt({ ...run, resume: true }, 14);
    await runRechunk({ ...run, resume: true });
    assertEquals(run.source.reads, ["0,0", "1,0", "1,0", "2,0", "2,0"]);
    assertEquals(run.target.items(), run.source.items());
  }));

Deno.test("what was torn is written again, and what is lost is an error", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    const store = `${run.temp}/store-1`;
    await interrupt(run, 8);
    Deno.truncateSync(`${store}/c.0.1`, 3);
    Deno.writeTextFileSync(`${store}/chunk.partial`, "torn");
    await interrupt({ ...run, resume: true }, 16);
    // The first pass is complete: nothing but this store has its chunks.
    const resume = () => runRechunk({ ...run, resume: true });
    Deno.truncateSync(`${store}/c.2.3`, 3);
    const short = await assertRejects(resume, FileError);
    assertEquals(short.message, `${store}/c.2.3: has 3 bytes, but a chunk of it has 8`);
    Deno.removeSync(store, { recursive: true });
    const missing = await assertRejects(resume, FileError);
    assertEquals(missing.message, `${store}/zarr.json: no such file`);
    Deno.writeTextFileSync(`${run.temp}/journal.json`, "{");
    const journal = await assertRejects(resume, FileError);
    assertEquals(journal.message, `${run.temp}/journal.json: is not a journal of rechunking`);
  }));

Deno.test("a run that fails while reading or writing is gone on with", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    for (
      const [array, method] of [[run.source, "readChunk"], [run.target, "writeChunk"]] as const
    ) {
      const failing = new Proxy(array, {
        get: (_, name) => {
          if (name === method) {
            return (index: readonly number[], bytes: Uint8Array) =>
              index.join() === "1,0" || index.join() === "0,1"
                ? Promise.reject(new FileError(`${array.name}/c/${index.join("/")}`, "is damaged"))
                : array[method as "readChunk"](index, bytes);
          }
          const value = Reflect.get(array, name, array);
          return typeof value === "function" ? value.bind(array) : value;
        },
      });
      const sides = method === "readChunk" ? { source: failing } : { target: failing };
      const failed = () => runRechunk({ ...run, ...sides, resume: true });
      const place = method === "readChunk" ? "in.zarr/c/1/0" : "out.zarr/c/0/1";
      assertEquals((await assertRejects(failed, FileError)).message, `${place}: is damaged`);
    }
    await runRechunk({ ...run, resume: true });
    assertEquals(run.target.items(), run.source.items());
    assertEquals(run.target.writes.length, 4);
  }));

Deno.test("a signal ends a run within a chunk, and the run is gone on with", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    const abort = new AbortController();
    const seen: number[] = [];
    const stopped = runRechunk({
      ...run,
      signal: abort.signal,
      onProgress: ({ bytes }) => {
        seen.push(bytes);
        if (seen.length === 5) abort.abort(new Interrupted("enough"));
      },
    });
    assertEquals((await assertRejects(() => stopped, Interrupted)).message, "enough");
    assertEquals(seen.length, 5);
    const never = runRechunk({ ...run, signal: abort.signal });
    await assertRejects(() => never, Interrupted);
    await runRechunk({ ...run, resume: true });
    assertEquals(run.target.items(), run.source.items());
  }));

Deno.test("a signal reaches a run that never waits for anything", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Interrupted()), 0);
    const onProgress = () => {
      // Until the timer has had its turn.
      const start = performance.now();
      while (performance.now() - start < 20);
    };
    await assertRejects(
      () => runRechunk({ ...run, onProgress, signal: abort.signal }),
      Interrupted,
    );
  }));

Deno.test("a temporary folder that cannot be made is an error with its name", () =>
  inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const run = { ...smallRun(folder), temp: `${folder}/file/temp` };
    const { message } = await assertRejects(() => runRechunk(run), FileError);
    assertEquals(message, `${folder}/file/temp/journal.json: a part of its path is not a folder`);
  }));

Deno.test("stores that nobody knows are not written to", () =>
  inFolder(async (folder) => {
    const run = smallRun(folder);
    Deno.mkdirSync(`${run.temp}/store-1`, { recursive: true });
    const { message } = await assertRejects(() => runRechunk(run), FileError);
    assertEquals(message, `${run.temp}/store-1: file exists`);
  }));

function smallRun(folder: string) {
  return {
    source: smallSource("in.zarr"),
    target: smallTarget("out.zarr"),
    plan: handMadePlan([[[2, 4], [2, 1], [6, 1]]]),
    temp: `${folder}/temp`,
    maxMem: MAX_MEM,
  };
}

/** Rows of 4 items, which become columns of 6. */
function smallSource(name: string): MemoryZarr {
  const items = new Uint8Array(Float32Array.from({ length: 24 }, (_, at) => at + 1).buffer);
  return MemoryZarr.of({ shape: [6, 4], chunk: [2, 4], name }, items);
}

function smallTarget(name: string): MemoryZarr {
  return new MemoryZarr({ shape: [6, 4], chunk: [6, 1], name });
}
