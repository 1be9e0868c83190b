/**
 * Compares the rechunking of a Zarr array with a straight copy of its files, and with the bound: one read and one
 * write of all items for each pass.
 *
 * @module
 */

import { planFixed } from "../ops/rechunk/plan/plan_fixed.ts";
import { runRechunk } from "../ops/rechunk/move/run_rechunk.ts";
import { allChunks, type Grid, product } from "../streams/formats/zarr/grid/grid.ts";
import { collectGarbage } from "./support/collect_garbage.ts";
import { findDask } from "./support/dask.ts";
import { median } from "./support/measure.ts";
import {
  checkStore,
  createLike,
  createStore,
  openStore,
  type StoreCodec,
} from "./support/rechunk_store.ts";

const ITEM_BYTES = 4;
const TARGET = [1200, 10, 12];
/** A chunk of the source has 28.6 MB, and decompressing it takes as much again. */
const MAX_MEM: Readonly<Record<StoreCodec, number>> = { raw: 64e6, zstd: 96e6 };
/** The chunks of a result that are checked. */
const NUM_CHECKED = 20;

/** The time of a job. */
interface RechunkTime {
  readonly store: StoreCodec;
  readonly name: string;
  readonly medianMs: number;
  /** Gigabytes of the array per second. */
  readonly speed: number;
  /** The ratio to a straight copy of the files of the same store. */
  readonly ofCopy: number;
  /**
   * For ours, the ratio to the bound: the time of a read and a write for each pass, through the codecs for the
   * source and the result, and without codecs in between.
   */
  readonly ofBound?: number;
}

/** A contender that writes a store to a folder; `run` returns the milliseconds if it measures them itself. */
interface Job {
  readonly name: string;
  readonly passes?: number;
  run(target: string): Promise<number | void>;
  /** Whether the result has the requested chunks. */
  readonly isRechunked: boolean;
}

/** Measures all jobs, without codecs and with zstd. `numPlanes` is the length of the first axis. */
export async function* measureRechunk(
  numRounds: number,
  numPlanes = 1200,
): AsyncGenerator<RechunkTime, void, void> {
  const shape = [numPlanes, 480, 480];
  const grid = { shape, chunk: [31, 480, 480] };
  const target = TARGET.map((length, axis) => Math.min(length, shape[axis]!));
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  try {
    let plainCopyMs = 0;
    for (const codec of ["raw", "zstd"] as const) {
      const store = `${folder}/${codec}.zarr`;
      await createStore(store, grid, codec);
      const jobs = await jobsOf({ store, chunk: target, maxMem: MAX_MEM[codec], folder });
      const times = await timesOf(jobs, `${folder}/out.zarr`, numRounds);
      const [copyMs, codedMs] = times as [number, number];
      if (codec === "raw") plainCopyMs = copyMs;
      for (const [k, { name, passes }] of jobs.entries()) {
        yield {
          ...{ store: codec, name, medianMs: times[k]! },
          speed: product(shape) * ITEM_BYTES / 1e6 / times[k]!,
          ofCopy: times[k]! / copyMs,
          ...(passes === undefined
            ? {}
            : { ofBound: times[k]! / (codedMs + (passes - 1) * plainCopyMs) }),
        };
      }
      await Deno.remove(store, { recursive: true });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A request to rechunk. */
interface Task {
  readonly store: string;
  readonly chunk: readonly number[];
  readonly maxMem: number;
  /** The folder for intermediate stores. */
  readonly folder: string;
}

/** Returns all jobs: first the straight copy, then the one through codecs. */
async function jobsOf(task: Task): Promise<Job[]> {
  const { store, chunk } = task;
  const dask = await findDask();
  const jobs: Job[] = [
    {
      name: "straight copy of the files",
      isRechunked: false,
      run: (target) => Promise.resolve(copyFiles(store, target)),
    },
    {
      name: "chunks read and written again",
      isRechunked: false,
      run: (target) => copyChunks(store, target),
    },
    await ours(task),
  ];
  if (dask !== undefined) {
    jobs.push({
      name: dask.name,
      isRechunked: true,
      run: (target) => dask.rechunk(store, target, chunk),
    });
  }
  return jobs;
}

async function ours({ store, chunk, maxMem, folder }: Task): Promise<Job> {
  const source = await openStore(store);
  const target = await createLike(`${folder}/planned.zarr`, source.metadata, { chunk });
  const plan = planFixed({ source, target, maxMem });
  const boxes = plan.stages.length === 0
    ? [plan.direct!]
    : [plan.stages[0]!.read, ...plan.stages.map(({ write }) => write)];
  const passes = plan.stages.length + 1;
  return {
    name: `Sluice, ${navigator.hardwareConcurrency} threads, in ${maxMem / 1e6} MB by ` +
      boxes.map((box) => `(${box})`).join(" to "),
    passes,
    isRechunked: true,
    async run(path) {
      const made = await createLike(path, source.metadata, { chunk });
      await runRechunk({ source, target: made, plan, maxMem, temp: `${folder}/stages` });
    },
  };
}

/** Copies every file through one buffer. */
function copyFiles(from: string, to: string, buffer = { bytes: new Uint8Array(0) }): void {
  Deno.mkdirSync(to);
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyFiles(`${from}/${name}`, `${to}/${name}`, buffer);
    else copyFile(`${from}/${name}`, `${to}/${name}`, buffer);
  }
}

function copyFile(from: string, to: string, buffer: { bytes: Uint8Array }): void {
  using source = Deno.openSync(from);
  using target = Deno.openSync(to, { write: true, createNew: true });
  const { size } = source.statSync();
  if (buffer.bytes.length < size) buffer.bytes = new Uint8Array(size);
  const bytes = buffer.bytes.subarray(0, size);
  for (let at = 0; at < size;) at += source.readSync(bytes.subarray(at)) ?? size;
  for (let at = 0; at < size;) at += target.writeSync(bytes.subarray(at));
}

/** Copies an array chunk by chunk, through the codecs. */
async function copyChunks(from: string, to: string): Promise<void> {
  const reader = await openStore(from);
  const grid: Grid = reader.grid;
  const writer = await createLike(to, reader.metadata, { chunk: grid.chunk });
  const items = new Uint8Array(product(grid.chunk) * reader.itemBytes);
  for (const index of allChunks(grid)) {
    await reader.readChunk(index, items);
    await writer.writeChunk(index, items);
  }
}

/** Returns the medians of some rounds, after one that does not count. */
async function timesOf(
  jobs: readonly Job[],
  target: string,
  numRounds: number,
): Promise<number[]> {
  const times = jobs.map((): number[] => []);
  for (let round = -1; round < numRounds; round++) {
    for (const [k, { run, isRechunked }] of jobs.entries()) {
      await collectGarbage();
      const start = performance.now();
      const ownMs = await run(target);
      const elapsedMs = ownMs ?? performance.now() - start;
      if (round >= 0) times[k]!.push(elapsedMs);
      else if (isRechunked) await checkStore(target, NUM_CHECKED);
      await Deno.remove(target, { recursive: true });
    }
  }
  return times.map(median);
}
