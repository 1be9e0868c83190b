/**
 * Runs the passes of a plan, for either kind of items. Each pass moves all chunks from one store to the
 * next, and the journal records its completion, so that an interrupted run can be resumed.
 *
 * @module
 */

import { allChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import type { ArrayReader, ArrayWriter } from "../../../streams/formats/zarr/items/array.ts";
import type { Journal } from "../store/journal.ts";

/** A store between two passes. */
interface PassStore {
  create(options: { readonly mayBeThere: boolean }): void;
  /** Throws a FileError if the store does not exist; a store without chunks does. */
  check(): void;
  sync(): Promise<void>;
  remove(): void;
}

/** The passes of a run, one more than the stores between them. */
interface PassesRun {
  readonly target: ArrayWriter;
  readonly stores: readonly PassStore[];
  readonly journal: Journal | undefined;
  readonly resume: boolean;
  /** Whether completed work must survive a crash of the machine. */
  readonly isDurable: boolean;
  /** Called with the first pass to run. */
  begin?(firstPass: number): void;
  /** Runs a pass, which must not write chunks of an earlier run again where `mayHaveChunks`. */
  runPass(pass: number, options: { readonly mayHaveChunks: boolean }): Promise<void>;
  /** Memory for a chunk of the target, which nothing uses before the first pass. */
  readonly scratch?: Uint8Array;
}

/** Runs all passes that are not complete, and removes the stores between them. */
export async function runPasses(run: PassesRun): Promise<void> {
  const { target, stores, journal, resume, isDurable } = run;
  const isThere = resume && journal?.isResumed !== true && await isComplete(run);
  const firstPass = isThere ? stores.length + 1 : journal?.passesDone ?? 0;
  run.begin?.(firstPass);
  // An earlier run may have ended before it removed a store that it no longer needed.
  for (const store of stores.slice(0, Math.max(0, firstPass - 1))) store.remove();
  for (let pass = firstPass; pass <= stores.length; pass++) {
    const store = stores[pass];
    const wasBegun = pass === firstPass && journal?.isResumed === true;
    store?.create({ mayBeThere: wasBegun });
    stores[pass - 1]?.check();
    const mayHaveChunks = wasBegun || (store === undefined && resume);
    await run.runPass(pass, { mayHaveChunks });
    if (isDurable) await (store ?? target).sync?.();
    journal?.passDone();
    stores[pass - 1]?.remove();
  }
  // The caller may have written the metadata again.
  if (isDurable && firstPass > stores.length) await target.sync?.();
  stores.at(-1)?.remove();
  journal?.remove();
}

/** Whether the target has all of its chunks. */
async function isComplete({ target, scratch }: PassesRun): Promise<boolean> {
  for (const index of allChunks(target.writeGrid)) {
    if (!await target.hasChunk(index, scratch)) return false;
  }
  return true;
}

/** Returns the folder for intermediate stores. Throws a RangeError without one. */
export function folderOf({ temp }: { readonly temp?: string }): string {
  if (temp === undefined) throw new RangeError("A plan with stages needs a folder for them");
  return temp;
}

/** Throws a RangeError if the items of the target differ from those of the source. */
export function checkSameItems(source: ArrayReader, target: ArrayWriter): void {
  const isSame = source.grid.shape.join() === target.grid.shape.join() &&
    source.dataType === target.dataType && source.itemBytes === target.itemBytes &&
    source.fill.join() === target.fill.join();
  if (isSame) return;
  throw new RangeError(`${target.name}: has another shape, type or fill value than ${source.name}`);
}
