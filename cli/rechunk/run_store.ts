/**
 * Runs the plans of a store: writes arrays with other chunks, and copies everything else.
 *
 * @module
 */

import { product } from "../../streams/formats/zarr/grid/grid.ts";
import { syncTree } from "../../streams/bytes/own_files/durable.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { runRechunk } from "../../ops/rechunk/move/run_rechunk.ts";
import { removeLeftovers } from "../../streams/formats/zarr/files/new_files.ts";
import { createArray } from "../../streams/formats/zarr/store/create_array.ts";
import {
  consolidateZarr,
  createZarrGroup,
} from "../../streams/formats/zarr/store/create_zarr_group.ts";
import { copyFile, filesBelow, type FoundFile } from "./copy_files.ts";
import type { PartialStore } from "./partial_store.ts";
import type { RechunkPace } from "./rechunk_progress.ts";
import type { PlannedArray, StorePlan } from "./store_plan.ts";

/** A run of the plans of a store. */
export interface StoreRun {
  readonly input: string;
  readonly plan: StorePlan;
  readonly store: PartialStore;
  readonly maxMem: number;
}

/** An array that keeps its chunks, and its files. */
export interface CopiedArray {
  readonly path: string;
  readonly files: readonly FoundFile[];
}

/** Finds the files of the arrays that a run copies. */
export async function copiedArrays(input: string, { copied }: StorePlan): Promise<CopiedArray[]> {
  const arrays: CopiedArray[] = [];
  for (const path of copied) arrays.push({ path, files: await filesBelow(`${input}/${path}`) });
  return arrays;
}

/** Returns the bytes that a run reads and writes. */
export function runBytes({ rechunked }: StorePlan, copied: readonly CopiedArray[]): number {
  return [...rechunked.map(rechunkedBytes), ...copied.map(copiedBytes)]
    .reduce((sum, bytes) => sum + bytes, 0);
}

function rechunkedBytes({ shape, itemsize, plan }: PlannedArray): number {
  return 2 * (plan.stages.length + 1) * product(shape) * itemsize;
}

function copiedBytes({ files }: CopiedArray): number {
  return 2 * files.reduce((sum, { numBytes }) => sum + numBytes, 0);
}

/** Does everything that is not done yet, copies first, and gives the store its final name. */
export async function runStore(
  run: StoreRun,
  copied: readonly CopiedArray[],
  pace: RechunkPace,
): Promise<void> {
  const { plan, store } = run;
  const { node } = plan;
  createFolders(run);
  if (node.kind === "group") createZarrGroup(store.path, node);
  for (const array of copied) {
    if (!store.isDone(array.path)) await copyArray(array, run, pace);
    pace.next(copiedBytes(array));
  }
  for (const array of plan.rechunked) {
    if (!store.isDone(array.path)) await rechunkArray(array, run, pace);
    pace.next(rechunkedBytes(array));
  }
  if (node.kind === "group" && node.isConsolidated) consolidateZarr(store.path);
  // An interrupted run or a failed thread may have left temporary files.
  removeLeftovers(store.path);
  await store.commit();
}

/**
 * Creates the folders of the store and its members, with the permissions of their sources and full access for
 * the owner.
 */
function createFolders({ input, plan: { node, rechunked, copied }, store }: StoreRun): void {
  const groups = node.kind === "group" ? node.groups : [];
  const paths = [...groups, ...rechunked].map(({ path }) => path);
  for (const path of new Set([...paths, ...copied].flatMap(foldersTo).sort())) {
    const [from, to] = [`${input}${path}`, `${store.path}${path}`];
    try {
      const mode = ((Deno.statSync(from).mode ?? 0o777) & 0o777) | 0o700;
      Deno.mkdirSync(to, { recursive: true, mode });
    } catch (error) {
      throw toFileError(from, error);
    }
  }
}

/** Returns the folders on a path, with "/" before each name: "", "/a", "/a/b" for "a/b". */
function foldersTo(path: string): string[] {
  const names = path === "" ? [] : path.split("/");
  return [...names, ""].map((_, count) => names.slice(0, count).map((name) => `/${name}`).join(""));
}

async function copyArray(
  array: CopiedArray,
  { input, store }: StoreRun,
  pace: RechunkPace,
): Promise<void> {
  const totalBytes = copiedBytes(array);
  let bytes = 0;
  for (const { path, numBytes } of array.files) {
    const place = `${array.path}/${path}`;
    await copyFile(`${input}/${place}`, `${store.path}/${place}`);
    bytes += 2 * numBytes;
    pace.set({ name: array.path, label: "copied", bytes, totalBytes, bytesBefore: 0 });
  }
  await syncTree(`${store.path}/${array.path}`);
  store.setDone(array.path);
}

async function rechunkArray(
  array: PlannedArray,
  { store, maxMem }: StoreRun,
  pace: RechunkPace,
): Promise<void> {
  const { path, name, reader, writer, plan, sizes } = array;
  const chunks = { chunk: writer.grid.chunk };
  const target = await createArray(writer.name, reader.metadata, chunks, { isDurable: true });
  await runRechunk({
    ...{ source: reader, target, plan, maxMem, temp: store.tempOf(path) },
    ...(sizes === undefined ? {} : { sizes }),
    resume: store.isResumed,
    isDurable: true,
    onProgress: ({ stage, numStages, bytes, totalBytes }) => {
      const stageBytes = rechunkedBytes(array) / numStages;
      const bytesBefore = (stage - 1) * stageBytes;
      pace.set({
        name: path || name,
        label: `stage ${stage} of ${numStages}`,
        bytes: Math.round(bytes / totalBytes * rechunkedBytes(array)) - bytesBefore,
        totalBytes: stageBytes,
        bytesBefore,
      });
    },
  });
  store.setDone(path);
}
